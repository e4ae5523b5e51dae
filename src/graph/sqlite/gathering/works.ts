// Gathering identities: the piece of work that publishing is made of, for whoever does it, this thread or others.
import type { Fingerprints } from '../../encryption/fingerprints.ts';
import { gather, type Gathered } from '../../publish/gather.ts';
import type { Told } from '../../publish/ranked.ts';
import { remembering } from '../../../link/keys.ts';
import { type AtHandView, readingAtHand } from '../../../link/packed/at-hand.ts';
import { loadNameTables, loadedNameTables } from '../../../names/index.ts';
import { type GraphKeys, deriveGraphKeys } from '../../encryption/keys.ts';
import { openSealedPage, type SealedPage, createRecordSealing } from '../../encryption/sealed-records.ts';

/** Some identities: their numbers, their rows one after the other, and where those of each end. */
export interface SomeIdentities {
  numbers: Float64Array;
  rows: Uint32Array;
  ends: Uint32Array;
  /** Records of theirs that are not at hand. */
  more: SealedPage | null;
}

/** What is published of each, in the same order. Of bytes and keys all are one after the other, with where those of each end. */
export interface GatheredColumns {
  /** Milliseconds since 1970; NaN where it is not known. */
  firstSeen: Float64Array;
  lastSeen: Float64Array;
  sources: Uint32Array;
  hints: Uint8Array;
  hintEnds: Uint32Array;
  profiles: Uint8Array;
  profileEnds: Uint32Array;
  /** See `keysOf`. */
  keys: Float64Array;
  keyEnds: Uint32Array;
}

/** The keys that an identity is published with: twice the key, plus 1 where the value is its primary one. */
export function keysOf({ postings }: Pick<Gathered, 'postings'>): number[] {
  return Array.from(postings, ([key, primary]) => key * 2 + Number(primary));
}

/** What is published of one identity. @param records in the order of import */
export function gatheredRow(
  number: number,
  records: Told[],
  { hints, profiles, fingerprints }: Pick<GraphKeys, 'hints' | 'profiles'> & GatheringFingerprints,
) {
  const { firstSeen, lastSeen, sources, ...gathered } = gather(records, fingerprints);
  const exactParts = gathered.signatures.map(({ exactPart }) => exactPart);
  const hint = hints.encode({ identity: number, exactParts, keys: gathered.postings.keys() });
  return {
    firstSeen,
    lastSeen,
    sources,
    hint,
    profile: profiles.seal(gathered),
    keys: keysOf(gathered),
  };
}

interface GatheringFingerprints {
  fingerprints: Pick<Fingerprints, 'of'>;
}

/** What a thread is given. */
export interface GatheringBoot {
  secret: string;
  nameTables: readonly string[];
  atHand: AtHandView;
}

/** In a thread; see `Pool`. */
export function works({ secret, nameTables, atHand }: GatheringBoot): GatheringWorks {
  for (const file of nameTables.slice(loadedNameTables().length)) loadNameTables(file);
  return gatheringWorks(deriveGraphKeys(secret), readingAtHand(atHand));
}

export type GatheringWorks = ReturnType<typeof gatheringWorks>;

/** @param atHand null where a record is not there */
export function gatheringWorks({ fingerprints, ...keys }: GraphKeys, atHand: (row: number) => Told | null) {
  const all = { ...keys, fingerprints: { of: remembering(fingerprints.of) } };
  const { open } = createRecordSealing(fingerprints, keys.sealing);
  return {
    gather({ numbers, rows, ends, more }: SomeIdentities): GatheredColumns {
      const sent = new Map<number, Told>(
        more ? openSealedPage(more, open).map((record) => [record.row, record]) : [],
      );
      const some = Array.from(numbers, (number, i) => {
        const own = rows.subarray(i > 0 ? ends[i - 1] : 0, ends[i]);
        return gatheredRow(number, Array.from(own, (row) => sent.get(row) ?? atHand(row) ?? []).flat(), all);
      });
      const [hints, hintEnds] = joined(some.map(({ hint }) => hint));
      const [profiles, profileEnds] = joined(some.map(({ profile }) => profile));
      return {
        firstSeen: Float64Array.from(some, ({ firstSeen }) => firstSeen ?? NaN),
        lastSeen: Float64Array.from(some, ({ lastSeen }) => lastSeen ?? NaN),
        sources: Uint32Array.from(some, ({ sources }) => sources),
        hints,
        hintEnds,
        profiles,
        profileEnds,
        keys: Float64Array.from(some.flatMap(({ keys }) => keys)),
        keyEnds: endsOf(some.map(({ keys }) => keys)),
      };
    },
  };
}

function joined(parts: Uint8Array[]): [bytes: Uint8Array, ends: Uint32Array] {
  const ends = endsOf(parts);
  const bytes = new Uint8Array(ends.at(-1) ?? 0);
  for (const [i, part] of parts.entries()) bytes.set(part, i > 0 ? ends[i - 1] : 0);
  return [bytes, ends];
}

function endsOf(parts: { length: number }[]): Uint32Array {
  let end = 0;
  return Uint32Array.from(parts, ({ length }) => (end += length));
}
