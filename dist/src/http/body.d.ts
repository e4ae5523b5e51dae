import type { H3Event } from 'h3';
/** The most that a request body may have, in bytes. */
export declare const BODY_LIMIT: number;
/**
 * The bytes of a JSON body. Reading stops at the limit, whatever the length header says.
 * Throws unsupported_media_type, body_too_large, malformed_request (the sender hung up).
 */
export declare function readBytes(event: H3Event): Promise<Uint8Array>;
