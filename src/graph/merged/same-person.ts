// Finds identities of different graphs that are one person. Compares identities as linking compares records.
import { type LinkStatistics, UNMEASURED_ERROR_RATES } from '../../link/compare/evidence.ts';
import { comparePair, meetsLinkThreshold } from '../../link/compare/pair.ts';
import { toLinkableRecord, type LinkableRecord } from '../../link/link-record.ts';
import type { StoredContact } from '../../link/stored-record.ts';
import type { ContactMatch, ContactKind, LookupKeyType } from '../../model.ts';
import { type GraphAnswer, LOOKUP_KEY_TYPES_BY_CONTACT_KIND } from '../graph.ts';

const KIND_OF_TYPE = new Map(
  Object.entries(LOOKUP_KEY_TYPES_BY_CONTACT_KIND).flatMap(([kind, types]) =>
    types.map((type): [LookupKeyType, ContactKind] => [type, kind as ContactKind]),
  ),
);
const TYPES = [...KIND_OF_TYPE.keys()];

/** Maximum number of identities of one graph that are compared because they share a value. A value of more people is weak evidence. */
const MAX_COMPARED = 24;

/**
 * Finds people who are in several graphs. Returns a map from each identity number of such a person to the person's number in the first of these
 * graphs. Never joins identities of one graph.
 * @param answers answers of the graphs with merged identity numbers
 * @param nameKeys look-up keys of the submitted name
 */
export function mapSamePeopleAcrossGraphs(
  answers: readonly GraphAnswer[],
  nameKeys: readonly string[],
): Map<number, number> {
  const compare = createComparison(answers, nameKeys);
  const joinable = pairsWithCommonValue(answers).flatMap((pair) => {
    const verdict = compare(pair);
    return meetsLinkThreshold(verdict) ? [{ pair, bits: verdict.bits }] : [];
  });
  joinable.sort((x, y) => y.bits - x.bits || x.pair[0] - y.pair[0] || x.pair[1] - y.pair[1]);
  const graphOf = (id: number) => answers.findIndex(({ identities }) => identities.has(id));
  const clusters = new Map<number, number[]>();
  for (const { pair } of joinable) {
    const [a, b] = pair.map((id) => clusters.get(id) ?? [id]) as [number[], number[]];
    if (a === b) continue;
    const cluster = [...a, ...b];
    if (new Set(cluster.map(graphOf)).size < cluster.length) continue;
    for (const id of cluster) clusters.set(id, cluster);
  }
  const first = (ids: number[]) => ids.toSorted((a, b) => graphOf(a) - graphOf(b))[0] ?? 0;
  return new Map([...clusters].map(([id, ids]) => [id, first(ids)]));
}

function pairsWithCommonValue(answers: readonly GraphAnswer[]): [number, number][] {
  const pairs = new Map<string, [number, number]>();
  const holders = answers.map(({ values, identities }) =>
    values.map((hits) =>
      hits
        .filter(({ type, identity }) => type !== 'typo' && identities.has(identity))
        .slice(0, MAX_COMPARED)
        .map(({ identity }) => identity),
    ),
  );
  for (const [i, ours] of holders.entries())
    for (const theirs of holders.slice(i + 1))
      for (const [v, ids] of ours.entries())
        for (const a of ids) for (const b of theirs[v] ?? []) pairs.set(`${a} ${b}`, [a, b]);
  return [...pairs.values()];
}

function createComparison(answers: readonly GraphAnswer[], nameKeys: readonly string[]) {
  const numbers = new Map<string, number>();
  // Linking compares fingerprints. Here, a sequential number for each distinct text replaces the fingerprint.
  const numberOf = (type: string, text: string) => {
    const key = `${type} ${text}`;
    numbers.set(key, numbers.get(key) ?? numbers.size + 1);
    return numbers.get(key) ?? 0;
  };
  const records = new Map<number, LinkableRecord>();
  const recordOf = (id: number): LinkableRecord => {
    const record = records.get(id) ?? toComparableRecord(id, answers, numberOf);
    records.set(id, record);
    return record;
  };
  const context = createContext(answers, new Set(nameKeys.map((text) => numberOf('name', text))));
  return ([a, b]: [number, number]) => comparePair(recordOf(a), recordOf(b), context);
}

/** Converts an identity to a record for comparison, with its names and those submitted values that it has. */
function toComparableRecord(
  id: number,
  answers: readonly GraphAnswer[],
  fingerprint: (type: string, text: string) => number,
): LinkableRecord {
  const answer = answers.find(({ identities }) => identities.has(id));
  const { names = [], firstSeen = null, lastSeen = null } = answer?.identities.get(id) ?? {};
  const contacts = (answer?.values ?? []).flatMap((hits, v) => {
    const hit = hits.find(({ identity }) => identity === id);
    return hit ? toStoredContact(hit, v) : [];
  });
  const place = { row: id, key: '', identity: id, source: '', recordId: String(id) };
  const unknown = { birthDate: null, label: null };
  return toLinkableRecord({ ...place, ...unknown, names, firstSeen, lastSeen, contacts }, fingerprint);
}

function toStoredContact({ type }: ContactMatch, value: number): StoredContact[] {
  if (type === 'typo' || type === 'name') return [];
  const kind = KIND_OF_TYPE.get(type) ?? 'email';
  const types = LOOKUP_KEY_TYPES_BY_CONTACT_KIND[kind].slice(
    LOOKUP_KEY_TYPES_BY_CONTACT_KIND[kind].indexOf(type),
  );
  return [{ kind, keys: types.map((loose) => [loose, keyOf(value, loose)]), signature: null, places: [] }];
}

/** Returns a number that stands for a submitted value (by its index) and a type of look-up key. */
const keyOf = (value: number, type: LookupKeyType) => value * TYPES.length + TYPES.indexOf(type);

/**
 * Creates the statistics for comparing records: how many people have each name and value, according to the answers.
 * @param names look-up keys of the submitted name, as numbers
 */
function createContext(answers: readonly GraphAnswer[], names: ReadonlySet<number>): LinkStatistics {
  const shares = new Map<number, number>();
  for (const { values } of answers)
    for (const [v, hits] of values.entries())
      for (const { type, share } of hits)
        if (type !== 'typo') {
          const key = keyOf(v, type);
          shares.set(key, Math.max(share, shares.get(key) ?? 1));
        }
  const nameHolders = Math.max(1, ...answers.map(({ name }) => name.bearers));
  return {
    records: Math.max(1, ...answers.map(({ total }) => total)),
    sharers: (key) => shares.get(key) ?? 1,
    nameCount: (key) => (names.has(key) ? nameHolders : 1),
    wordCount: () => 1,
    dateCount: () => 1,
    placeCount: () => 1,
    nameAndBirthCount: () => 1,
    perPerson: 1,
    errorRates: UNMEASURED_ERROR_RATES,
  };
}
