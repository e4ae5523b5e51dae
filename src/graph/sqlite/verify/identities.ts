// What is published, held against what the records of each identity make of it.
import { isDeepStrictEqual } from 'node:util';
import type { Db } from '../../../platform/sqlite.ts';
import type { Gathered } from '../../publish/gather.ts';
import { createInvariantCounter, type Invariant } from '../../verifying.ts';
import type { GraphKeys } from '../../encryption/keys.ts';
import { type MetaName, readMeta } from '../meta.ts';
import { newestOf } from '../read/reader.ts';
import { toDays } from '../days.ts';
import { keysOf } from '../gathering/works.ts';
import { postingVerifier } from './postings.ts';

type Row = [
  firstSeen: number | null,
  lastSeen: number | null,
  records: number,
  sources: number,
  hints: Buffer,
  profile: Buffer,
];

/** What the file that remembers linking says of identities. */
export interface Published {
  keysOf(identity: number): number[];
  identities(): number;
  redirects(): Redirect[];
}

export type Redirect = [number: number, heir: number | null];

/** @param published null where nothing is remembered of the graph as it is */
export function identityVerifier(db: Db, keys: GraphKeys, published: Published | null) {
  const get = db
    .prepare<[number], Row>(
      'SELECT first_seen, last_seen, records, sources, hints, profile FROM identity WHERE id = ?',
    )
    .raw();
  const rows = createInvariantCounter('an identity is published as its records make it, to the letter');
  const known = createInvariantCounter('the keys that an identity was published with are remembered');
  const postings = postingVerifier(db);
  const seen = new Set<number>();
  return {
    see(id: number, should: Gathered | null): void {
      seen.add(id);
      if (!should) {
        for (const key of published?.keysOf(id) ?? []) postings.add(Math.floor(key / 2), id, key % 2 === 1);
        return;
      }
      const row = get.get(id);
      rows.check(row !== undefined && isPublished({ id, row, should }, keys));
      if (published)
        known.check(
          isDeepStrictEqual(published.keysOf(id).toSorted(byNumber), keysOf(should).sort(byNumber)),
        );
      for (const [key, primary] of should.postings) postings.add(key, id, primary);
    },
    end(): Invariant[] {
      const ids = db.prepare<[], number>('SELECT id FROM identity').pluck().all();
      for (const id of ids) if (!seen.has(id)) rows.check(false);
      if (published) known.check(false, published.identities() - seen.size);
      const found = postings.end();
      return [
        rows.counted,
        ...found.found,
        redirectsHeld(db, new Set(ids), published),
        metaHeld(db, { identities: `${ids.length}`, postings: `${found.postings}`, newest: newestOf(db) }),
        ...(published ? [known.counted] : []),
      ];
    },
  };
}

const byNumber = (a: number, b: number) => a - b;

function isPublished(
  { id, row, should }: { id: number; row: Row; should: Gathered },
  { profiles, hints }: GraphKeys,
): boolean {
  const [first, last, records, sources, hint, profile] = row;
  const { firstSeen, lastSeen, signatures, postings, names } = should;
  const exactParts = signatures.map(({ exactPart }) => exactPart);
  return (
    isDeepStrictEqual(
      [first, last, records, sources],
      [toDays(firstSeen), toDays(lastSeen), should.records, should.sources],
    ) &&
    hints.encode({ identity: id, exactParts, keys: postings.keys() }).equals(hint) &&
    opens(() =>
      isDeepStrictEqual([profiles.openNames(profile), profiles.openSignatures(profile)], [names, signatures]),
    )
  );
}

/** What cannot be opened is not as it should be. */
function opens(holds: () => boolean): boolean {
  try {
    return holds();
  } catch {
    return false;
  }
}

function redirectsHeld(db: Db, ids: Set<number>, published: Published | null): Invariant {
  const { check: ask, counted } = createInvariantCounter(
    'a number that leads elsewhere leads to an identity, and none that is there leads elsewhere',
  );
  const merged = db.prepare<[], Redirect>('SELECT number, heir FROM merged').raw().all();
  const remembered = new Map(published?.redirects());
  for (const [number, heir] of merged) {
    const isRemembered = published === null || remembered.get(number) === heir;
    ask(!ids.has(number) && (heir === null || ids.has(heir)) && isRemembered);
    remembered.delete(number);
  }
  ask(false, remembered.size);
  return counted;
}

function metaHeld(db: Db, should: Partial<Record<MetaName, string>>): Invariant {
  const { check: ask, counted } = createInvariantCounter('what the graph says of itself in numbers is so');
  for (const [name, value] of Object.entries(should)) ask(readMeta(db, name as MetaName) === value);
  return counted;
}
