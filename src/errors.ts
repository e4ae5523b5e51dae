/**
 * Every code an error of Bonafide can carry. HTTP statuses belong to src/http/problems.ts, exit codes to the
 * command line; the texts here are for people and never hold a submitted value.
 */
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

/** One broken rule of a request. `pointer` is a JSON Pointer into the body as it was sent. */
export interface ValidationIssue {
  pointer: string;
  code: string;
  detail: string;
}

interface ErrorDetails {
  /** Every broken rule of an invalid_request. */
  issues?: ValidationIssue[];
  /** After how many milliseconds trying again makes sense. */
  retryAfterMs?: number;
  [detail: string]: unknown;
}

/** The one error class. `message` is a sentence that says what is wrong and what to do. */
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
 * What an operator chose wrongly: `message` for whoever sits at the command line, which may repeat what was typed there; the rule that
 * `field` breaks for whoever asks over HTTP.
 */
export const invalidArgument = (message: string, field: string, detail: string): BonafideError =>
  new BonafideError('invalid_arguments', message, {
    issues: [{ pointer: field === '' ? '' : `/${field}`, code: `invalid_${field || 'request'}`, detail }],
  });

/** What an operator named and is not there: `what` is the kind of it, such as `key`. */
export const notFoundError = (message: string, what: string): BonafideError =>
  new BonafideError('not_found', message, { what });
