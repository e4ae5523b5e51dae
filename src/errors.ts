/** Code of an error. src/http/problems.ts maps each code to an HTTP status; the command line maps it to an exit code. */
export type ErrorCode =
  // the request
  | 'malformed_request'
  | 'invalid_json'
  | 'missing_api_key'
  | 'invalid_api_key'
  | 'forbidden'
  | 'not_found'
  | 'method_not_allowed'
  | 'body_too_large'
  | 'unsupported_media_type'
  | 'invalid_request'
  | 'internal_error'
  | 'rate_limited'
  | 'quota_exhausted'
  | 'idempotency_in_progress'
  | 'idempotency_mismatch'
  | 'overloaded'
  | 'watches_off'
  | 'watch_limit'
  | 'store_unavailable'
  // the identity graph
  | 'graph_bad_response'
  | 'graph_unavailable'
  | 'graph_timeout'
  | 'graph_circle'
  // the machine and the operator
  | 'invalid_config'
  | 'invalid_arguments'
  | 'data_missing'
  | 'wrong_secret'
  | 'secret_missing'
  | 'foreign_database'
  | 'damaged_database'
  | 'damaged_audit'
  | 'newer_database'
  | 'unsupported_sqlite'
  | 'read_only'
  | 'disk_full'
  | 'disk_failed'
  | 'out_of_memory'
  | 'database_busy'
  | 'port_in_use'
  | 'address_unavailable'
  | 'file_not_found'
  | 'unreadable_file'
  | 'import_in_progress'
  | 'mixed_records'
  | 'doubtful_clock'
  | 'server_failed'
  // backups
  | 'already_there'
  | 'empty_backup'
  | 'damaged_backup'
  | 'wrong_passphrase';

/** One rule that a request breaks. `pointer` is a JSON Pointer to the wrong field of the request body. */
export interface ValidationIssue {
  pointer: string;
  code: string;
  detail: string;
}

interface ErrorDetails {
  /** Rules that the request breaks; only for `invalid_request`. */
  issues?: ValidationIssue[];
  /** Time (ms) after which a retry may succeed. */
  retryAfterMs?: number;
  /** JSON Pointer to the field of the request that names something unknown or ambiguous, such as `/records/0`. */
  pointer?: string;
  /** Name of the limit, scope or other rule that refused the call, for the log of refused calls. Never contains a submitted value. */
  rule?: string;
  /** Number of refused requests that this refusal counts as, because it took long. Default: 1. */
  refusals?: number;
  /** True if the call was or may have been counted, so that a retry needs the same Idempotency-Key. */
  mayBeCounted?: boolean;
  [detail: string]: unknown;
}

/** Error class of the whole program. `message` says what is wrong and what to do, and contains no submitted value. */
export class BonafideError extends Error {
  readonly code: ErrorCode;
  readonly details: ErrorDetails;

  constructor(code: ErrorCode, message: string, details: ErrorDetails = {}) {
    super(message);
    this.name = 'BonafideError';
    this.code = code;
    this.details = details;
  }
}

/**
 * Creates the error for an invalid argument of an operator. The command line shows `message`, which may repeat the argument. HTTP answers show
 * `field` (empty for the whole request) and `detail`, the broken rule.
 */
export const invalidArgumentError = (message: string, field: string, detail: string): BonafideError =>
  new BonafideError('invalid_arguments', message, {
    issues: [{ pointer: field === '' ? '' : `/${field}`, code: `invalid_${field || 'request'}`, detail }],
  });

/** Creates the error for an id or name that does not exist. `what` is the kind of thing that it should name, such as `key`. */
export const notFoundError = (message: string, what: string): BonafideError =>
  new BonafideError('not_found', message, { what });

/** Returns the result of `work`, or `fallback` if `work` throws. */
export function resultOr<T, F>(work: () => T, fallback: F): T | F {
  try {
    return work();
  } catch {
    return fallback;
  }
}

/** Runs `action`. If it throws an error, adds `pointer` to the error: a JSON Pointer to the request field that the action uses. */
export async function withErrorPointer<T>(pointer: string, action: () => Promise<T>): Promise<T> {
  try {
    return await action();
  } catch (error) {
    if (!(error instanceof BonafideError)) throw error;
    const { code, message, details } = error;
    const issues = details.issues?.map((issue) => ({ ...issue, pointer }));
    throw new BonafideError(code, message, { ...details, pointer, ...(issues && { issues }) });
  }
}
