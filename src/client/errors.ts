import type { ErrorCode } from '../errors.ts';

/** A code of the server (see the page Calling the API), or why no answer of it was to be had. */
export type ApiErrorCode = ErrorCode | 'unreachable' | 'timed_out' | 'unreadable_answer';

export interface ApiIssue {
  /** JSON Pointer into the body as it was sent. */
  pointer: string;
  code: string;
  detail: string;
}

interface Told {
  code: ApiErrorCode;
  detail: string;
  status?: number;
  requestId?: string | undefined;
  issues?: ApiIssue[] | undefined;
  retryAfterMs?: number | undefined;
}

/** A call that was not answered as asked. Decide by `code`; the message is for people. */
export class BonafideApiError extends Error {
  readonly code: ApiErrorCode;
  /** The HTTP status; 0 where there was no answer. */
  readonly status: number;
  /** For asking about the call, and for finding it in the server's log. */
  readonly requestId: string | undefined;
  /** Every rule that the request breaks, with `invalid_request`. */
  readonly issues: ApiIssue[];
  /** After how many milliseconds the server wants to be asked again. */
  readonly retryAfterMs: number | undefined;

  constructor({ code, detail, status = 0, requestId, issues = [], retryAfterMs }: Told) {
    super(`${code}: ${detail}`);
    this.name = 'BonafideApiError';
    this.code = code;
    this.status = status;
    this.requestId = requestId;
    this.issues = issues;
    this.retryAfterMs = retryAfterMs;
  }
}
