// Read-only queries by operators, for any engine that stores records.
import { invalidArgumentError, notFoundError, withErrorPointer } from '../errors.ts';
import type { RecordRow } from '../link/stored-record.ts';
import { createPairExplainer, type PairExplanation } from '../link/explain-pair.ts';
import type { Identity } from '../model.ts';
import type { RecordStoringGraph } from './graph.ts';

/** Data of an identity for operators. It contains no contacts, because the graph stores only their fingerprints. */
export interface IdentityDetails {
  identity: number;
  /** Number by which the identity was requested, if that identity was merged into this one; otherwise null. */
  mergedFrom: number | null;
  names: string[];
  /** Earliest date on which a record of the identity was seen, in milliseconds since 1970; null if no record has a date. */
  firstSeen: number | null;
  lastSeen: number | null;
  records: { recordId: string; source: string }[];
}

/**
 * Returns the evidence for and against two records being one person. Reads every record of the graph. Errors: `not_found`, `invalid_arguments` (see
 * `requireRecordByReference`).
 */
export async function explainRecordPair(
  graph: RecordStoringGraph,
  a: string,
  b: string,
): Promise<PairExplanation> {
  const rows = [
    await withErrorPointer('/a', () => requireRecordByReference(graph.records, a)),
    await withErrorPointer('/b', () => requireRecordByReference(graph.records, b)),
  ];
  return (await readEvidence(graph, rows)).why(0, 1);
}

/** Evidence for and against two records of an identity being one person. `a` and `b` are their indexes in the list of the identity's records. */
export interface RecordPairExplanation extends PairExplanation {
  a: number;
  b: number;
}

/** Returns this evidence for every pair of the first `mostRecords` records of an identity. Reads every record of the graph. Errors: `not_found`. */
export async function explainIdentityLinks(
  graph: RecordStoringGraph,
  number: number,
  mostRecords: number,
): Promise<RecordPairExplanation[]> {
  const { id } = await requireIdentity(graph, number);
  const rows = (await graph.records.listByIdentity(id)).slice(0, mostRecords);
  const evidence = await readEvidence(graph, rows);
  const indexes = [...rows.keys()];
  return indexes.flatMap((a) => indexes.slice(a + 1).map((b) => ({ a, b, ...evidence.why(a, b) })));
}

async function readEvidence({ records, linking }: RecordStoringGraph, rows: RecordRow[]) {
  const evidence = createPairExplainer(rows, await linking.errorRates(), records.fingerprints.of);
  for await (const page of records.pages()) for (const record of page) evidence.see(record);
  return evidence;
}

/** Returns an identity with its records; for the number of a merged identity, the identity into which it was merged. Errors: `not_found`. */
export async function getIdentityDetails(
  graph: RecordStoringGraph,
  number: number,
): Promise<IdentityDetails> {
  const { id, names, firstSeen, lastSeen } = await requireIdentity(graph, number);
  const rows = await graph.records.listByIdentity(id);
  return {
    identity: id,
    mergedFrom: id === number ? null : number,
    names,
    firstSeen,
    lastSeen,
    records: rows.map(({ recordId, source }) => ({ recordId, source })),
  };
}

/** Returns the identity with a number, or the identity into which it was merged. Errors: `not_found`. */
export async function requireIdentity({ linking }: RecordStoringGraph, number: number): Promise<Identity> {
  const identity = await linking.getIdentity(number);
  if (!identity)
    throw notFoundError(`There is no identity ${number} in the graph. Check the number.`, 'identity');
  return identity;
}

/** Returns the identity of each number. An error points to the wrong number in the list `identities` of a request. Errors: `not_found`. */
export async function requireIdentities(
  graph: RecordStoringGraph,
  numbers: readonly number[],
): Promise<Identity[]> {
  const identities: Identity[] = [];
  for (const [i, number] of numbers.entries())
    identities.push(await withErrorPointer(`/identities/${i}`, () => requireIdentity(graph, number)));
  return identities;
}

/** Yields all records with their identity numbers, in the order of import. */
export async function* listRecordIdentities({
  records,
}: RecordStoringGraph): AsyncIterable<{ record_id: string; source: string; identity: number | null }> {
  for await (const page of records.pages())
    for (const { recordId, source, identity } of page) yield { record_id: recordId, source, identity };
}

/** Returns the record that a reference names: `ID` or `SOURCE:ID`. Errors: `not_found`, `invalid_arguments` if several records match. */
async function requireRecordByReference(
  records: RecordStoringGraph['records'],
  text: string,
): Promise<RecordRow> {
  const rows = await records.findByRecordId(text);
  for (let colon = text.indexOf(':'); colon > 0; colon = text.indexOf(':', colon + 1)) {
    const sameId = await records.findByRecordId(text.slice(colon + 1));
    rows.push(...sameId.filter((row) => row.source === text.slice(0, colon)));
  }
  const [record, another] = rows;
  if (!record)
    throw notFoundError(`There is no record ${text} in the graph. Check the source and the id.`, 'record');
  if (!another) return record;
  const sources = rows.map((row) => row.source).join(', ');
  throw invalidArgumentError(
    `Several sources have a record ${text} (${sources}). Name the source: SOURCE:${text}`,
    '',
    'Several sources have a record with this id. Name the source: `SOURCE:ID`.',
  );
}

/** Returns the record of each reference. An error points to the wrong reference in the list `records` of a request. */
export async function requireRecordsByReference(
  records: RecordStoringGraph['records'],
  references: readonly string[],
): Promise<RecordRow[]> {
  const rows: RecordRow[] = [];
  for (const [i, reference] of references.entries())
    rows.push(await withErrorPointer(`/records/${i}`, () => requireRecordByReference(records, reference)));
  return rows;
}

/** Number of records of one source, and the first and last date on which any of them was seen (milliseconds since 1970; null if none has a date). */
export interface SourceRecordCount {
  source: string;
  records: number;
  firstSeen: number | null;
  lastSeen: number | null;
  /** Time of the source's last import, in milliseconds since 1970; null if unknown. */
  imported: number | null;
}

/** Returns the number of records of each source, the largest source first. Reads every record of the graph. */
export async function countRecordsBySource({ records }: RecordStoringGraph): Promise<SourceRecordCount[]> {
  const counts = new Map<string, SourceRecordCount>();
  for await (const page of records.pages())
    for (const { source, firstSeen, lastSeen } of page) {
      const count = counts.get(source) ?? { source, records: 0, firstSeen, lastSeen, imported: null };
      count.records += 1;
      count.firstSeen = chooseDate(Math.min, count.firstSeen, firstSeen);
      count.lastSeen = chooseDate(Math.max, count.lastSeen, lastSeen);
      counts.set(source, count);
    }
  for (const count of counts.values())
    count.imported = (await records.lastImportTime?.(count.source)) ?? null;
  return [...counts.values()].sort((a, b) => b.records - a.records || (a.source < b.source ? -1 : 1));
}

const chooseDate = (choose: typeof Math.min, a: number | null, b: number | null): number | null =>
  a === null || b === null ? (a ?? b) : choose(a, b);
