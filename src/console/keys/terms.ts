// Terms of a plan: the version in force at a time, and the form that changes them.
import type { Plan } from '../app/types.ts';

export type PlanTerms = Plan['versions'][number];

export const OPERATION_LABELS = { validate: 'Check', enhanced: 'Enhanced check' };
export const FEATURE_LABELS = {
  trust_enhancement: 'Narrative',
  fraud_detection: 'Fraud detection',
  name_matching: 'Name matching',
};

/** Returns the terms in force at `time` (ms since 1970). If two versions have the same start, the newer one applies, as on the server. */
export function findPlanTermsAt(plan: Plan | undefined, time: number): PlanTerms | undefined {
  const versions = plan?.versions ?? [];
  const begun = versions.filter(({ since }) => Date.parse(since) <= time);
  const newestFirst = begun.toSorted(
    (a, b) => Date.parse(b.since) - Date.parse(a.since) || b.version - a.version,
  );
  return newestFirst[0] ?? versions[0];
}

/** Returns the start of the next month (UTC) in milliseconds since 1970. */
export function getNextMonthStart(now: number): number {
  const date = new Date(now);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1);
}

const keysOf = <K extends string>(options: Record<K, string>): K[] => Object.keys(options) as K[];

/** Sorts values by the order of their labels. The order of values is not a term of the plan, so it must not count as a change. */
const sortByLabels = <K extends string>(values: readonly K[], labels: Record<K, string>): K[] =>
  keysOf(labels).filter((key) => values.includes(key));

/** Returns the values of the form for `terms`, or for a new plan. */
export const toPlanTermsForm = (terms: PlanTerms | undefined) => ({
  included: String(terms?.included ?? 1000),
  price: terms?.price ?? '0.02',
  currency: terms?.currency ?? 'USD',
  overage: terms?.overage ?? 'bill',
  rate: String(terms?.rate?.calls ?? ''),
  seconds: String(terms?.rate?.seconds ?? 1),
  burst: String(terms?.rate?.burst ?? ''),
  concurrency: String(terms?.concurrency ?? ''),
  probes: String(terms?.probes ?? ''),
  operations: terms?.operations ?? keysOf(OPERATION_LABELS),
  features: terms?.features ?? keysOf(FEATURE_LABELS),
});

export type PlanTermsForm = ReturnType<typeof toPlanTermsForm>;

/** Returns the terms in the form as a request body. */
export const toPlanTermsBody = (form: PlanTermsForm) => ({
  included: toNumber(form.included),
  price: form.price.trim(),
  currency: form.currency.trim(),
  overage: form.overage,
  rate: toRate(form),
  concurrency: toLimit(form.concurrency),
  probes: toLimit(form.probes),
  operations: sortByLabels(form.operations, OPERATION_LABELS),
  features: sortByLabels(form.features, FEATURE_LABELS),
});

/** Returns the terms that the form changes, as a request body. The server keeps all other terms. */
export function toChangedPlanTerms(
  form: PlanTermsForm,
  terms: PlanTerms | undefined,
): Record<string, unknown> {
  const before: Record<string, unknown> = toPlanTermsBody(toPlanTermsForm(terms));
  return Object.fromEntries(
    Object.entries(toPlanTermsBody(form)).filter(
      ([name, value]) => JSON.stringify(value) !== JSON.stringify(before[name]),
    ),
  );
}

/** Parses a number. Returns a text that is not a number unchanged: the server rejects it with an error at the field. */
const toNumber = (text: string): number | string => {
  const number = text.trim() === '' ? Number.NaN : Number(text);
  return Number.isFinite(number) ? number : text;
};

/** Reads the rate limit from the form; null (no limit) if the number of calls is empty. Default burst: the number of calls. */
function toRate({ rate, seconds, burst }: PlanTermsForm) {
  if (rate.trim() === '') return null;
  return { calls: toNumber(rate), seconds: toNumber(seconds), burst: toNumber(burst.trim() || rate) };
}

/** Parses a limit in the form; an empty text becomes null (no limit). */
const toLimit = (text: string): number | string | null => (text.trim() === '' ? null : toNumber(text));
