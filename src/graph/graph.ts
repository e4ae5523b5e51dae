import { BonafideError } from '../errors.ts';
import type { ErrorRates } from '../link/error-rates.ts';
import type { AtHandView } from '../link/packed/at-hand.ts';
import type { Group } from '../link/pairing.ts';
import type { RecordRow, StoredRecord } from '../link/stored.ts';
import type { Agreement, Identity, LookupKey, Said, Signature } from '../model.ts';
import type { Pool } from '../platform/threads/helpers.ts';
import type { Fingerprints } from './fingerprints.ts';
import type { GraphJudging } from './judging.ts';
import type { IndexBuilder, LinkIndex } from './link-index.ts';
import type { SealedRecord } from './sealed/record.ts';
import type { GraphMoving } from './move/moving.ts';
import type { GraphVerifying } from './verifying.ts';

type Awaitable<T> = T | Promise<T>;
/** What can be gone through with `for await`: a list in memory, or pages that an engine fetches. */
type Pages<T> = Iterable<T[]> | AsyncIterable<T[]>;

/** What a check asks a graph: the look-up keys of one name, and the keys of each contact value, in the order submitted. */
export interface GraphQuery {
  /** The name as submitted; empty where there is none. Its keys, and those of the values, say the same: an engine goes by either. */
  name: string;
  /** ISO country in which numbers and addresses that name none are read. */
  region: string;
  /** Keys of the name, the exact one first; see `nameKeys` in names */
  nameKeys: string[];
  /** Key of the given name alone; null where there is none to speak of. */
  givenKey: string | null;
  values: QueryValue[];
  /** How many servers passed the question on; none where it is not there. */
  hops?: number | undefined;
}

export interface QueryValue {
  /** Exact key first, looser ones after; none where the value cannot be looked up. */
  keys: LookupKey[];
  /** What a typo is looked for in; null where it is not looked for. */
  signature: Signature | null;
  said: Said | null;
}

export interface GraphAnswer {
  /** How many identities the graph holds. */
  total: number;
  /** When the newest of its records was last seen: milliseconds since 1970; null where none carries a date. */
  newest: number | null;
  /** One list per value, in the order asked; each identity at most once, strictest key first, then lower number. */
  values: Agreement[][];
  name: {
    /** Identities that have one of the name keys, lower number first; at most `NAME_LIMIT`. */
    identities: number[];
    /** How many identities have the exact name. */
    bearers: number;
    /** Identities among the hits that share the given name. */
    given: number[];
  };
  /** The identities behind the hits that may bear the name, and where there is none, the best corroborated ones. */
  identities: Map<number, Identity>;
  /** What another service answered, as it came, where that is not this; for `operation: raw`. */
  payload?: unknown;
  /** Graphs of several that failed and were left out; not there where none was. */
  missing?: readonly string[];
}

/** Of a value that more identities share than this, the first ones are read; `share` still tells how many there are. */
export const SHARE_LIMIT = 24;

/** Asked for the number of identities alone. */
export const NOTHING: GraphQuery = { name: '', region: 'US', nameKeys: [], givenKey: null, values: [] };

/**
 * A place that identities are resolved in. Every engine does what stands first; what it can beside that, it declares by having the part
 * (`records`, `linking`), and `keeping` refuses an engine that lacks them. What resolves and counts may be of one moment within one turn
 * of the event loop. Every engine passes the same contract test.
 */
export interface IdentityGraph {
  readonly engine: string;
  /** Errors: `graph_unavailable`, `graph_bad_response`, `graph_timeout`. See `resolve` in resolve/ for what engines share. */
  resolve(query: GraphQuery): Awaitable<GraphAnswer>;
  stats(): Awaitable<GraphStats>;
  /** What makes checks weaker than they could be, and what an operator can do about it: a sentence each. */
  warnings(): Awaitable<string[]>;
  /** Errors: `graph_unavailable` where the graph cannot answer. */
  ping(): void;
  close(): Awaitable<void>;
  /** The records that identities are made from. */
  readonly records?: GraphRecords;
  /** Making identities from them. */
  readonly linking?: GraphLinking;
  /** Taking people out so that nothing of them is left. */
  readonly erasing?: GraphErasing;
  /** What a person has judged about who is who. */
  readonly judging?: GraphJudging;
  /** What it takes along beside its records when it moves to another engine. */
  readonly moving?: GraphMoving;
  /** Holding what it keeps against what it should keep. */
  readonly verifying?: GraphVerifying;
}

/** An engine that keeps records, so that they can be imported, linked and explained. */
export type KeepingGraph = IdentityGraph & Required<Pick<IdentityGraph, 'records' | 'linking'>>;

/** Errors: `invalid_arguments` where the engine only resolves. */
export function keeping(graph: IdentityGraph): KeepingGraph {
  const { records, linking } = graph;
  if (records && linking) return graph as KeepingGraph;
  throw keepsNoRecords(graph.engine);
}

export const keepsNoRecords = (engine: string) =>
  new BonafideError(
    'invalid_arguments',
    `The graph engine ${engine} keeps no records: import and look into them where they are kept.`,
  );

export interface GraphStats {
  records: number;
  identities: number;
  merged: number;
  postings: number;
  /** Records that were imported but not linked yet, because an import was interrupted. */
  unlinked: number;
  linkedAt: string | null;
  /** Are the identities those that linking all records anew would give? Else something that weighs in every pair has changed since. */
  settled: boolean;
}

/** Taking records out so that no byte of them is left, and keeping them out. */
export interface GraphErasing {
  /**
   * Begins an erasure: keeps records out from now on that have one of these marks; see `marksOf`. `time` is in milliseconds since 1970,
   * `name` what the erasure is called by until its end; not empty.
   */
  bar(marks: Buffer[], time: number, name: string): Awaitable<void>;
  /** How many marks there are by which records are kept out. */
  barred(): Awaitable<number>;
  /** How many of these records would be kept out, and how many of the others share an e-mail or a phone with somebody who is. */
  ask(records: StoredRecord[]): Awaitable<{ barred: number; alike: number }>;
  /**
   * How the engine's files write what they hold of these records. Asked before they are erased; what it answers gives afterwards the
   * byte strings that nobody who is left has in common with them, and that should be nowhere.
   */
  traces(rows: RecordRow[]): Awaitable<() => Buffer[]>;
  /** The erasure whose bytes may still be in the files, because it was interrupted: what it is called, from `bar` to `overwritten`; null where there is none. */
  owed(): Awaitable<string | null>;
  /** Nothing of them is left. */
  overwritten(): Awaitable<void>;
  /** Moves what is written from the engine's logs into its files, and empties them. False where somebody reads on in them for long. */
  emptyLogs(): Awaitable<boolean>;
  /** Writes anew what is left, and nothing else. */
  rewrite(): Awaitable<void>;
  /** Do checks wait while that is done? Not, where it is left out. */
  readonly rewritingStops?: boolean;
  /** How many bytes all of it takes where it is not in files of the data folder. */
  bytes?(): Awaitable<number>;
  /** Where the engine cannot take anything out of, in a clause; everywhere it can, where it is left out. */
  readonly beyond?: string;
}

/** What a record is called. */
export interface RecordName {
  source: string;
  recordId: string;
}

export interface GraphRecords {
  /** Under which records come in and are linked. */
  readonly fingerprints: Fingerprints;
  /** Under which they came in before the secret was changed, the oldest first; none, where it is left out. */
  readonly earlier?: readonly Fingerprints[];
  /** Whether whole records are kept, sealed beside the fingerprints: see `whole` of `StoredRecord`. Not, where it is left out. */
  readonly keepsWhole?: boolean;
  /**
   * Puts records in, replacing those with the same source and record id: all of them or none. Records that are kept out (see `bar`) are
   * left out and counted, unless they may return: then nothing keeps them out any more. `alike` counts those that came in and share an
   * e-mail or a phone with somebody who is kept out.
   */
  put(
    records: StoredRecord[],
    options?: { allowReturn?: boolean },
  ): Awaitable<{ added: number; replaced: number; barred?: number; alike?: number }>;
  /** Takes records out, all of them or none, and answers how many there were; until the next linking checks still see them. */
  remove(names: RecordName[]): Awaitable<number>;
  /**
   * All that `work` puts, takes out, links and publishes is there at once, or nothing of it: where it throws, or the process ends, all is as
   * before. Who else changes records waits meanwhile, and so does this for them, for so many milliseconds at most. Inside another one it is a part
   * of that.
   *
   * Errors: `database_busy` where others do not end, and what `work` throws.
   */
  whole<T>(work: () => Promise<T>, mostWaitMs?: number): Promise<T>;
  /** Room for records on their way in. */
  incoming(): Incoming;
  /** What was applied last with a journal; null where nothing was, or it was taken back. */
  lastApplied(): Awaitable<Applied | null>;
  /**
   * Takes that back: what it put goes, what it replaced or took out is there again. Records that were changed since stay as they are, and
   * are counted as `left`.
   */
  takeBack(): Awaitable<{ removed: number; restored: number; left: number }>;
  /** What was applied last can be taken back no more: nothing is kept of what was before it. */
  forgetApplied(): Awaitable<void>;
  /** Records by their rows, in any order; a row that is gone is left out. */
  read(rows: number[]): Awaitable<RecordRow[]>;
  /** Records of this id, whatever their source, in the order of import. */
  byReference(recordId: string): Awaitable<RecordRow[]>;
  /** Records of an identity, in the order of import. */
  byIdentity(identity: number): Awaitable<RecordRow[]>;
  /** All records, in the order of import. */
  pages(): Pages<RecordRow>;
  count(): Awaitable<number>;
  /** The highest row there is; 0 in an empty graph. */
  maxRow(): Awaitable<number>;
  /** The same records as they are kept, for threads that open them; without it, who asks opens them all. */
  readonly sealed?: SealedRecords;
}

/** See `recordSealing`. */
export interface SealedRecords {
  /** What fingerprints and sealing are derived from (64 hex characters): for threads of this process, and nothing else. */
  readonly secret: string;
  /** All records, in the order of import. */
  pages(): Pages<SealedRow>;
  read(rows: number[]): Awaitable<SealedRow[]>;
}

export interface SealedRow {
  row: number;
  sealed: Uint8Array;
}

/** Records on their way in, in the order in which they came. Nobody sees them before `apply`, and nothing of them is left after `drop` or the process. */
export interface Incoming {
  put(records: StoredRecord[]): Awaitable<void>;
  /** The same of records as `sealed` has them, where the engine has that. */
  putSealed?(records: SealedRecord[]): Awaitable<void>;
  /** Records that are to be taken out. */
  remove(names: RecordName[]): Awaitable<void>;
  /**
   * Of each record name that came more than once, only what came last, or what `merge` makes of all that came since it was to be taken out.
   * Needed once, after the last and before `apply`.
   */
  settle(merge?: (same: Iterable<StoredRecord>) => Iterable<StoredRecord>): Awaitable<void>;
  /** Whether a record (by the hex of its own fingerprint) is on its way in. */
  has(key: string): boolean;
  /** Puts them into the graph's records, but for those that are kept out. Inside `whole`. */
  apply(
    options?: ApplyOptions,
  ): Awaitable<{ added: number; replaced: number; removed: number; barred: number; alike?: number }>;
  drop(): void;
}

export interface ApplyOptions {
  /** By what this may be called later, so that it can be taken back; without it nothing is kept for that. */
  journal?: object | undefined;
  /** Whether those that are kept out may return. */
  allowReturn?: boolean | undefined;
}

/** What was applied last: when (milliseconds since 1970), by what it was called, and how many records it changed. */
export interface Applied {
  at: number;
  what: object;
  added: number;
  replaced: number;
  removed: number;
}

export interface GraphLinking {
  /** Another text after each change of the records. */
  revision(): Awaitable<string>;
  /** Room for linking: from here to `drop`, records are read as of one moment. Once at a time. */
  blocks(): Awaitable<Blocks>;
  /**
   * Replaces all identities and postings by those of the partition, at once: who asks sees the old graph, then the new one. Numbers
   * follow `numberIdentities`, contents `gather`. Returns how many identities there are; null, and nothing done, where records changed
   * since the revision that was linked.
   */
  publish(partition: Partition): Awaitable<number | null>;
  /** What the records were found to be like when they were published last. */
  errorRates(): Awaitable<ErrorRates>;
  /** What is remembered between two linkings; an engine without it has all records linked anew each time. */
  readonly index?: LinkIndex;
  /** A published identity, or the one that its number leads to now; null where there is none. */
  identity(number: number): Awaitable<Identity | null>;
}

/** Keeps the keys of rows, and the pairs of rows that linking makes of them, wherever the engine has room for many. Add first, then read. */
export interface Blocks {
  add(page: [row: number, keys: number[]][]): Awaitable<void>;
  /** Every key that two or more rows share, with its rows ascending. */
  groups(): Pages<Group>;
  /** Pairs to be compared (see `pairOf`), as often as they come. While `groups` is gone through or after, before `pairs`. */
  addPairs(pairs: number[]): Awaitable<void>;
  /** The pairs that were added, each once, ascending. */
  pairs(): Iterable<ArrayLike<number>> | AsyncIterable<ArrayLike<number>>;
  drop(): Awaitable<void>;
}

/** Which records are one person. */
export interface Partition {
  /** Rows of each identity of two or more records; every other record stands alone. */
  clusters: number[][];
  /** The revision of the records that were linked. */
  revision: string;
  errorRates: ErrorRates;
  /** What linking found, for remembering it; null where nothing is remembered. */
  index?: IndexBuilder | null;
  /** Records that linking has in memory, so that they need not be read again, and threads that may read them there. */
  near?: { atHand: AtHandView; pool: Pool };
  /** Called now and then with the share of the work that is done, 0-1. */
  onProgress?: (done: number) => void;
}
