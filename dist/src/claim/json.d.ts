import type { Issue } from '../http/problems.ts';
/** Reads a body as one JSON object in UTF-8. Throws invalid_json; never tells the parser's own words, which quote the body. */
export declare function readObject(bytes: Uint8Array): {
    value: Record<string, unknown>;
    text: string;
};
export declare function isObject(value: unknown): value is Record<string, unknown>;
/**
 * Fields that an object has twice. JSON.parse keeps the last one silently, which would silently weaken a check.
 * `text` must be valid JSON; this walks over its strings and brackets once, without recursion.
 */
export declare function duplicateKeys(text: string): Issue[];
/**
 * A key as a reference token of a JSON Pointer (RFC 6901), slash included. A misplaced value may stand where a field's name belongs, so
 * only what looks like a name is repeated; for any other key the pointer ends at its parent.
 */
export declare function token(key: string): string;
