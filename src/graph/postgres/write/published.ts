// The tables that publishing brings to what linking found, and what is written of an identity.
import type { Fingerprints } from '../../encryption/fingerprints.ts';
import type { Gathered } from '../../publish/gather.ts';
import type { GraphKeys } from '../../encryption/keys.ts';
import type { Cell } from '../copy.ts';
import type { ReplacedTable } from './replaced.ts';

export const TABLES = {
  identity: {
    name: 'identity',
    columns: ['id', 'first_seen', 'last_seen', 'records', 'sources', 'told', 'hints', 'profile'],
    key: ['id'],
    compared: ['told'],
  },
  member: {
    name: 'member',
    columns: ['record', 'identity'],
    key: ['record'],
    compared: ['identity'],
  },
  posting: {
    name: 'posting',
    columns: ['key', 'share', 'holder', 'ids'],
    key: ['key'],
    compared: ['share', 'holder', 'ids'],
  },
  frequent: {
    name: 'frequent',
    columns: ['key', 'holder'],
    key: ['key', 'holder'],
    compared: [],
  },
  published: {
    name: 'published',
    columns: ['id', 'keys'],
    key: ['id'],
    compared: ['keys'],
  },
  merged: {
    name: 'merged',
    columns: ['number', 'heir'],
    key: ['number'],
    compared: ['heir'],
  },
} satisfies Record<string, ReplacedTable>;

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
  const hint = hints.encode({ identity: number, exactParts, keys: postings.keys() });
  return [number, firstSeen, lastSeen, records, sources, toldBy(it, fingerprints), hint, profiles.seal(it)];
}

/** Another number where an identity says anything else: what is sealed is so under another nonce each time, and tells nothing. */
export function toldBy({ postings, ...it }: Gathered, fingerprints: Fingerprints): number {
  return fingerprints.of('check', JSON.stringify([it, [...postings.keys()]]));
}
