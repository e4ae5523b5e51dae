import type { Address } from '../model.ts';
/** One record of a source, ready for the graph: tidy texts, unusable values gone. */
export interface ImportRecord {
    recordId: string;
    source: string;
    /** As written, the parts of a name joined in the order given, middle, family, suffix. */
    names: string[];
    emails: string[];
    /** E.164 where a numbering plan knows the number. */
    phones: string[];
    /** `plus4` is part of `zip`: `12345-6789`. */
    addresses: Address[];
    /** `YYYY-MM-DD`, `YYYY-MM` or `YYYY`. */
    birthDate: string | null;
    /** Milliseconds since 1970. */
    firstSeen: number | null;
    lastSeen: number | null;
    /** Records with the same one are one person, whatever the linker would say. */
    identity: string | null;
}
/** A record as it comes out of a file, under the names of the record format; every value may be of any type. */
export interface RawRecord {
    record_id?: unknown;
    source?: unknown;
    identity?: unknown;
    name?: unknown;
    names?: unknown;
    email?: unknown;
    emails?: unknown;
    phone?: unknown;
    phones?: unknown;
    address?: unknown;
    addresses?: unknown;
    birth_date?: unknown;
    first_seen?: unknown;
    last_seen?: unknown;
}
export type RawAddress = {
    [part in keyof Address | 'plus4']?: unknown;
};
/** What became of a raw record: the record and what was left out of it, or why it can't be used. Reasons never hold values. */
export type Outcome = {
    record: ImportRecord;
    recordId: string;
    dropped: string[];
} | {
    problem: string;
    recordId: string | null;
    dropped: string[];
};
export interface RecordOptions {
    /** For records that name no source. */
    source: string;
    /** ISO country in which phone numbers without a country code are read, after the countries of the record's own addresses. */
    region: string;
}
/**
 * Reads one raw record. `record_id` and either a name or a contact must be there. Numbers count as texts; the
 * singular `email`, `phone` and `address` are read too; unknown fields are ignored.
 */
export declare function readRecord(raw: RawRecord, options: RecordOptions): Outcome;
