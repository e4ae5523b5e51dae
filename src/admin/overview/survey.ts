// Surveys the whole graph: counts only, without a name, value or id of a person.
import type { GraphStats, RecordStoringGraph } from '../../graph/graph.ts';
import type { RecordErrorRates } from '../../link/compare/evidence.ts';
import type { RecordRow } from '../../link/stored-record.ts';
import type { ContactKind } from '../../model.ts';

export const CONTACT_KINDS = ['email', 'phone', 'address'] as const;

/** Counts of a whole graph, by which an operator judges the quality of its data. */
export interface GraphSurvey {
  stats: GraphStats;
  /** Number of identities, by their number of records. */
  sizes: Map<number, number>;
  /** Number of records by the year in which they were last seen; null is the year of records without a date. */
  years: Map<number | null, number>;
  sources: { source: string; records: number; identities: number }[];
  /** Number of identities whose records come from exactly these sources (indexes into `sources`), most frequent combination first. */
  combinations: { sources: number[]; identities: number }[];
  /** Number of identities that have at least one name, birth date, or contact of each kind. */
  having: Record<ContactKind | 'name' | 'birth_date', number>;
  /** Number of contact values by the number of identities that share the value, for each kind of contact. */
  shares: Record<ContactKind, Map<number, number>>;
  errorRates: RecordErrorRates;
}

interface Person {
  records: number;
  /** Indexes of the sources, without duplicates. */
  sources: readonly number[];
  /** One bit for each of `FIELDS` that a record has. */
  fields: number;
}

const FIELDS = ['name', 'birth_date', ...CONTACT_KINDS] as const;

/**
 * Counts records, identities and shared contact values of a graph. Reads every record once, and needs some hundred bytes of memory per identity.
 * Errors: those of the graph.
 *
 * @param onRecord called with each record, so that other counts need not read and decrypt the records again
 */
export async function surveyGraph(
  graph: RecordStoringGraph,
  onRecord?: (record: RecordRow) => void,
): Promise<GraphSurvey> {
  const people = new Map<number, Person>();
  const years = new Map<number | null, number>();
  const records = new Map<string, number>();
  const values = { email: valueList(), phone: valueList(), address: valueList() };
  for await (const page of graph.records.pages())
    for (const row of page) {
      onRecord?.(row);
      const seen = row.lastSeen ?? row.firstSeen;
      count(years, seen === null ? null : new Date(seen).getUTCFullYear());
      count(records, row.source);
      if (row.identity === null) continue;
      addTo(people, row, [...records.keys()].indexOf(row.source));
      for (const {
        kind,
        keys: [exact],
      } of row.contacts)
        if (exact) values[kind].add(exact[1], row.identity);
    }
  const names = [...records.keys()];
  const order = names
    .map((_, i) => i)
    .sort((a, b) => (records.get(names[b] ?? '') ?? 0) - (records.get(names[a] ?? '') ?? 0));
  const ranks = new Map(order.map((index, rank) => [index, rank]));
  return {
    stats: await graph.stats(),
    sizes: tally(people.values(), (person) => person.records),
    years,
    sources: order.map((index) => ({
      source: names[index] ?? '',
      records: records.get(names[index] ?? '') ?? 0,
      identities: [...people.values()].filter(({ sources }) => sources.includes(index)).length,
    })),
    combinations: countCombinations(people.values(), ranks),
    having: Object.fromEntries(
      FIELDS.map((field) => [
        field,
        [...people.values()].filter(({ fields }) => (fields & bitOf(field)) !== 0).length,
      ]),
    ) as GraphSurvey['having'],
    shares: { email: values.email.shares(), phone: values.phone.shares(), address: values.address.shares() },
    errorRates: await graph.linking.errorRates(),
  };
}

function addTo(people: Map<number, Person>, row: RecordRow, source: number): void {
  const id = row.identity ?? 0;
  let person = people.get(id);
  if (!person) people.set(id, (person = { records: 0, sources: [source], fields: 0 }));
  person.records++;
  // A Set would need four times as much memory.
  if (!person.sources.includes(source)) person.sources = [...person.sources, source];
  if (row.names.length > 0) person.fields |= bitOf('name');
  if (row.birthDate !== null) person.fields |= bitOf('birth_date');
  for (const { kind } of row.contacts) person.fields |= bitOf(kind);
}

const bitOf = (field: (typeof FIELDS)[number]) => 1 << FIELDS.indexOf(field);

function countCombinations(
  people: Iterable<Person>,
  ranks: Map<number, number>,
): GraphSurvey['combinations'] {
  const counts = tally(people, ({ sources }) =>
    sources
      .map((index) => ranks.get(index) ?? 0)
      .sort((a, b) => a - b)
      .join(' '),
  );
  return Array.from(counts, ([text, identities]) => ({
    sources: text.split(' ').map(Number),
    identities,
  })).sort((a, b) => b.identities - a.identities || a.sources.length - b.sources.length);
}

function valueList() {
  const keys: number[] = [];
  const holders: number[] = [];
  return {
    add(key: number, identity: number) {
      keys.push(key);
      holders.push(identity);
    },
    shares: () => countLookupKeysByIdentityCount(keys, holders),
  };
}

function tally<T, K>(items: Iterable<T>, toKey: (item: T) => K): Map<K, number> {
  const counts = new Map<K, number>();
  for (const item of items) count(counts, toKey(item));
  return counts;
}

function count<K>(counts: Map<K, number>, key: K): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}

/** Counts look-up keys by the number of identities that have the key. The identity `holders[i]` has the key `keys[i]`; pairs may repeat. */
export function countLookupKeysByIdentityCount(
  keys: readonly number[],
  holders: readonly number[],
): Map<number, number> {
  const order = Uint32Array.from(keys, (_, i) => i);
  order.sort((a, b) => (keys[a] ?? 0) - (keys[b] ?? 0) || (holders[a] ?? 0) - (holders[b] ?? 0));
  const shares = new Map<number, number>();
  let [key, holder, share]: [number | undefined, number | undefined, number] = [undefined, undefined, 0];
  const end = () => {
    if (share > 0) shares.set(share, (shares.get(share) ?? 0) + 1);
  };
  for (const index of order) {
    if (keys[index] !== key) {
      end();
      [key, holder, share] = [keys[index], holders[index], 1];
    } else if (holders[index] !== holder) {
      holder = holders[index];
      share++;
    }
  }
  end();
  return shares;
}
