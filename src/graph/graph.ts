import { BonafideError } from '../errors.ts';
import type {
  Agreement,
  Awaitable,
  ContactKind,
  Identity,
  LookupKey,
  LookupKeyType,
  RawContact,
  TypoSignature,
} from '../model.ts';
import type {
  LookupKeyChangeReader,
  ManualLinkOperations,
  GraphErasureOperations,
  GraphMoveOperations,
} from './capabilities.ts';
import type { GraphLinkingOperations } from './linking.ts';
import type { GraphRecords } from './records.ts';
import type { GraphVerificationOperations } from './verifying.ts';

/**
 * Look-up of one check: one name and all contact values, in the order submitted. Texts and keys represent the same values; an engine uses
 * either.
 */
export interface GraphQuery {
  /** The name as submitted; empty if there is none. */
  name: string;
  /** ISO country for phone numbers and addresses that name no country. */
  region: string;
  /** Look-up keys of the name, the exact key first; see `getNameKeys`. */
  nameKeys: string[];
  /** Look-up key of the given name alone; null if the name has no usable given name. */
  givenNameKey: string | null;
  /** True if the name has a suffix (Jr, Sr, III), which a namesake may have on record. */
  hasSuffix: boolean;
  values: QueryContactValue[];
  /** Number of servers that forwarded the query. Default: 0. */
  hops?: number | undefined;
  /** Revision of the records that the answer must include, if the graph has reached it. Default: 0. */
  minRevision?: number | undefined;
}

/** State of one PostgreSQL host that answers look-ups. */
export interface DatabaseHostState {
  host: string;
  role: 'primary' | 'standby' | 'unreachable';
  /** Seconds by which its answers may be older than those of the primary; null if unknown. */
  lagSeconds: number | null;
  lookups: number;
}

export interface QueryContactValue {
  /** Look-up keys, the exact key first; empty if the value cannot be looked up. */
  keys: LookupKey[];
  /** Signature for finding the value with a typo; null if typos are not searched. */
  signature: TypoSignature | null;
  /** The value as submitted; null if only keys are known. */
  raw: RawContact | null;
}

export interface GraphAnswer {
  total: number;
  /** Latest `lastSeen` of all records (milliseconds since 1970); null if no record has a date. */
  newest: number | null;
  /** Matching identities of each value, in query order. An identity occurs once per value; the strictest key is first, then the lowest number. */
  values: Agreement[][];
  name: {
    /** Identities that have one of the name keys, ascending, limited in number. */
    identities: number[];
    bearers: number;
    /** Identities among the matches that have the given name. */
    given: number[];
    /** Pairs of identities that have a value and the name of the query, but whose birth dates show two people. Omitted if there are none. */
    differentPeople?: number[][];
  };
  /** The identities whose names a check compares: matches that may have the name, or else those with most of the values. */
  identities: Map<number, Identity>;
  /** Unchanged answer of another service, for `operation: raw`. Omitted by graph engines that have none. */
  payload?: unknown;
  /** Engines of a merged graph that failed and were left out of this answer. Omitted if all answered. */
  missing?: readonly string[];
}

/**
 * Maximum number of identities that a posting lists. If more identities have the key, the posting lists the first ones; `share` is the exact
 * number.
 */
export const MAX_IDENTITIES_PER_POSTING = 24;

/** Types of agreement between a query and an identity, the most exact type first. */
export const AGREEMENT_TYPES = [
  'email',
  'phone',
  'address',
  'mailbox',
  'premise',
  'core',
  'core_city',
  'street',
  'name',
  'typo',
] as const satisfies Agreement['type'][];

/** Key types of each kind of contact, the strictest type first. An identity with a key also has the keys of the looser types. */
export const LOOKUP_KEY_TYPES: Record<ContactKind, LookupKeyType[]> = {
  email: ['email', 'mailbox'],
  phone: ['phone'],
  address: ['address', 'premise', 'core', 'core_city', 'street'],
};

/** A query that returns only `total` and `newest`. */
export const EMPTY_GRAPH_QUERY: GraphQuery = {
  name: '',
  region: 'US',
  nameKeys: [],
  givenNameKey: null,
  hasSuffix: false,
  values: [],
};

export const isEmptyGraphQuery = ({ name, values }: GraphQuery): boolean =>
  name === '' && values.length === 0;

/**
 * An identity graph. Every engine resolves queries; an engine that stores records also has the parts of a `RecordGraph`. Answers may come from a
 * snapshot that is taken once per turn of the event loop. All engines pass the same contract test.
 */
export interface IdentityGraph extends Readonly<Partial<RecordCapabilities>> {
  readonly engine: string;
  /** Answers a query. Errors: `graph_unavailable`, `graph_bad_response`, `graph_timeout`. */
  resolve(query: GraphQuery): Awaitable<GraphAnswer>;
  /**
   * Returns the counts of the graph.
   *
   * @param hops number of servers that forwarded the request
   */
  stats(hops?: number): Awaitable<GraphStats>;
  /** Returns sentences for operators: problems that make checks less reliable, and how to solve each problem. */
  warnings(hops?: number): Awaitable<string[]>;
  /** Errors: `graph_unavailable` if the graph cannot answer. */
  ping(): void;
  /** Returns the states of a merged graph's engines by name. Omitted by single engines. */
  partStates?(): Record<string, GraphPartState>;
  /** Returns the states of the PostgreSQL hosts among which look-ups are distributed. Omitted by graphs without standbys. */
  hostStates?(): DatabaseHostState[];
  /** Reads the states of the PostgreSQL hosts now. Omitted by graphs without standbys. */
  probeHosts?(): Promise<void>;
  close(): Awaitable<void>;
}

/** Everything that an engine with stored records can do besides resolving queries. */
interface RecordCapabilities {
  records: GraphRecords;
  linking: GraphLinkingOperations;
  erasing: GraphErasureOperations;
  manualLinks: ManualLinkOperations;
  moving: GraphMoveOperations;
  verifying: GraphVerificationOperations;
  changes: LookupKeyChangeReader;
}

/** An engine that stores records, so that records can be imported, linked, inspected and erased. */
export type RecordGraph = IdentityGraph & Readonly<RecordCapabilities>;

/** Narrows the type of a graph that stores records. Errors: `invalid_arguments` if the engine only resolves queries. */
export function requireRecordGraph(graph: IdentityGraph): RecordGraph {
  if (graph.records) return graph as RecordGraph;
  throw engineWithoutRecordsError(graph.engine);
}

export const engineWithoutRecordsError = (engine: string) =>
  new BonafideError(
    'invalid_arguments',
    `The graph engine ${engine} stores no records. Run this command on the server that stores them.`,
  );

/** State of one engine of a merged graph. While an engine fails, answers leave it out, or all checks fail (setting `graph.partial`). */
export type GraphPartState = 'ok' | 'left_out' | 'failed';

/** Warning of an engine whose identities are older than its records, because an import ended before it was linked. */
export const UNLINKED_RECORDS_WARNING =
  'The graph has records that are not linked yet, because an import was interrupted. Checks do not use these changes until they are linked. A server links them soon after its start; without a server, run: bonafide graph link';

export interface GraphStats {
  records: number;
  identities: number;
  /** Number of retired identity numbers that lead to the identity they were merged into. */
  merged: number;
  postings: number;
  unlinked: number;
  /** Time of the last linking (ISO 8601); null if records were never linked. */
  linkedAt: string | null;
  /** True if linking all records again would give the same identities. */
  settled: boolean;
}
