// Records of refused calls: error code, rule and caller, never a submitted value.
import type { UnwrittenRefusal } from '../../accounts/model.ts';
import { BonafideError, type ValidationIssue } from '../../errors.ts';
import { toHttpStatus, type Problem } from '../problems.ts';
import type { RequestContext } from '../response.ts';
import { REQUEST_FIELD_DESCRIPTIONS } from '../schema/request.ts';

/**
 * Stores the problem of a refused request, and the rule that it breaks, in the context of the request. The log of refused calls reads them
 * there.
 */
export function recordRefusalInContext(context: RequestContext, problem: Problem, error: unknown): void {
  const { code, errors = [] } = problem;
  const rule =
    errors.length > 0 ? describeIssues(errors) : error instanceof BonafideError && error.details.rule;
  context.refusals = error instanceof BonafideError ? error.details.refusals : 1;
  context.refusal = { status: toHttpStatus(problem), code, rule: rule || null };
}

/** Returns the log entry of a refused call; null if the call was not refused, or if its route is only for administrators. */
export function toRefusalLogEntry({
  requestId,
  now,
  line,
  sender,
  refusal,
}: RequestContext): UnwrittenRefusal | null {
  const { route } = line;
  if (!refusal || NOT_REFUSED.has(refusal.code) || !(route.startsWith('/v1/') || route === '/mcp'))
    return null;
  const { key = null, account = null, test = false, keyHash = null } = sender ?? {};
  return { ...refusal, requestId, time: now, endpoint: route, key, account, test, keyHash, more: 0 };
}

/** Error codes that are not logged as refused calls, because the address or the id does not exist. */
const NOT_REFUSED: ReadonlySet<string> = new Set(['not_found', 'method_not_allowed']);

/** Maximum number of broken rules that are logged with a refused call. Further rules are only counted. */
const MAX_ISSUES = 3;

function describeIssues(issues: readonly ValidationIssue[]): string {
  const rules = issues
    .slice(0, MAX_ISSUES)
    .map(({ pointer, code }) => `${hideSubmittedNames(pointer)} ${code}`.trim());
  const rest = issues.length - rules.length;
  return [...rules, ...(rest > 0 ? [`${rest} more`] : [])].join(', ');
}

const FIELDS: ReadonlySet<string> = new Set([...Object.keys(REQUEST_FIELD_DESCRIPTIONS), 'genuine']);

/** Replaces each name in a JSON Pointer that is neither a field of a request nor a list index: the client chose that name. */
const hideSubmittedNames = (pointer: string): string =>
  pointer
    .split('/')
    .map((part, i, all) => (part === '' || FIELDS.has(part) || isPlace(part, all[i - 1]) ? part : '*'))
    .join('/');

const isPlace = (part: string, list = ''): boolean => FIELDS.has(list) && /^\d{1,2}$/.test(part);
