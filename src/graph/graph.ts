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

/** Query for one check call: a name and all contacts, in the submitted order. An engine uses either their texts or their look-up keys. */
export interface GraphQuery {
  /** Submitted name; empty if none was. */
  name: string;
  /** ISO country for phone numbers and addresses without a country. */
  region: string;
  /** Look-up keys of the name, the most exact one first; see `getNameKeys`. */
  nameKeys: string[];
  /** Look-up key of the given name alone; null if the given name cannot be told from the other words. */
  givenNameKey: string | null;
  /** True if the submitted name has a suffix (Jr, Sr, III). People with this name but without a suffix may then be on record, too. */
  hasSuffix: boolean;
  values: QueryContactValue[];
  /** Number of servers that have forwarded the query so far. Default: 0. */
  hops?: number | undefined;
  /** Minimum revision of the records from which a standby database may answer. Default: 0. */
  minRevision?: number | undefined;
}

export interface DatabaseHostState {
  host: string;
  role: 'primary' | 'standby' | 'unreachable';
  /** Upper bound of the seconds by which the host's data is behind the primary's; null if unknown. */
  lagSeconds: number | null;
  lookups: number;
}

export interface QueryContactValue {
  /** Look-up keys of the contact, the most exact one first; empty if it cannot be looked up. */
  keys: LookupKey[];
  /** Data for finding records that have the contact with a typing error; null if such records are not searched for. */
  signature: TypoSearchData | null;
  /** Submitted contact; null if only its look-up keys are known. */
  raw: RawContact | null;
}

export interface GraphAnswer {
  total: number;
  /** Latest date on which any record was seen, in milliseconds since 1970; null if no record has a date. */
  newest: number | null;
  /**
   * For each contact of the query, its matches with identities, exact ones first. An identity occurs once for a contact, with the most exact type of
   * match.
   */
  values: ContactMatch[][];
  name: {
    /** Identities with the submitted name in any form, by identity number. Built-in engines list at most 24 of each graph. */
    identities: number[];
    bearers: number;
    /** Identities with a submitted contact and the submitted given name, by identity number. */
    given: number[];
    /**
     * Pairs of identities that both have a submitted contact and the submitted name, but whose birth dates show that they are two people. Undefined
     * if there are none.
     */
    differentPeople?: number[][];
    /**
     * Pairs of identities with the same address on record: the first has the submitted name but no submitted contact, the second has a submitted
     * contact. Undefined if there are none.
     */
    housemates?: number[][];
  };
  /**
   * Identities whose names are compared with the submitted name: those with a submitted contact that may have this name, or else those with most
   * submitted contacts.
   */
  identities: Map<number, Identity>;
  /** Original answer of another service, as `operation: raw` shows it. Undefined for engines without one. */
  payload?: unknown;
  /** Names of the engines of a merged graph that failed, so that this answer lacks their data. Undefined if all answered. */
  missing?: readonly string[];
}

/**
 * Maximum number of identities that are listed for one look-up key. If more identities have the key, the first ones are listed; `share` is always the
 * total number.
 */
export const MAX_LISTED_IDENTITIES_PER_LOOKUP_KEY = 24;

/** Types of match between a submitted contact or name and an identity, the most exact one first. */
export const CONTACT_MATCH_TYPES = [
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
 * Types of look-up keys of each kind of contact, the most exact one first. An identity that has a key of one type also has the keys of all less exact
 * types.
 */
export const LOOKUP_KEY_TYPES_BY_CONTACT_KIND: Record<ContactKind, LookupKeyType[]> = {
  email: ['email', 'mailbox'],
  phone: ['phone'],
  address: ['address', 'premise', 'core', 'core_city', 'street'],
};

/** Query without a name or contact. Only `total` and `newest` of its answer have content. */
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
 * Graph of identities. Every engine answers queries; one that also stores records is a `RecordStoringGraph`. Answers within one turn of the event
 * loop may come from one snapshot.
 */
export interface IdentityGraph extends Readonly<Partial<RecordCapabilities>> {
  readonly engine: string;
  /** Answers a query. Errors: `graph_unavailable`, `graph_bad_response`, `graph_timeout`. */
  resolve(query: GraphQuery): Awaitable<GraphAnswer>;
  /**
   * Returns the numbers of records, identities and postings of the graph.
   * @param hops number of servers that have forwarded the request so far
   */
  stats(hops?: number): Awaitable<GraphStats>;
  /** Returns sentences for operators about problems that make checks less reliable, each with its solution. */
  warnings(hops?: number): Awaitable<string[]>;
  /** Throws if the graph cannot answer. Errors: `graph_unavailable`. */
  ping(): void;
  /** Returns the states of the engines of a merged graph, by name. Only merged graphs have this function. */
  partStates?(): Record<string, MergedGraphEngineState>;
  /** Returns the states of the PostgreSQL hosts that answer queries. Only graphs with standby hosts have this function. */
  hostStates?(): DatabaseHostState[];
  /** Updates these states now. Only graphs with standby hosts have this function. */
  probeHosts?(): Promise<void>;
  close(): Awaitable<void>;
}

/** Further functions of an engine that stores records. */
interface RecordCapabilities {
  records: GraphRecordOperations;
  linking: GraphLinkingOperations;
  erasing: GraphErasureOperations;
  manualLinks: ManualLinkOperations;
  moving: GraphCopyOperations;
  verifying: GraphVerificationOperations;
  changes: LookupKeyChangeReader;
}

/** Graph that stores its records, which can be imported, linked, inspected and erased. */
export type RecordStoringGraph = IdentityGraph & Readonly<RecordCapabilities>;

/** Returns the same graph, typed as one that stores records. Errors: `invalid_arguments` if its engine only answers queries. */
export function requireRecordStoringGraph(graph: IdentityGraph): RecordStoringGraph {
  if (graph.records) return graph as RecordStoringGraph;
  throw createEngineStoresNoRecordsError(graph.engine);
}

export const createEngineStoresNoRecordsError = (engine: string) =>
  invalidArgumentError(
    `The graph engine ${engine} stores no records. Run this command on the server that stores them.`,
    '',
    'This server stores no records: it queries another graph (setting `graph`). Do this on the server that stores them.',
  );

/**
 * State of one engine of a merged graph: it answers (`ok`), or it failed, and by the setting `graph.partial` answers lack its data (`left_out`) or
 * all check calls fail (`failed`).
 */
type MergedGraphEngineState = 'ok' | 'left_out' | 'failed';

/** Warning that some imported records are not linked, because the import was interrupted. */
export const UNLINKED_RECORDS_WARNING =
  'The graph has records that are not linked yet, because an import was interrupted. Checks do not use these changes until they are linked. A server links them soon after its start; without a server, run: bonafide graph link';

export interface GraphStats {
  records: number;
  identities: number;
  /** Number of retired identity numbers that lead to the identity into which their identity was merged. */
  merged: number;
  postings: number;
  unlinked: number;
  /** Time of the last linking (ISO 8601); null if the records were never linked. */
  linkedAt: string | null;
  /** True if linking all records again would not change any identity. */
  settled: boolean;
}
