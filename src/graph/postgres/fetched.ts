// Data that the SQL statements of one check call fetched, as a `GraphReader`.
import type { GraphCiphersAndFingerprints } from '../encryption/keys.ts';
import { toIdentityDates } from '../resolve/contact-ages.ts';
import {
  decodeIdentityWithoutPrimaryFlag,
  hasPrimaryFlagInEncodedIdentity,
  type GraphReader,
  type IdentitiesOfLookupKey,
  type SeenDates,
} from '../resolve/reader.ts';

/** Row that the SQL statement of a check call returns; see `CHECK_LOOKUP_SQL`. */
export type CheckLookupRow = [
  identities: number,
  newest: number | null,
  stamp: string,
  postings: string | null,
  identityTexts: string | null,
  holders: string | null,
  revision: number,
];

/** Rows that a check needs, and that its first statement did not read. */
interface UnfetchedGraphData {
  identities: number[];
  keys: number[];
}

export interface PrefetchedGraphReader extends GraphReader {
  add(row: CheckLookupRow, missing: UnfetchedGraphData): void;
  /** Returns what was requested and is missing. Each call returns only requests since the call before. */
  takeMissing(): UnfetchedGraphData;
}

interface FetchedIdentity extends SeenDates {
  /** Numbers of records and sources, and the encrypted profile; null if they were not read. */
  content: { records: number; sources: number; profile: Buffer } | null;
}

/**
 * Creates a reader of the data that the SQL statements of one check call have read.
 * @param keys fingerprints of the submitted look-up keys
 */
export function createPrefetchedGraphReader(
  [total, newest, , postingTexts, identityTexts, holderTexts]: CheckLookupRow,
  keys: number[],
  { profiles }: Pick<GraphCiphersAndFingerprints, 'profiles'>,
): PrefetchedGraphReader {
  const postings = parsePostings(postingTexts, keys);
  /** Identities that were read, by number; null for a number without an identity. */
  const identities = new Map<number, FetchedIdentity | null>(splitTexts(identityTexts).map(parseIdentity));
  /**
   * Identities that have a look-up key of more than `MAX_LISTED_IDENTITIES_PER_LOOKUP_KEY` identities, by key and identity number; true if the key is
   * that of the identity's primary value.
   */
  const holders = new Map<number, Map<number, boolean>>();
  const withHolders = new Set(identities.keys());
  let missing = { identities: new Set<number>(), keys: new Set<number>() };
  const addHolders = (text: string | null, places: number[]) => {
    for (const [place = 0, holder = 0] of splitTexts(text).map(toNumbers)) {
      const key = places[place - 1] ?? 0;
      const ofKey = holders.get(key) ?? new Map<number, boolean>();
      holders.set(
        key,
        ofKey.set(decodeIdentityWithoutPrimaryFlag(holder), hasPrimaryFlagInEncodedIdentity(holder)),
      );
    }
  };
  const getIdentity = (id: number, needsContent: boolean): FetchedIdentity | null => {
    const identity = identities.get(id);
    if (identity === undefined || (needsContent && identity?.content === null)) missing.identities.add(id);
    return identity ?? null;
  };
  const isHolderPrimary = (key: number, id: number): boolean | undefined => {
    if (!withHolders.has(id)) {
      missing.identities.add(id);
      missing.keys.add(key);
    }
    return holders.get(key)?.get(id);
  };
  const findHolders = (key: number, ids: number[]): Map<number, boolean> =>
    new Map(
      ids.flatMap((id) => {
        const primary = isHolderPrimary(key, id);
        return primary === undefined ? [] : [[id, primary] as const];
      }),
    );
  addHolders(holderTexts, keys);
  return {
    getPostings: () => ({ postings, total, newest }),
    findHolders: (wanted, ids) => new Map(wanted.map((key) => [key, findHolders(key, ids)])),
    getIdentity(id) {
      const identity = getIdentity(id, true);
      if (!identity?.content) return null;
      const { records, sources, profile } = identity.content;
      return {
        id,
        names: profiles.decrypt(profile).readNames(),
        ...toIdentityDates(identity),
        records,
        sources,
      };
    },
    getSeenDates: (id) => getIdentity(id, false) ?? NO_IDENTITY,
    getBirthDateHashes(id) {
      const content = getIdentity(id, true)?.content;
      return content ? profiles.decrypt(content.profile).readBirthDateHashes() : [];
    },
    getSignatures: (ids) =>
      new Map(
        ids.map((id) => {
          const content = getIdentity(id, true)?.content;
          return [id, content ? profiles.decrypt(content.profile).readSignatures() : []];
        }),
      ),
    add([, , , , moreIdentities, moreHolders], fetched) {
      for (const id of fetched.identities) {
        identities.set(id, null);
        if (fetched.keys.length > 0) withHolders.add(id);
      }
      for (const text of splitTexts(moreIdentities)) identities.set(...parseIdentity(text));
      addHolders(moreHolders, fetched.keys);
    },
    takeMissing() {
      const missingData = { identities: [...missing.identities], keys: [...missing.keys] };
      missing = { identities: new Set(), keys: new Set() };
      return missingData;
    },
  };
}

const NO_IDENTITY: FetchedIdentity = {
  firstSeen: null,
  lastSeen: null,
  contactAges: '',
  content: null,
};

const splitTexts = (text: string | null): string[] => (text ? text.split(';') : []);
const toNumbers = (text: string): number[] => text.split(' ').map(Number);

function parsePostings(text: string | null, keys: number[]): IdentitiesOfLookupKey[] {
  const postings = keys.map((key): IdentitiesOfLookupKey => ({ key, share: 0, holders: [] }));
  for (const [place = 0, share = 0, ...holders] of splitTexts(text).map(toNumbers))
    postings[place - 1] = { key: keys[place - 1] ?? 0, share, holders };
  return postings;
}

function parseIdentity(text: string): [number, FetchedIdentity] {
  const [id, first, last, ages = '', records, sources, profile] = text.split(' ');
  const content = profile
    ? { records: Number(records), sources: Number(sources), profile: Buffer.from(profile, 'hex') }
    : null;
  const contactAges = ages === '' ? '' : Buffer.from(ages, 'hex').toString('latin1');
  return [Number(id), { firstSeen: parseTime(first), lastSeen: parseTime(last), contactAges, content }];
}

const parseTime = (text: string | undefined): number | null =>
  text === undefined || text === '-' ? null : Number(text);
