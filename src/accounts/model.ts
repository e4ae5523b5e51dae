// Who asks, what a plan gives them, and what is kept of their calls. Types only.
import type { Band, Confidence, Endpoint, Intent, ResponseVersion } from '../model.ts';

/** Who is asking. */
export interface Caller {
  /** The key itself; not there where no key of the store is. */
  key?: string;
  /** The first key of its key's chain of rotations. */
  keyId: string;
  /** ISO country in which its numbers and addresses are read; the server's where it has none. */
  region?: string | null;
  /** Addresses and networks that it may be used from; any where none is named. */
  allowedNetworks?: readonly string[] | undefined;
  /** Whom its calls are billed to; null for a key that stands alone. */
  account: string | null;
  scopes: Scope[];
  /** Its key is a test key: it is answered from the sample graph, and never billed. */
  test: boolean;
  /** The plan of its account as it is now; null without one: then there is no quota and no rate limit. */
  plan: CurrentPlan | null;
}

/** One version of a plan. */
export interface CurrentPlan {
  plan: string;
  version: number;
  terms: PlanTerms;
}

/** What a plan says; see src/accounts/billing/terms.ts for each. */
export interface PlanTerms {
  included: number;
  price: string;
  currency: string;
  /** Decimal places of the currency's amounts, as they were when the plan said so. */
  digits: number;
  overage: 'bill' | 'block';
  rate: { calls: number; seconds: number; burst: number } | null;
  concurrency: number | null;
  probes: number | null;
  operations: ('validate' | 'enhanced')[];
  features: ('trust_enhancement' | 'fraud_detection' | 'name_matching')[];
}

/** Where an account stands in a month. */
export interface QuotaUsage {
  /** `2026-11`, UTC. */
  month: string;
  plan: string;
  version: number;
  /** Calls that the plan includes. */
  included: number;
  /** Live calls of the month under a plan, and those of them that were beyond the included ones. */
  used: number;
  overage: number;
  /** Calls beyond the included ones are refused. */
  blocksOverage: boolean;
  /** When the next month begins: milliseconds since 1970. */
  resetsAt: number;
}

export type Scope = 'validate' | 'read' | 'raw' | 'metrics' | 'graph' | 'admin';

/** One accepted call, as the call log keeps it: counts and outcomes, never a submitted value. */
export interface LoggedCall {
  requestId: string;
  keyId: string;
  account: string | null;
  /** Milliseconds since 1970. */
  time: number;
  endpoint: Endpoint;
  responseVersion: ResponseVersion;
  /** Null in rows that were written before it was kept. */
  intent: Intent | null;
  emails: number;
  phones: number;
  addresses: number;
  score: number;
  band: Band;
  confidence: Confidence;
  catfish: boolean;
  /** How many submitted contact values came back as another identity's, and as Unverified. */
  different: number;
  unverified: number;
  /** Version of the scoring model; null in rows that were written before it was kept. */
  scoringModel: number | null;
  latencyMs: number;
  /** Made with a test key. */
  test: boolean;
}

/** A call, and how it turned out where the caller told. */
export type EarlierCall = LoggedCall & { outcome: boolean | null };
