// Compares all pairs that blocking gives, in ranges that any thread may do.
import type { GraphRecords } from '../../graph/records.ts';
import type { MeasuredPair } from '../../graph/linking.ts';
import { reorderNumbers, sortedOrder } from '../../graph/external-sort.ts';
import type { Support } from '../../link/cluster.ts';
import { drawingFor } from '../../link/counted/measure.ts';
import type { Survey } from '../../link/counted/survey.ts';
import { pairOf, rowsOf } from '../../link/pairs.ts';
import type { Rows } from '../../link/rows.ts';
import { inTurn } from '../../platform/threads/in-turn.ts';
import { yieldBetween, openRecordReader } from './compare.ts';
import type { LinkingThreads, ComparisonState } from './worker.ts';
import { type PairList, toPairLists, createNumberList } from './pair-list.ts';
import { type SealedPage, packSealedPage } from '../../graph/encryption/sealed-records.ts';

/** Pairs of rows as numbers, as they come; see `pairOf`. */
type PairPages = Iterable<ArrayLike<number>> | AsyncIterable<ArrayLike<number>>;

/** Pairs that are compared at a time. */
const TOGETHER = 2048;

export interface CompareContext {
  records: GraphRecords;
  helping: LinkingThreads;
  begun: ComparisonState;
}

/** Measures how pairs of records compare, in a part of the pairs that does not depend on the order of import. */
export async function measurePairs(
  pages: PairPages,
  { records, helping, begun }: CompareContext,
  { survey, rows }: { survey: Survey; rows: Pick<Rows, 'dated' | 'orders'> },
): Promise<MeasuredPair[]> {
  if (survey.dated === 0) return [];
  const { isDrawn } = drawingFor(survey);
  const drawn = createNumberList();
  for await (const page of yieldBetween(pages))
    for (let i = 0; i < page.length; i++) {
      const [a, b] = rowsOf(page[i] ?? 0);
      const isDated = (rows.dated[a] ?? 0) !== 0 && (rows.dated[b] ?? 0) !== 0;
      if (isDated && isDrawn(rows.orders[a] ?? 0, rows.orders[b] ?? 0)) drawn.add(pairOf(a, b));
    }
  await begin(helping, begun);
  const { helpers } = helping;
  const measured: MeasuredPair[] = [];
  const measure = async (pairs: Float64Array) => {
    const more = await lacking(records, pairs, begun);
    return { pairs, patterns: await helpers.ask('measure', { pairs: pairs.slice(), more }) };
  };
  for await (const { pairs, patterns } of yieldBetween(
    inTurn(piecesOf(drawn.all()), measure, () => helpers.count * 2),
  ))
    for (const [i, pattern] of patterns.entries())
      if (pattern > 0) measured.push([...rowsOf(pairs[i] ?? 0), pattern]);
  return measured;
}

export interface ComparedAll {
  joined: PairList;
  support: Support;
}

/** Compares all pairs. @param persons see `personKey`, by row: pairs of one person are compared one after the other */
export async function compareAllPairs(
  pages: PairPages,
  { records, helping, begun }: CompareContext,
  { persons, onProgress }: { persons: Float64Array; onProgress?: (done: number) => void },
): Promise<ComparedAll> {
  const { own, helpers } = helping;
  await begin(helping, begun);
  const all = inOrder(await unsettledOf(pages, helpers), persons);
  const [supports, bits] = [new Float64Array(all.length), new Float64Array(all.length)];
  const compare = async (pairs: Float64Array) => {
    const more = await lacking(records, pairs, begun);
    return helpers.ask('compare', { pairs: pairs.slice(), more });
  };
  let done = 0;
  for await (const found of yieldBetween(inTurn(piecesOf(all), compare, () => helpers.count * 2))) {
    supports.set(found.supports, done);
    bits.set(found.bits, done);
    done += found.bits.length;
    onProgress?.(done / all.length);
  }
  const compared = toPairLists(all, { supports, bits });
  // What clustering asks about is mostly what was compared anyway.
  const read = openRecordReader(records);
  const ask = async (pair: number) => {
    const pairs = Float64Array.of(pair);
    if (own.unsettled(pairs).length === 0) return -Infinity;
    return own.support({ pair, sent: await read(lackingRows(pairs, begun)) });
  };
  return {
    joined: compared.bits,
    support(a, b) {
      const pair = pairOf(a, b);
      return compared.supports.find(pair) ?? ask(pair);
    },
  };
}

/** Pairs that have to be compared. */
async function unsettledOf(pages: PairPages, helpers: LinkingThreads['helpers']): Promise<Float64Array> {
  const unsettled = createNumberList();
  const unsettle = (page: ArrayLike<number>) => helpers.ask('unsettled', Float64Array.from(page));
  for await (const some of yieldBetween(inTurn(pages, unsettle, () => helpers.count * 2)))
    unsettled.addAll(some);
  return unsettled.all();
}

async function begin({ own, helpers }: LinkingThreads, begun: ComparisonState): Promise<void> {
  own.begin(begun);
  if (helpers.count > 0) await helpers.tell('begin', begun);
}

/** The records of these pairs that are not at hand. */
async function lacking(
  { sealed }: GraphRecords,
  pairs: Float64Array,
  begun: ComparisonState,
): Promise<SealedPage | null> {
  const rows = lackingRows(pairs, begun);
  return rows.length === 0 || !sealed ? null : packSealedPage(await sealed.readRows(rows));
}

function lackingRows(pairs: Float64Array, { atHand: { places } }: ComparisonState): number[] {
  const rows = new Set<number>();
  for (const pair of pairs) for (const row of rowsOf(pair)) if (places[row] === 0) rows.add(row);
  return [...rows];
}

/** Those of one person together. */
function inOrder(pairs: Float64Array, persons: Float64Array): Float64Array {
  const keys = pairs.map((pair) => persons[rowsOf(pair)[0]] ?? 0);
  return reorderNumbers(pairs, sortedOrder(keys));
}

function* piecesOf(pairs: Float64Array): Iterable<Float64Array> {
  for (let at = 0; at < pairs.length; at += TOGETHER) yield pairs.subarray(at, at + TOGETHER);
}
