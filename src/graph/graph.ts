import { invalidArgumentError } from '../errors.ts';
import type {
  ContactMatch,
  Awaitable,
  ContactKind,
  Identity,
  LookupKey,
  LookupKeyType,
  RawContact,
  TypoSearchData,
} from '../model.ts';
import type {
  LookupKeyChangeReader,
  ManualLinkOperations,
  GraphErasureOperations,
  GraphCopyOperations,
} from './capabilities.ts';
import type { GraphLinkingOperations } from './linking.ts';
import type { GraphRecordOperations } from './records.ts';
import type { GraphVerificationOperations } from './verifying.ts';

/**
 * Query for one check call: a name and all contact values in the submitted order. An engine uses either the texts or the look-up keys of the values.
 */
export interface GraphQuery {
  /** Submitted name; empty if there is none. */
  name: string;
  /** ISO country for phone numbers and addresses without a country. */
  region: string;
  /** Look-up keys of the name, the most exact one first; see `getNameKeys`. */
  nameKeys: string[];
  /** Look-up key of the given name without the family name; null if the given name cannot be determined. */
  givenNameKey: string | null;
  /** True if the name has a suffix (Jr, Sr, III). People with the same name without a suffix may then be on record. */
  hasSuffix: boolean;
  values: QueryContactValue[];
  /** Number of servers that forwarded the query. Default: 0. */
  hops?: number | undefined;
  /** Minimum revision of the records that a standby database must have to answer. Default: 0. */
  minRevision?: number | undefined;
}

export interface DatabaseHostState {
  host: string;
  role: 'primary' | 'standby' | 'unreachable';
  /** Replication lag of the host behind the primary, in seconds, as an upper bound; null if unknown. */
  lagSeconds: number | null;
  lookups: number;
}

export interface QueryContactValue {
  /** Look-up keys of the value, the most exact one first; empty if the value cannot be looked up. */
  keys: LookupKey[];
  /** Typo signature, by which the value is found in spite of a typo; null if no typos are searched for. */
  signature: TypoSearchData | null;
  /** Submitted value; null if only its look-up keys are known. */
  raw: RawContact | null;
}

export interface GraphAnswer {
  total: number;
  /** Latest `lastSeen` of all records, in milliseconds since 1970; null if no record has a date. */
  newest: number | null;
  /**
   * For each value of the query, the identities that have it. An identity occurs once per value, with its most exact type of match. Exact matches are
   * first.
   */
  values: ContactMatch[][];
  name: {
    /** Numbers of the identities that have the submitted name in any form; at most 24 of each graph in the built-in engines. */
    identities: number[];
    bearers: number;
    /** Numbers of the identities with a submitted value that also have the submitted given name. */
    given: number[];
    /**
     * Pairs of identities that both have a submitted value and the submitted name, but whose birth dates show two people. Undefined if there are
     * none.
     */
    differentPeople?: number[][];
    /**
     * Pairs of an identity with the submitted name and without a submitted value, and an identity with a submitted value, that have one address on
     * record. Undefined if there are none.
     */
    housemates?: number[][];
  };
  /** Identities whose names are compared with the submitted name: the matching identities that may have it, or else those with most of the values. */
  identities: Map<number, Identity>;
  /** Original answer of another service, for `operation: raw`. Undefined for engines that have none. */
  payload?: unknown;
  /** Names of engines of a merged graph that failed, so that their data is missing in this answer. Undefined if all answered. */
  missing?: readonly string[];
}

/**
 * Maximum number of identities that are listed for one look-up key. If more identities have the key, the first ones are listed, and `share` is the
 * total number.
 */
export const MAX_LISTED_IDENTITIES_PER_LOOKUP_KEY = 24;

/** Types of match between a submitted value or name and an identity, most exact type first. */
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
] as const satisfies ContactMatch['type'][];

/**
 * Types of look-up keys for each kind of contact, most exact type first. An identity with a look-up key also has the keys of all less exact types.
 */
export const LOOKUP_KEY_TYPES_BY_CONTACT_KIND: Record<ContactKind, LookupKeyType[]> = {
  email: ['email', 'mailbox'],
  phone: ['phone'],
  address: ['address', 'premise', 'core', 'core_city', 'street'],
};

/** Query without a name or value. Its answer contains only `total` and `newest`. */
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
 * Identity graph. Every engine answers queries; an engine that also stores records is a `RecordStoringGraph`. Answers within one turn of the event loop may
 * come from one snapshot.
 */
export interface IdentityGraph extends Readonly<Partial<RecordCapabilities>> {
  readonly engine: string;
  /** Answers a query. Errors: `graph_unavailable`, `graph_bad_response`, `graph_timeout`. */
  resolve(query: GraphQuery): Awaitable<GraphAnswer>;
  /**
   * Returns the numbers of records, identities and postings of the graph.
   *
   * @param hops number of servers that forwarded the request
   */
  stats(hops?: number): Awaitable<GraphStats>;
  /** Returns sentences for operators: problems that make check calls less reliable, each with its solution. */
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
  moving: GraphCopyOperations;
  verifying: GraphVerificationOperations;
  changes: LookupKeyChangeReader;
}

/** Engine that stores records, which can be imported, linked, inspected and erased. */
export type RecordStoringGraph = IdentityGraph & Readonly<RecordCapabilities>;

/** Returns the same graph with the type of a graph that stores records. Errors: `invalid_arguments` if the engine only answers queries. */
export function requireRecordStoringGraph(graph: IdentityGraph): RecordStoringGraph {
  if (graph.records) return graph as RecordStoringGraph;
  throw createEngineWithoutRecordsError(graph.engine);
}

export const createEngineWithoutRecordsError = (engine: string) =>
  invalidArgumentError(
    `The graph engine ${engine} stores no records. Run this command on the server that stores them.`,
    '',
    'This server stores no records: it queries another graph (setting `graph`). Do this on the server that stores them.',
  );

/**
 * State of one engine in a merged graph. If the engine fails, the setting `graph.partial` decides: answers omit its data (`left_out`), or all check
 * calls fail (`failed`).
 */
type MergedGraphEngineState = 'ok' | 'left_out' | 'failed';

/** Warning that some imported records are not linked, because the import was interrupted. */
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
