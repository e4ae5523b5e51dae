// The views of what is looked up later: one earlier call, the month so far.
import { decimal } from '../accounts/billing/money.ts';
import { stateOf } from '../accounts/billing/quota.ts';
import type { CallersUsage } from '../accounts/billing/usage.ts';
import type { EarlierCall, PlanInForce, Standing } from '../accounts/model.ts';
import type { Endpoint } from '../model.ts';

const PATHS: Record<Endpoint, string> = {
  validate: '/v1/validate',
  validate_ai: '/v1/validate?ai=true',
  enhanced: '/v1/validate/enhanced',
};

/** One earlier call as its caller may see it: outcome and counts, never what was submitted. */
export function requestView(call: EarlierCall) {
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
    genuine: call.outcome,
  };
}

/** What a caller called in a month, and what of it is billed. Amounts are decimal texts; two currencies in one month have no one amount. */
export function usageView({ month, calls, plan, lines, totals, standing }: CallersUsage) {
  const overage = lines.reduce((sum, line) => sum + line.overage, 0);
  if (!plan) return { month, calls, included: null, overage, amount: null, limits: null };
  const { terms } = plan;
  const [{ amount, currency } = { amount: decimal(0n, terms.digits), currency: terms.currency }, ...others] =
    totals;
  const one = others.length === 0 ? { amount, currency } : { amount: null, currency: null };
  return {
    month,
    calls,
    included: terms.included,
    overage,
    ...one,
    lines,
    limits: limitsView(plan, standing),
  };
}

/** What the plan allows, and where the account stands in the present month. */
function limitsView({ plan, version, terms }: PlanInForce, standing: Standing | null) {
  const { overage, rate, concurrency, probes, operations, features, price } = terms;
  const quota = standing && {
    state: stateOf(standing.used, standing.included),
    remaining: Math.max(0, standing.included - standing.used),
    resets: new Date(standing.resets).toISOString(),
  };
  return { plan, version, price, overage, quota, rate, concurrency, probes, operations, features };
}
