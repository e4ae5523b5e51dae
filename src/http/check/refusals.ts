// Records of refused calls: error code, rule and caller, never a submitted value.
import type { PendingRefusal } from '../../accounts/model.ts';
import { BonafideError, type ValidationIssue } from '../../errors.ts';
import { toHttpStatus, type Problem } from '../problems.ts';
import type { RequestContext } from '../response.ts';
import { REQUEST_FIELD_DESCRIPTIONS } from '../schema/request.ts';

/** Stores the problem of a refused request and the broken rule in the request's context, for the log of refused calls. */
export function recordRefusalInContext(context: RequestContext, problem: Problem, error: unknown): void {
  const { code, errors = [] } = problem;
  const rule =
    errors.length > 0 ? describeIssues(errors) : error instanceof BonafideError && error.details.rule;
  context.refusal = { status: toHttpStatus(problem), code, rule: rule || null };
}

/**
 * Returns the entry of a refused call for the log of refused calls; null if the call was not refused, or if its route is not for callers.
 */
export function toPendingRefusal({
  requestId,
  now,
  line,
  sender,
  refusal,
}: RequestContext): PendingRefusal | null {
  const { route } = line;
  if (!refusal || NOT_REFUSED.has(refusal.code) || !(route.startsWith('/v1/') || route === '/mcp'))
    return null;
  const { key = null, account = null, test = false, keyHash = null } = sender ?? {};
  return { ...refusal, requestId, time: now, endpoint: route, key, account, test, keyHash, more: 0 };
}

/** Error codes that are not recorded as refusals: the address or id does not exist. */
const NOT_REFUSED: ReadonlySet<string> = new Set(['not_found', 'method_not_allowed']);

/** Maximum number of violated rules recorded with a refused call; further ones are only counted. */
const MAX_ISSUES = 3;

function describeIssues(issues: readonly ValidationIssue[]): string {
  const rules = issues
    .slice(0, MAX_ISSUES)
    .map(({ pointer, code }) => `${hideSubmittedNames(pointer)} ${code}`.trim());
  const rest = issues.length - rules.length;
  return [...rules, ...(rest > 0 ? [`${rest} more`] : [])].join(', ');
}

const FIELDS: ReadonlySet<string> = new Set([...Object.keys(REQUEST_FIELD_DESCRIPTIONS), 'genuine']);

/** Returns a JSON Pointer without submitted names: names that are neither fields of a request nor list indexes are replaced. */
const hideSubmittedNames = (pointer: string): string =>
  pointer
    .split('/')
    .map((part, i, all) => (part === '' || FIELDS.has(part) || isPlace(part, all[i - 1]) ? part : '*'))
    .join('/');

const isPlace = (part: string, list = ''): boolean => FIELDS.has(list) && /^\d{1,2}$/.test(part);
