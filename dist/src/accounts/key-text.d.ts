/** `length` random base62 characters. Bytes from 248 (4 x 62) up are drawn again, so that no character is likelier. */
export declare function randomText(length: number): string;
/** A new key, to be shown once. */
export declare function newKey(mode: 'live' | 'test'): string;
/** Whether the text has the shape and the checksum of a key; a typo is refused here, without a look-up. */
export declare function looksLikeKey(text: string): boolean;
/** What is stored of a key. It is random enough (190 bits) to need no slow hash. */
export declare function hashKey(key: string): Buffer;
