import type { Caller, Claim, Endpoint, Verdict } from '../model.ts';

/** What the AI features may know of a call besides claim and verdict. */
export interface InsightsContext {
  caller: Caller;
  /** When the call arrived, in milliseconds. */
  now: number;
  /** Aborted when the caller goes away. */
  signal: AbortSignal;
}

/** Makes the whole `ai_insights` value, or null on the base endpoint. Never rejects. */
export type Insights = (
  claim: Claim,
  verdict: Verdict,
  endpoint: Endpoint,
  context: InsightsContext,
) => Promise<object | null>;

/** `ai_insights` of a server without AI features: every block says why it is not there. */
export const withoutFeatures: Insights = async ({ include }, _verdict, endpoint) => {
  if (endpoint === 'validate') return null;
  if (endpoint === 'validate_ai') {
    return {
      ai_enabled: false,
      trust_enhancement: null,
      overview: null,
      fraud_detection: null,
      name_matching: null,
    };
  }
  const block = (wanted: boolean) => ({ ai_enabled: false, reason: wanted ? 'Disabled' : 'Not requested' });
  return {
    ai_enabled: false,
    trust_enhancement: block(include.trust_enhancement),
    overview: null,
    fraud_detection: block(include.fraud_detection),
    name_matching: block(include.name_matching),
  };
};
