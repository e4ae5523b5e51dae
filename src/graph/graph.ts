import { BonafideError } from '../errors.ts';
import type { Agreement, Awaitable, Identity, LookupKey, RawContact, TypoSignature } from '../model.ts';
import type { GraphManualLinks, GraphErasing, GraphMoving } from './capabilities.ts';
import type { GraphLinking } from './linking.ts';
import type { GraphRecords } from './records.ts';
import type { GraphVerifying } from './verifying.ts';

/** What a check asks a graph: the look-up keys of one name, and the keys of each contact value, in the order submitted. */
export interface GraphQuery {
  /** The name as submitted; empty where there is none. Its keys, and those of the values, say the same: an engine goes by either. */
  name: string;
  /** ISO country in which numbers and addresses that name none are read. */
  region: string;
  /** Keys of the name, the exact one first; see `nameKeys` in names */
  nameKeys: string[];
  /** Key of the given name alone; null where there is none to speak of. */
  givenNameKey: string | null;
  values: QueryValue[];
  /** How many servers passed the question on; none where it is not there. */
  hops?: number | undefined;
}

export interface QueryValue {
  /** Exact key first, looser ones after; none where the value cannot be looked up. */
  keys: LookupKey[];
  /** What a typo is looked for in; null where it is not looked for. */
  signature: TypoSignature | null;
  raw: RawContact | null;
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
export const POSTING_IDS_LIMIT = 24;

/** Asked for the number of identities alone. */
export const EMPTY_QUERY: GraphQuery = {
  name: '',
  region: 'US',
  nameKeys: [],
  givenNameKey: null,
  values: [],
};

export const isEmptyQuery = ({ name, values }: GraphQuery): boolean => name === '' && values.length === 0;

/**
 * A place that identities are resolved in. Every engine does what stands first; what it can beside that, it declares by having the part
 * (`records`, `linking`), and `keeping` refuses an engine that lacks them. What resolves and counts may be of one moment within one turn
 * of the event loop. Every engine passes the same contract test.
 */
export interface IdentityGraph {
  readonly engine: string;
  /** Errors: `graph_unavailable`, `graph_bad_response`, `graph_timeout`. See `resolve` in resolve/ for what engines share. */
  resolve(query: GraphQuery): Awaitable<GraphAnswer>;
  /** @param hops as in a query */
  stats(hops?: number): Awaitable<GraphStats>;
  /** What makes checks weaker than they could be, and what an operator can do about it: a sentence each. */
  warnings(hops?: number): Awaitable<string[]>;
  /** Errors: `graph_unavailable` where the graph cannot answer. */
  ping(): void;
  /** Of several graphs asked as one, each by its name, as far as it was asked. */
  partStates?(): Record<string, PartState>;
  close(): Awaitable<void>;
  /** The records that identities are made from. */
  readonly records?: GraphRecords;
  /** Making identities from them. */
  readonly linking?: GraphLinking;
  /** Taking people out so that nothing of them is left. */
  readonly erasing?: GraphErasing;
  /** What a person has judged about who is who. */
  readonly manualLinks?: GraphManualLinks;
  /** What it takes along beside its records when it moves to another engine. */
  readonly moving?: GraphMoving;
  /** Holding what it keeps against what it should keep. */
  readonly verifying?: GraphVerifying;
}

/** An engine that keeps records, so that they can be imported, linked and explained. */
export type RecordGraph = IdentityGraph & Required<Pick<IdentityGraph, 'records' | 'linking'>>;

/** Errors: `invalid_arguments` where the engine only resolves. */
export function requireRecords(graph: IdentityGraph): RecordGraph {
  const { records, linking } = graph;
  if (records && linking) return graph as RecordGraph;
  throw noRecordsError(graph.engine);
}

export const noRecordsError = (engine: string) =>
  new BonafideError(
    'invalid_arguments',
    `The graph engine ${engine} keeps no records: import and look into them where they are kept.`,
  );

/** One that fails is left out of answers, or all checks are refused, as the operator says. */
export type PartState = 'ok' | 'left_out' | 'failed';

/** What an engine says of a graph that was not made of the records as they are: whoever put them ended before they were linked. */
export const UNLINKED_WARNING =
  'Records are there that are not linked yet: whoever wrote them ended before that. Checks do not see them as they are until they are linked, which a server does soon after its start; without one, run: bonafide graph link';

export interface GraphStats {
  records: number;
  identities: number;
  merged: number;
  postings: number;
  /** Records that were put and are in no identity yet, because whoever put them was interrupted, or all records are to be linked anew first. */
  unlinked: number;
  linkedAt: string | null;
  /** Are the identities those that linking all records anew would give? Else something that weighs in every pair has changed since. */
  settled: boolean;
}
