// What whoever administers is told of an error: the sentences for the command line may repeat what was sent, and name its options.
import { BonafideError } from '../../errors.ts';
import type { ValidationIssue } from '../../errors.ts';
import type { AdminOperation } from '../openapi/operations/admin/parts.ts';
import { isStoreTrouble, ProblemError } from '../problems.ts';

/** An error of a duty as an answer; what is none of an operator's doing stays as it is. */
export function toAdminProblem(error: unknown, operation: Pick<AdminOperation, 'of' | 'body'>): unknown {
  if (!(error instanceof BonafideError)) return error;
  const { code, details } = error;
  if (code === 'invalid_arguments' || code === 'already_there')
    return refused(placed(details.issues ?? [UNTOLD], operation));
  if (code === 'not_found') return missing(String(details.what ?? 'thing'), operation);
  if (code === 'store_unavailable' || isStoreTrouble(code)) return unavailable();
  return error;
}

/** What stands in the path is not there: 404. What a field or a filter names is not there: a rule is broken. */
function missing(what: string, { of, body }: Pick<AdminOperation, 'of' | 'body'>): unknown {
  const detail = `There is no such ${what}.`;
  if (what === of) return new ProblemError({ code: 'not_found', detail });
  return refused([{ pointer: body ? `/${what}` : '', code: `unknown_${what}`, detail }]);
}

/** A pointer leads into a body: where there is none, a filter is meant. */
const placed = (issues: ValidationIssue[], { body }: Pick<AdminOperation, 'body'>): ValidationIssue[] =>
  body ? issues : issues.map((issue) => ({ ...issue, pointer: '' }));

function refused(errors: ValidationIssue[]): ProblemError {
  const rules = errors.length === 1 ? 'one rule' : `${errors.length} rules`;
  return new ProblemError({ code: 'invalid_request', detail: `The request breaks ${rules}.`, errors });
}
const UNTOLD: ValidationIssue = {
  pointer: '',
  code: 'invalid_request',
  detail: 'This cannot be done as it was asked.',
};

const unavailable = () =>
  new ProblemError({
    code: 'store_unavailable',
    detail:
      'The store cannot be read or changed at the moment. Ask what became of a change before you try it again.',
    headers: [['retry-after', '5']],
  });
