import type { ErrorCode } from '../errors.ts';
import type { ScoreBand, Confidence, CheckEndpoint, Intent, ResponseVersion, VerdictWord } from '../model.ts';
import type { PlanTerms } from './billing/terms.ts';

export interface Caller {
  /** Id of the API key; absent for a caller without a stored key, such as the console. */
  key?: string;
  /** Id of the first API key of the caller's chain of keys that replaced one another. */
  keyId: string;
  /** ISO country for phones and addresses without a country; null or absent for the country in the settings of the server. */
  region?: string | null;
  /** Networks (CIDR) from which the API key may be used; undefined for any network. */
  allowedNetworks?: readonly string[] | undefined;
  /** Account that pays for the calls; null for an API key without an account. */
  account: string | null;
  scopes: Scope[];
  /** True for a test key: its calls are answered from the sample people and never billed. */
  test: boolean;
  /** Current plan of the account; null without a plan, so without quota and rate limit. */
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
  /** Number of calls in `used` that are beyond the quota. */
  overage: number;
  /** True if calls beyond the quota are refused; false if they are billed. */
  blocksOverage: boolean;
  /** Start of the next month, in milliseconds since 1970. */
  resetsAt: number;
}

export type Scope = 'validate' | 'read' | 'raw' | 'metrics' | 'graph' | 'admin';

/** Counted call, as the call log contains it: counts and results, but no submitted values. */
export interface LoggedCall {
  requestId: string;
  keyId: string;
  account: string | null;
  /** Time of the call, in milliseconds since 1970. */
  time: number;
  endpoint: CheckEndpoint;
  responseVersion: ResponseVersion;
  intent: Intent | null;
  emails: number;
  phones: number;
  addresses: number;
  score: number;
  band: ScoreBand;
  /** Verdict of the call in words; null for a call that an older version logged. */
  verdict: VerdictWord | null;
  confidence: Confidence;
  catfish: boolean;
  different: number;
  unverified: number;
  scoringModel: number | null;
  latencyMs: number;
  test: boolean;
}

/** Logged call with the outcome that its caller reported: true for a genuine person, false for another; null if none was reported. */
export type EarlierCall = LoggedCall & { outcome: boolean | null };

/** Refused call, as the log of refused calls contains it, without submitted values. */
export interface Refusal {
  requestId: string;
  time: number;
  /** Route of the API, such as `/v1/validate`. */
  endpoint: string;
  status: number;
  code: ErrorCode;
  /** Rule that the call broke, such as `/emails/0 invalid_email` or `scope raw`; null if the error code says enough. */
  rule: string | null;
  /** Id of the first API key of the caller's chain of keys that replaced one another; null if the call had no known key. */
  key: string | null;
  account: string | null;
  test: boolean;
  /** Number of further refused calls that this row stands for: those with the same API key, error code and minute. */
  more: number;
}

/** Refused call that is not in the store yet. */
export interface UnwrittenRefusal extends Refusal {
  /** SHA-256 of the caller's API key; null without a key. The writer finds the key's id by this hash, and does not store the hash. */
  keyHash: Uint8Array | null;
}

/** State of a job. `cancelled` means that the job was deleted before its end. */
export type JobState = 'queued' | 'running' | 'finished' | 'cancelled' | 'failed';
