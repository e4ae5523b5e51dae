// The views of what is looked up later: one earlier call, the month so far.
import type { LoggedCall, Endpoint } from '../model.ts';

const PATHS: Record<Endpoint, string> = {
  validate: '/v1/validate',
  validate_ai: '/v1/validate?ai=true',
  enhanced: '/v1/validate/enhanced',
};

/** One earlier call as its caller may see it: outcome and counts, never what was submitted. */
export function requestView(call: LoggedCall) {
  return {
    request_id: call.requestId,
    time: new Date(call.time).toISOString(),
    endpoint: PATHS[call.endpoint],
    response_version: call.responseVersion,
    intent: call.intent,
    trustworthiness_score: call.score,
    status: call.band,
    confidence_level: call.confidence,
    possible_catfish: call.catfish,
    values: { emails: call.emails, phones: call.phones, addresses: call.addresses },
    different_identity: call.different,
    unverified: call.unverified,
    scoring_model: call.scoringModel,
    latency_ms: call.latencyMs,
    test: call.test,
  };
}

/** The month so far. There are no plans yet, so nothing is included and nothing is charged. */
export function usageView({ month, calls }: { month: string; calls: number }) {
  return { month, calls, included: null, overage: 0, amount: null };
}
