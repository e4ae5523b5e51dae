// The pieces of work that reading and linking very many records are made of, for whoever does them: this thread or others.
import { type Fingerprints, createFingerprints } from '../../graph/encryption/fingerprints.ts';
import {
  type RecordSealing,
  createRecordSealing,
  openSealedPage,
  type SealedPage,
} from '../../graph/encryption/sealed-records.ts';
import { createSealing } from '../../graph/encryption/sealing.ts';
import type { LinkContext } from '../../link/compare/evidence.ts';
import { type OutlinesView, settling } from '../../link/compare/outlines.ts';
import { comparePair, isJoining, supportOf } from '../../link/compare/pair.ts';
import { type Counted, COUNTED } from '../../link/counted/facts.ts';
import { levelContext } from '../../link/counted/levels.ts';
import { measurePair } from '../../link/counted/measure.ts';
import { surveyFrom, type Totals } from '../../link/counted/survey.ts';
import { tallyIn, type TallyView } from '../../link/counted/tally.ts';
import type { ErrorRates } from '../../link/error-rates.ts';
import { remembering } from '../../link/keys.ts';
import { type AtHandView, readingAtHand } from '../../link/packed/at-hand.ts';
import { rowsOf } from '../../link/pairs.ts';
import { linkRecord, type LinkRecord, readyRecord } from '../../link/record.ts';
import { loadNameTables, loadedNameTables } from '../../names/index.ts';
import { prepareRecords } from './prepare.ts';
import { type ReadRequest, readSealedBatch, type SealedBatch } from '../batch.ts';
import type { GraphRecords } from '../../graph/records.ts';
import { codeFile } from '../../platform/assets.ts';
import type { Helpers, Pool } from '../../platform/threads/helpers.ts';

export interface LinkingKeys {
  fingerprints: Fingerprints;
  sealing: RecordSealing;
}

/** What holds for all pairs. */
export interface ComparisonState {
  atHand: AtHandView;
  outlines: OutlinesView;
  totals: Totals;
  counts: [Counted, TallyView][];
  errorRates: ErrorRates;
}

export interface PairBatch {
  /** See `pairOf`. */
  pairs: Float64Array;
  /** Records of theirs that are not at hand. */
  more: SealedPage | null;
}

/** What a thread is given. */
export interface LinkingWorkerData {
  secret: string;
  nameTables: readonly string[];
}

/** In a thread; see `Pool`. */
export function works({ secret, nameTables }: LinkingWorkerData): LinkingWorker {
  for (const file of nameTables.slice(loadedNameTables().length)) loadNameTables(file);
  const fingerprints = createFingerprints(secret);
  return createLinkingWorker({
    fingerprints,
    sealing: createRecordSealing(fingerprints, createSealing(secret)),
  });
}

/** Made ready records kept while pairs are compared. */
const CACHE = 1000;

export type LinkingWorker = ReturnType<typeof createLinkingWorker>;

export function createLinkingWorker({ fingerprints, sealing }: LinkingKeys) {
  const { open } = sealing;
  const of = remembering(fingerprints.of);
  let context: LinkContext | undefined;
  let isSettled: (a: number, b: number) => boolean = () => false;
  let atHand: ReturnType<typeof readingAtHand> = () => null;
  const ready = new Map<number, LinkRecord>();
  const read = (row: number): LinkRecord => {
    let record = ready.get(row);
    if (record) return record;
    const known = atHand(row);
    if (!known) throw new Error('a record is not at hand');
    record = readyRecord(row, known);
    if (ready.size >= CACHE) ready.clear();
    ready.set(row, record);
    return record;
  };
  const recordsOf = (pair: number, sent: ReadonlyMap<number, LinkRecord>): [LinkRecord, LinkRecord] => {
    const [a, b] = rowsOf(pair);
    return [sent.get(a) ?? read(a), sent.get(b) ?? read(b)];
  };
  const compared = <T>(
    { pairs, more }: PairBatch,
    into: T[],
    compare: (a: LinkRecord, b: LinkRecord) => T,
  ) => {
    // Apart from what is kept made ready: that may be thrown away before a pair of theirs comes.
    const sent = new Map<number, LinkRecord>();
    if (more) for (const raw of openSealedPage(more, open)) sent.set(raw.row, linkRecord(raw, of));
    for (const pair of pairs) into.push(compare(...recordsOf(pair, sent)));
    return into;
  };
  const known = () => {
    if (!context) throw new Error('nothing is known of the records yet');
    return context;
  };
  return {
    /** Null where a line is of another program. */
    read: (request: ReadRequest): SealedBatch | null => readSealedBatch(request, fingerprints, sealing),
    prepare: (page: SealedPage) => prepareRecords(openSealedPage(page, open), of),
    begin({ atHand: view, outlines, totals, counts, errorRates }: ComparisonState): void {
      const tallies = new Map(counts.map(([what, tally]) => [what, tallyIn(tally)]));
      const count = (what: Counted, key: number) => tallies.get(what)?.(key) ?? 0;
      const sharers = (key: number) => Math.max(1, count(COUNTED.people, key));
      context = levelContext({ ...surveyFrom(totals, count, of), errorRates, sharers });
      isSettled = settling(outlines, { errorRates });
      atHand = readingAtHand(view);
      ready.clear();
    },
    /** Those that have to be compared. */
    unsettled: (pairs: Float64Array): Float64Array => pairs.filter((pair) => !isSettled(...rowsOf(pair))),
    /** What supports that a pair is one person. @param sent its records that are not at hand, by their rows */
    support: ({ pair, sent }: { pair: number; sent: ReadonlyMap<number, LinkRecord> }): number =>
      supportOf(comparePair(...recordsOf(pair, sent), known())),
    /** How each compares; see `measurePair`. */
    measure: (some: PairBatch): Float64Array =>
      Float64Array.from(compared(some, [], (a, b) => measurePair(a, b, known()))),
    /** Of each what supports that it is one person, and its match weight in bits where it is joined, else NaN. */
    compare(some: PairBatch): { supports: Float64Array; bits: Float64Array } {
      const verdicts = compared(some, [], (a, b) => comparePair(a, b, known()));
      return {
        supports: Float64Array.from(verdicts, supportOf),
        bits: Float64Array.from(verdicts, (verdict) => (isJoining(verdict) ? verdict.bits : NaN)),
      };
    },
  };
}

/** Whoever links very many records, and who helps. */
export interface LinkingThreads {
  own: LinkingWorker;
  helpers: Helpers<LinkingWorker>;
}

/** @param pool threads that may be there; of an engine that keeps nothing sealed they know nothing */
export function openLinkingThreads(
  { fingerprints, sealed }: Pick<GraphRecords, 'fingerprints' | 'sealed'>,
  pool: Pool,
): LinkingThreads {
  if (!sealed) {
    const own = createLinkingWorker({ fingerprints, sealing: NO_SEALING });
    return { own, helpers: pool.use('', null, own) };
  }
  const own = createLinkingWorker({
    fingerprints,
    sealing: createRecordSealing(fingerprints, createSealing(sealed.secret)),
  });
  const boot: LinkingWorkerData = { secret: sealed.secret, nameTables: loadedNameTables() };
  return { own, helpers: pool.use(codeFile('import/linking/worker'), boot, own) };
}

const noRecord = (): never => {
  throw new Error('nothing is kept sealed here');
};
const NO_SEALING = { open: noRecord, seal: noRecord, keyOf: noRecord };
