/** What the tables say about one folded name. Numbers identify names and groups; they have no meaning outside. */
export interface NameInfo {
    /** The folded name itself. */
    name: string;
    id: number;
    /** Ids of the full names that this one is a short form of. */
    formals: number[];
    /** Spelling families and cultural groups. */
    spellings: number[];
    cultures: number[];
    /** Bits: 1 male, 2 female, 4 known given name, 8 known surname, 16 very common surname. */
    flags: number;
}
export declare const MALE = 1;
export declare const FEMALE = 2;
export declare const GIVEN = 4;
export declare const SURNAME = 8;
export declare const COMMON = 16;
/** Names the tables that are in use, the operator's own among them: look-up keys that were made with other ones may differ. */
export declare function nameTablesDigest(): string;
/**
 * Adds an operator's own table to the shipped ones: a text file with the sections `[nicknames]` (a line is `full names :
 * short forms`), `[spellings]` and `[cultural]` (a line is one group of names), `[male]`, `[female]`, `[either]`,
 * `[surname]` and `[common]` (names). `#` starts a comment. Names prepared before keep what was known then.
 * @throws BonafideError file_not_found, unreadable_file; invalid_config for a section of another name
 */
export declare function loadNameTables(path: string): void;
/** What the tables know of a folded name (a-z); undefined when nothing. Reads the tables on first use. */
export declare function lookUp(text: string): NameInfo | undefined;
/** The first name of a group of spellings or equivalents, which stands for all of them. */
export declare function headOf(group: number): string;
/** Every name of the tables. */
export declare function knownNames(): Iterable<string>;
/** Entry of a name by its id. */
export declare function entryOf(id: number): NameInfo;
