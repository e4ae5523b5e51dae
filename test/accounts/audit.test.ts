import { describe, expect, it } from 'vitest';
import {
  EMPTY_AUDIT_CHAIN_HEAD,
  verifyAuditChain,
  doesAuditChainContainHead,
  formatAuditChainHead,
  createAuditEntry,
} from '../../src/accounts/audit.ts';
import type { AuditAction, AuditEntry } from '../../src/accounts/audit.ts';

const act = (target: string): AuditAction => ({
  actor: 'command-line root',
  act: 'keys.create',
  target,
  detail: { name: 'shop', scopes: ['validate'] },
});

/** Returns a chain of `length` entries. */
function chain(length: number): AuditEntry[] {
  const links: AuditEntry[] = [];
  for (let i = 0; i < length; i++)
    links.push(
      createAuditEntry(links.at(-1) ?? EMPTY_AUDIT_CHAIN_HEAD, act(`key_${i}`), 1_700_000_000_000 + i),
    );
  return links;
}
const LINKS = chain(6);
const without = (place: number) => LINKS.filter((_, i) => i !== place);

describe('the chain of audit entries', () => {
  it('is valid from its beginning to its end', () => {
    const { head, broken } = verifyAuditChain(LINKS, 6);
    expect([head.seq, broken]).toEqual([6, null]);
    expect(verifyAuditChain([], 0).broken).toBeNull();
  });

  it.each([
    ['the first is gone', without(0), { seq: 1, why: 'missing' }],
    ['one between is gone', without(3), { seq: 4, why: 'missing' }],
    ['the last is gone', without(5), { seq: 6, why: 'missing' }],
    ['all are gone', [], { seq: 1, why: 'missing' }],
    [
      'two have changed places',
      without(2).toSpliced(4, 0, LINKS[2] as AuditEntry),
      { seq: 3, why: 'missing' },
    ],
  ] as const)('shows it where %s', (_, links, broken) => {
    expect(verifyAuditChain(links, 6).broken).toEqual(broken);
  });

  it.each([
    ['who', { actor: 'command-line mallory' }],
    ['what', { act: 'keys.revoke' as const }],
    ['to what', { target: 'key_x' }],
    ['when', { time: 5 }],
    ['a detail', { detail: { name: 'shop', scopes: ['validate', 'admin'] } }],
    ['one more detail', { detail: { name: 'shop', scopes: ['validate'], test: true } }],
  ])('shows that %s was changed', (_, over) => {
    const links = LINKS.with(2, { ...(LINKS[2] as AuditEntry), ...over });
    expect(verifyAuditChain(links, 6).broken).toEqual({ seq: 3, why: 'changed' });
  });

  it('shows an entry that was rewritten, by the entry after it', () => {
    const forged = createAuditEntry({ seq: 2, hash: (LINKS[1] as AuditEntry).hash }, act('key_x'), 5);
    expect(verifyAuditChain(LINKS.with(2, forged), 6).broken).toEqual({ seq: 4, why: 'changed' });
  });

  it('that was rewritten from an entry on no longer has the head that was noted', () => {
    const noted = formatAuditChainHead(LINKS[5] as AuditEntry);
    const forged = LINKS.slice(0, 5).concat(createAuditEntry(LINKS[4] as AuditEntry, act('key_x'), 5));
    expect(verifyAuditChain(forged, 6).broken).toBeNull();
    expect([doesAuditChainContainHead(LINKS, noted), doesAuditChainContainHead(forged, noted)]).toEqual([
      true,
      false,
    ]);
    expect(doesAuditChainContainHead(forged, formatAuditChainHead(LINKS[2] as AuditEntry))).toBe(true);
  });
});
