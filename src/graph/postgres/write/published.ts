// The tables that publishing brings to what linking found, and what is written of an identity.
import type { Fingerprints } from '../../encryption/fingerprints.ts';
import type { Gathered } from '../../publish/gather.ts';
import type { GraphKeys } from '../../encryption/keys.ts';
import type { Cell } from '../copy.ts';
import type { Whole } from './replaced.ts';

export const TABLES = {
  identity: {
    name: 'identity',
    columns: {
      id: 'bigint',
      first_seen: 'bigint',
      last_seen: 'bigint',
      records: 'bigint',
      sources: 'bigint',
      told: 'bigint',
      hints: 'bytea',
      profile: 'bytea',
    },
    key: ['id'],
    told: ['told'],
  },
  member: {
    name: 'member',
    columns: { record: 'bigint', identity: 'bigint' },
    key: ['record'],
    told: ['identity'],
  },
  posting: {
    name: 'posting',
    columns: { key: 'bigint', share: 'bigint', holder: 'bigint', ids: 'bigint[]' },
    key: ['key'],
    told: ['share', 'holder', 'ids'],
  },
  frequent: {
    name: 'frequent',
    columns: { key: 'bigint', holder: 'bigint' },
    key: ['key', 'holder'],
    told: [],
  },
  published: {
    name: 'published',
    columns: { id: 'bigint', keys: 'bigint[]' },
    key: ['id'],
    told: ['keys'],
  },
  merged: {
    name: 'merged',
    columns: { number: 'bigint', heir: 'bigint' },
    key: ['number'],
    told: ['heir'],
  },
} satisfies Record<string, Whole>;

/** What an identity is published with: twice each key, plus 1 where the value is its primary one; in one order, whatever its records' is. */
export const publishedKeys = ({ postings }: Pick<Gathered, 'postings'>): number[] =>
  Array.from(postings, ([key, primary]) => key * 2 + Number(primary)).sort((a, b) => a - b);

export function identityCells(
  number: number,
  it: Gathered,
  { fingerprints, hints, profiles }: GraphKeys,
): Cell[] {
  const { firstSeen, lastSeen, records, sources, signatures, postings } = it;
  const exactParts = signatures.map(({ exactPart }) => exactPart);
  const hint = hints.write({ identity: number, exactParts, keys: postings.keys() });
  return [number, firstSeen, lastSeen, records, sources, toldBy(it, fingerprints), hint, profiles.seal(it)];
}

/** Another number where an identity says anything else: what is sealed is so under another nonce each time, and tells nothing. */
export function toldBy({ postings, ...it }: Gathered, fingerprints: Fingerprints): number {
  return fingerprints.of('check', JSON.stringify([it, [...postings.keys()]]));
}
