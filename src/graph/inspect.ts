// What an operator asks of a graph that keeps records, whatever the engine.
import { invalidArgument, notFoundError } from '../errors.ts';
import type { RecordRow } from '../link/stored.ts';
import { explainer, type Why } from '../link/why.ts';
import type { Identity } from '../model.ts';
import type { RecordGraph } from './graph.ts';

/** One identity for an operator's eyes; never a contact value, which the graph does not have. */
export interface IdentityCard {
  identity: number;
  /** The number that was asked for, where another stands for it now. */
  mergedFrom: number | null;
  names: string[];
  /** Milliseconds since 1970. */
  firstSeen: number | null;
  lastSeen: number | null;
  records: { recordId: string; source: string }[];
}

/**
 * The evidence for and against two records being one person, each named by its id or by `SOURCE:ID`. Reads every record once.
 * Errors: `not_found`, `invalid_arguments` (not unique).
 */
export async function explainPair({ records, linking }: RecordGraph, a: string, b: string): Promise<Why> {
  const pair = {
    a: await findRecord(records, a),
    b: await findRecord(records, b),
    errorRates: await linking.errorRates(),
  };
  const explaining = explainer(pair, records.fingerprints.of);
  for await (const page of records.pages()) for (const record of page) explaining.see(record);
  return explaining.why();
}

/** One identity with its records; a merged one's number leads on. Errors: `not_found`. */
export async function getIdentityCard(
  { records, linking }: RecordGraph,
  asked: number,
): Promise<IdentityCard> {
  const found = await linking.getIdentity(asked);
  if (!found) throw notFoundError(`There is no identity ${asked} in the graph.`, 'identity');
  return cardOf(asked, found, await records.listByIdentity(found.id));
}

/** Every record id and its identity, in the order of import. */
export async function* listRecordIdentities({
  records,
}: RecordGraph): AsyncIterable<{ record_id: string; source: string; identity: number | null }> {
  for await (const page of records.pages())
    for (const { recordId, source, identity } of page) yield { record_id: recordId, source, identity };
}

function cardOf(
  asked: number,
  { id, names, firstSeen, lastSeen }: Identity,
  records: RecordRow[],
): IdentityCard {
  return {
    identity: id,
    mergedFrom: id === asked ? null : asked,
    names,
    firstSeen,
    lastSeen,
    records: records.map(({ recordId, source }) => ({ recordId, source })),
  };
}

/** The record of this id, or of `SOURCE:ID`. Errors: `not_found`, `invalid_arguments` (not unique). */
export async function findRecord(records: RecordGraph['records'], text: string): Promise<RecordRow> {
  const rows = await records.findByRecordId(text);
  for (let colon = text.indexOf(':'); colon > 0; colon = text.indexOf(':', colon + 1)) {
    const ofSource = await records.findByRecordId(text.slice(colon + 1));
    rows.push(...ofSource.filter((row) => row.source === text.slice(0, colon)));
  }
  const [only, another] = rows;
  if (!only) throw notFoundError(`There is no record ${text} in the graph.`, 'record');
  if (!another) return only;
  const sources = rows.map((row) => row.source).join(', ');
  throw invalidArgument(
    `Several sources have a record ${text} (${sources}): say SOURCE:${text}.`,
    '',
    'Several sources have a record of an id that was named: say `SOURCE:ID`.',
  );
}

/** What a graph holds of one source. Times are milliseconds since 1970, null where no record of it carries a date. */
export interface SourceCount {
  source: string;
  records: number;
  firstSeen: number | null;
  lastSeen: number | null;
  /** When records of it were imported last; null where that is not known. */
  imported: number | null;
}

/** The sources of a graph's records, the largest first. Reads every record once. */
export async function countSources({ records }: RecordGraph): Promise<SourceCount[]> {
  const counts = new Map<string, SourceCount>();
  for await (const page of records.pages())
    for (const { source, firstSeen, lastSeen } of page) {
      const one = counts.get(source) ?? {
        source,
        records: 0,
        firstSeen: null,
        lastSeen: null,
        imported: null,
      };
      one.records += 1;
      one.firstSeen = either(one.firstSeen, firstSeen, Math.min);
      one.lastSeen = either(one.lastSeen, lastSeen, Math.max);
      counts.set(source, one);
    }
  for (const one of counts.values()) one.imported = (await records.lastImportTime?.(one.source)) ?? null;
  return [...counts.values()].sort((a, b) => b.records - a.records || (a.source < b.source ? -1 : 1));
}

const either = (a: number | null, b: number | null, of: (a: number, b: number) => number): number | null =>
  a === null || b === null ? (a ?? b) : of(a, b);
