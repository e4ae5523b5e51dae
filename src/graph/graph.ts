import { BonafideError } from '../errors.ts';
import type {
  ContactAgreement,
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
import type { GraphRecordOperations } from './records.ts';
import type { GraphVerificationOperations } from './verifying.ts';

/** Query of one check: a name and all contact values in the submitted order. An engine uses either the texts or the keys of the values. */
export interface GraphQuery {
  /** Submitted name; empty if there is none. */
  name: string;
  /** ISO country of phone numbers and addresses that name no country. */
  region: string;
  /** Look-up keys of the name, the exact key first; see `getNameKeys`. */
  nameKeys: string[];
  /** Look-up key of the given name alone; null if the given name cannot be determined. */
  givenNameKey: string | null;
  /** True if the name has a suffix (Jr, Sr, III), which people with the same name may have on record. */
  hasSuffix: boolean;
  values: QueryContactValue[];
  /** Number of servers that forwarded the query. Default: 0. */
  hops?: number | undefined;
  /** Minimum revision of the records that the answer must include, if the graph already has it. Default: 0. */
  minRevision?: number | undefined;
}

export interface DatabaseHostState {
  host: string;
  role: 'primary' | 'standby' | 'unreachable';
  /** Seconds by which the host's answers may be older than those of the primary; null if unknown. */
  lagSeconds: number | null;
  lookups: number;
}

export interface QueryContactValue {
  /** Look-up keys, the exact key first; empty if the value cannot be looked up. */
  keys: LookupKey[];
  /** Signature by which the value is found despite a typo; null if typos are not searched. */
  signature: TypoSignature | null;
  /** Submitted value; null if only its keys are known. */
  raw: RawContact | null;
}

export interface GraphAnswer {
  total: number;
  /** Latest time at which any record was seen, in milliseconds since 1970; null if no record has a date. */
  newest: number | null;
  /**
   * Identities that have each value of the query. An identity occurs once for a value, with its most exact type of match; exact matches are
   * first.
   */
  values: ContactAgreement[][];
  name: {
    /** Numbers of the identities that have the name, in ascending order and limited in number. */
    identities: number[];
    bearers: number;
    /** Numbers of the matching identities that have the given name. */
    given: number[];
    /**
     * Pairs of identities that have a value and the name of the query, but whose birth dates belong to two people. Undefined if there are none.
     */
    differentPeople?: number[][];
  };
  /** Identities whose names a check compares: the matching identities that may have the name, or else those with most of the values. */
  identities: Map<number, Identity>;
  /** Unchanged answer of another service, for `operation: raw`. Undefined for engines that have none. */
  payload?: unknown;
  /** Names of failed engines of a merged graph, which this answer leaves out. Undefined if all answered. */
  missing?: readonly string[];
}

/**
 * Maximum number of identities that are listed for one look-up key. If more have the key, the first ones are listed; `share` is the number of
 * all.
 */
export const MAX_LISTED_IDENTITIES_PER_LOOKUP_KEY = 24;

/** Types of agreement between a query and an identity, most exact type first. */
export const CONTACT_AGREEMENT_TYPES = [
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
] as const satisfies ContactAgreement['type'][];

/** Types of look-up keys for each kind of contact, most exact type first. An identity with a key also has the keys of the less exact types. */
export const LOOKUP_KEY_TYPES: Record<ContactKind, LookupKeyType[]> = {
  email: ['email', 'mailbox'],
  phone: ['phone'],
  address: ['address', 'premise', 'core', 'core_city', 'street'],
};

/** Query that returns only `total` and `newest`. */
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
 * Identity graph. Every engine answers queries; an engine that stores records is a `RecordGraph`. Answers may come from a snapshot that is taken
 * once per turn of the event loop.
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
  /** Returns sentences for operators about problems that make checks less reliable, with a solution for each. */
  warnings(hops?: number): Awaitable<string[]>;
  /** Throws if the graph cannot answer. Errors: `graph_unavailable`. */
  ping(): void;
  /** Returns the states of a merged graph's engines by name. Only merged graphs have this function. */
  partStates?(): Record<string, MergedGraphEngineState>;
  /** Returns the states of the PostgreSQL hosts that answer queries. Only graphs with standbys have this function. */
  hostStates?(): DatabaseHostState[];
  /** Updates the states of the PostgreSQL hosts now. Only graphs with standbys have this function. */
  probeHosts?(): Promise<void>;
  close(): Awaitable<void>;
}

/** Functions of an engine that stores records, in addition to answering queries. */
interface RecordCapabilities {
  records: GraphRecordOperations;
  linking: GraphLinkingOperations;
  erasing: GraphErasureOperations;
  manualLinks: ManualLinkOperations;
  moving: GraphMoveOperations;
  verifying: GraphVerificationOperations;
  changes: LookupKeyChangeReader;
}

/** Engine that stores records, which can be imported, linked, inspected and erased. */
export type RecordGraph = IdentityGraph & Readonly<RecordCapabilities>;

/** Returns the graph as one that stores records. Errors: `invalid_arguments` if the engine only answers queries. */
export function requireRecordGraph(graph: IdentityGraph): RecordGraph {
  if (graph.records) return graph as RecordGraph;
  throw createEngineWithoutRecordsError(graph.engine);
}

export const createEngineWithoutRecordsError = (engine: string) =>
  new BonafideError(
    'invalid_arguments',
    `The graph engine ${engine} stores no records. Run this command on the server that stores them.`,
  );

/**
 * State of one engine in a merged graph. If an engine fails, the setting `graph.partial` decides: answers leave it out (`left_out`), or all
 * checks fail (`failed`).
 */
type MergedGraphEngineState = 'ok' | 'left_out' | 'failed';

/** Warning that some imported records were not linked, because the import was interrupted. */
export const UNLINKED_RECORDS_WARNING =
  'The graph has records that are not linked yet, because an import was interrupted. Checks do not use these changes until they are linked. A server links them soon after its start; without a server, run: bonafide graph link';

export interface GraphStats {
  records: number;
  identities: number;
  /** Number of retired identity numbers that lead to the identity into which they were merged. */
  merged: number;
  postings: number;
  unlinked: number;
  /** Time of the last linking (ISO 8601); null if records were never linked. */
  linkedAt: string | null;
  /** True if linking all records again would not change any identity. */
  settled: boolean;
}
