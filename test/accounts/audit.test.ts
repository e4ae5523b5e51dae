import { describe, expect, it } from 'vitest';
import { EMPTY, followChain, hasHead, headText, linkAfter } from '../../src/accounts/audit.ts';
import type { Act, Link } from '../../src/accounts/audit.ts';

const act = (target: string): Act => ({
  actor: 'command-line root',
  act: 'keys.create',
  target,
  detail: { name: 'shop', scopes: ['validate'] },
});

/** A chain of so many acts. */
function chain(length: number): Link[] {
  const links: Link[] = [];
  for (let i = 0; i < length; i++)
    links.push(linkAfter(links.at(-1) ?? EMPTY, act(`key_${i}`), 1_700_000_000_000 + i));
  return links;
}
const LINKS = chain(6);
const without = (place: number) => LINKS.filter((_, i) => i !== place);

describe('the chain of acts', () => {
  it('holds from its beginning to its end', () => {
    const { head, broken } = followChain(LINKS, 6);
    expect([head.seq, broken]).toEqual([6, null]);
    expect(followChain([], 0).broken).toBeNull();
  });

  it.each([
    ['the first is gone', without(0), { seq: 1, why: 'missing' }],
    ['one between is gone', without(3), { seq: 4, why: 'missing' }],
    ['the last is gone', without(5), { seq: 6, why: 'missing' }],
    ['all are gone', [], { seq: 1, why: 'missing' }],
    ['two have changed places', without(2).toSpliced(4, 0, LINKS[2] as Link), { seq: 3, why: 'missing' }],
  ] as const)('shows it where %s', (_, links, broken) => {
    expect(followChain(links, 6).broken).toEqual(broken);
  });

  it.each([
    ['who', { actor: 'command-line mallory' }],
    ['what', { act: 'keys.revoke' as const }],
    ['to what', { target: 'key_x' }],
    ['when', { time: 5 }],
    ['a detail', { detail: { name: 'shop', scopes: ['validate', 'admin'] } }],
    ['one more detail', { detail: { name: 'shop', scopes: ['validate'], test: true } }],
  ])('shows that %s was changed', (_, over) => {
    const links = LINKS.with(2, { ...(LINKS[2] as Link), ...over });
    expect(followChain(links, 6).broken).toEqual({ seq: 3, why: 'changed' });
  });

  it('shows a link that was made anew, by the one after it', () => {
    const forged = linkAfter({ seq: 2, hash: (LINKS[1] as Link).hash }, act('key_x'), 5);
    expect(followChain(LINKS.with(2, forged), 6).broken).toEqual({ seq: 4, why: 'changed' });
  });

  it('that was made anew from a place on no longer has the head that was noted', () => {
    const noted = headText(LINKS[5] as Link);
    const forged = LINKS.slice(0, 5).concat(linkAfter(LINKS[4] as Link, act('key_x'), 5));
    expect(followChain(forged, 6).broken).toBeNull();
    expect([hasHead(LINKS, noted), hasHead(forged, noted)]).toEqual([true, false]);
    expect(hasHead(forged, headText(LINKS[2] as Link))).toBe(true);
  });
});
