export type Format = 'jsonl' | 'csv';
/** Bytes of an input, unpacked, with what they hold. */
export interface OpenedSource {
    bytes: AsyncIterable<Uint8Array>;
    format: Format;
}
/**
 * Unpacks gzip, told by its magic bytes, and says the format: by the name's ending, else JSON Lines where the first character is `{`.
 *
 * Errors: `unreadable_file` for damaged gzip, for UTF-16 and for one big JSON array.
 */
export declare function openSource(source: AsyncIterable<Uint8Array>, name: string): Promise<OpenedSource>;
