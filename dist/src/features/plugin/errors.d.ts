export declare const SENTENCES: {
    readonly model_timeout: 'The model did not answer in time.';
    readonly model_unavailable: 'The model could not be reached or had an error of its own.';
    readonly model_rate_limited: 'The model is limiting the number of questions it takes.';
    readonly model_key_refused: 'The model did not accept the configured key.';
    readonly model_not_found: 'The configured model or its address does not exist.';
    readonly model_bad_request: 'The model did not accept the question as it was put.';
    readonly model_redirected: 'The model answered with a redirect, which is not followed.';
    readonly model_bad_answer: 'The model answered in a form that could not be used.';
    readonly model_answer_too_large: 'The model answered at greater length than is accepted.';
    readonly model_busy: 'The model has too many questions waiting.';
    readonly model_skipped: 'The model kept failing and is left alone for a while.';
    readonly model_misconfigured: 'The model is not set up completely.';
    readonly answer_rejected: 'The model said something that the facts do not support, so its answer was left out.';
    readonly feature_failed: 'The analysis stopped on an unexpected problem.';
    readonly cancelled: 'The caller went away before the analysis was done.';
};
export type FeatureErrorCode = keyof typeof SENTENCES;
/**
 * Trouble with a model. The response carries the code and its fixed sentence; `hint` is for the operator
 * (`features test`, the log) and says what to change. Neither may hold a key or the provider's own text.
 */
export declare class ModelError extends Error {
    readonly code: FeatureErrorCode;
    readonly hint: string;
    constructor(code: FeatureErrorCode, hint?: string);
}
/**
 * Told by its form rather than by `instanceof`: a plugin may hold a copy of this class of its own (a bundle, a test
 * runner), and its errors count all the same.
 */
export declare function isModelError(error: unknown): error is ModelError;
/** The `error` of a block that failed: code and sentence, in the response's form. */
export declare function errorOf(code: FeatureErrorCode): {
    code: FeatureErrorCode;
    message: string;
};
