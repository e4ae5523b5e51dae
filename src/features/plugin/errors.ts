// Error codes of models and features, and the fixed sentence of each code in the response.

export const FEATURE_ERROR_SENTENCES = {
  model_timeout: 'The model did not answer in time.',
  model_unavailable: 'The model could not be reached or had an error of its own.',
  model_rate_limited: 'The model is limiting the number of questions it takes.',
  model_key_refused: 'The model did not accept the configured key.',
  model_not_found: 'The configured model or its address does not exist.',
  model_bad_request: 'The model did not accept the question as it was put.',
  model_redirected: 'The model answered with a redirect, which is not followed.',
  model_bad_answer: 'The model answered in a form that could not be used.',
  model_answer_too_large: 'The model answered at greater length than is accepted.',
  model_busy: 'The model has too many questions waiting.',
  model_skipped: 'The model kept failing and is left alone for a while.',
  model_misconfigured: 'The model is not set up completely.',
  answer_rejected: 'The model said something that the facts do not support, so its answer was left out.',
  feature_failed: 'The analysis stopped on an unexpected problem.',
  cancelled: 'The caller went away before the analysis was done.',
} as const;

export type FeatureErrorCode = keyof typeof FEATURE_ERROR_SENTENCES;

/**
 * Failure of a model. The response contains the code with a fixed sentence. `hint` tells the operator what to change, in `features test` and the
 * log. Code and hint must not contain an API key or text of the provider.
 */
export class ModelError extends Error {
  readonly code: FeatureErrorCode;
  readonly hint: string;

  constructor(code: FeatureErrorCode, hint = '') {
    super(FEATURE_ERROR_SENTENCES[code]);
    this.name = 'ModelError';
    this.code = code;
    this.hint = hint;
  }
}

/** True if a value looks like a ModelError. A plugin may bundle its own copy of the class, for which `instanceof` is false. */
export function isModelError(error: unknown): error is ModelError {
  return (
    error instanceof Error &&
    error.name === 'ModelError' &&
    'code' in error &&
    Object.hasOwn(FEATURE_ERROR_SENTENCES, String(error.code))
  );
}

export function toResponseError(code: FeatureErrorCode): { code: FeatureErrorCode; message: string } {
  return { code, message: FEATURE_ERROR_SENTENCES[code] };
}

/** Returns the error code of a failed connection, if there is one. The error text is not used, because it can contain a URL with an API key. */
export function findSocketErrorCode(error: unknown): string | undefined {
  for (let at = error; at instanceof Error; at = at.cause)
    if ('code' in at && typeof at.code === 'string') return at.code;
  return undefined;
}

/** Codes of Node.js and undici for a server that cannot be reached. */
const UNREACHABLE = new Set(
  'ECONNREFUSED ECONNRESET ECONNABORTED EPIPE ENOENT ENOTFOUND EAI_AGAIN EHOSTUNREACH EHOSTDOWN ENETUNREACH ENETDOWN ETIMEDOUT UND_ERR_CONNECT_TIMEOUT UND_ERR_SOCKET'.split(
    ' ',
  ),
);

/** True for an error of a plugin whose server cannot be reached. */
export const isUnreachableError = (error: unknown): boolean =>
  isModelError(error)
    ? error.code === 'model_unavailable'
    : UNREACHABLE.has(findSocketErrorCode(error) ?? '');
