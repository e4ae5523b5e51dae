export interface Post {
    url: string;
    headers?: Record<string, string>;
    body: unknown;
    signal: AbortSignal;
    /** Default 256 KiB. */
    maxBytes?: number;
}
/**
 * Posts JSON and returns the parsed JSON of a 200. Everything else is a `ModelError` whose code says what happened;
 * a provider's own error text is read by nobody.
 * Errors: model_bad_request, model_key_refused, model_not_found, model_rate_limited, model_redirected, model_unavailable,
 * model_timeout, model_bad_answer, model_answer_too_large.
 */
export declare function postJson({ url, headers, body, signal, maxBytes }: Post): Promise<unknown>;
