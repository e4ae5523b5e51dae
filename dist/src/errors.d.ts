/**
 * Every code an error of Bonafide can carry. HTTP statuses belong to src/http/problems.ts, exit codes to the
 * command line; the texts here are for people and never hold a submitted value.
 */
export type ErrorCode = 'malformed_request' | 'invalid_json' | 'missing_api_key' | 'invalid_api_key' | 'forbidden' | 'not_found' | 'method_not_allowed' | 'body_too_large' | 'unsupported_media_type' | 'invalid_request' | 'internal_error' | 'graph_bad_response' | 'graph_unavailable' | 'graph_timeout' | 'invalid_config' | 'invalid_arguments' | 'wrong_secret' | 'secret_missing' | 'foreign_database' | 'damaged_database' | 'newer_database' | 'read_only' | 'disk_full' | 'database_busy' | 'port_in_use' | 'address_unavailable' | 'file_not_found' | 'unreadable_file' | 'import_in_progress' | 'mixed_records';
/** The one error class. `message` is a sentence that says what is wrong and what to do. */
export declare class BonafideError extends Error {
    readonly code: ErrorCode;
    readonly details: Record<string, unknown>;
    constructor(code: ErrorCode, message: string, details?: Record<string, unknown>);
}
