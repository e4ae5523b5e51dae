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
