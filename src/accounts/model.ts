import type { ErrorCode } from '../errors.ts';
import type { Band, Confidence, Endpoint, Intent, ResponseVersion, VerdictWord } from '../model.ts';
import type { PlanTerms } from './billing/terms.ts';

export interface Caller {
  /** Id of the key; missing if the caller has no key of the store. */
  key?: string;
  /** Id of the first key of the key's chain of rotations. */
  keyId: string;
  /** ISO country in which phones and addresses are read; null or missing for the country of the server's settings. */
  region?: string | null;
  /** Networks that the key may be used from; any address if missing. */
  allowedNetworks?: readonly string[] | undefined;
  /** Account that is billed; null for a key without an account. */
  account: string | null;
  scopes: Scope[];
  /** True for a test key: its calls are answered from the sample graph, and never billed. */
  test: boolean;
  /** Current plan of the account; null for no plan, and then no quota and no rate limit. */
  plan: CurrentPlan | null;
}

export interface CurrentPlan {
  plan: string;
  version: number;
  terms: PlanTerms;
}

export interface QuotaUsage {
  month: string;
  plan: string;
  version: number;
  included: number;
  used: number;
  /** Number of the `used` calls beyond the included calls. */
  overage: number;
  /** True if calls beyond the included calls are refused, false if they are billed. */
  blocksOverage: boolean;
  /** Start of the next month: milliseconds since 1970. */
  resetsAt: number;
}

export type Scope = 'validate' | 'read' | 'raw' | 'metrics' | 'graph' | 'admin';

/** Accepted call in the form of the call log: counts and outcomes, never a submitted value. */
export interface LoggedCall {
  requestId: string;
  keyId: string;
  account: string | null;
  /** Time of the call: milliseconds since 1970. */
  time: number;
  endpoint: Endpoint;
  responseVersion: ResponseVersion;
  intent: Intent | null;
  emails: number;
  phones: number;
  addresses: number;
  score: number;
  band: Band;
  /** Verdict word of the call; null for a call that an older version logged. */
  verdict: VerdictWord | null;
  confidence: Confidence;
  catfish: boolean;
  different: number;
  unverified: number;
  scoringModel: number | null;
  latencyMs: number;
  test: boolean;
}

/** Logged call with its outcome: true if the caller reported a genuine person, null without a report. */
export type EarlierCall = LoggedCall & { outcome: boolean | null };

export interface Refusal {
  requestId: string;
  time: number;
  /** Route such as `/v1/validate`. */
  endpoint: string;
  status: number;
  code: ErrorCode;
  /** Violated rule, such as `/emails/0 invalid_email` or `scope raw`; null if the error code is sufficient. */
  rule: string | null;
  /** Id of the first key of the chain of rotations; null if no known key was sent. */
  key: string | null;
  account: string | null;
  test: boolean;
  /** Number of further refusals that this row counts: same key, same error code, same minute. */
  more: number;
}

export interface PendingRefusal extends Refusal {
  /** SHA-256 of a key that was refused. The writer finds the key by this hash, and does not store the hash. */
  keyHash: Uint8Array | null;
}

/** State of a job. `cancelled` is the state of a job that was deleted before its end. */
export type JobState = 'queued' | 'running' | 'finished' | 'cancelled' | 'failed';
