/** What a CSV column can hold. `address` is a whole address in one cell. */
export type ColumnField = 'record_id' | 'source' | 'identity' | 'name' | 'given' | 'middle' | 'family' | 'suffix' | 'email' | 'phone' | 'street' | 'street2' | 'city' | 'state' | 'zip' | 'plus4' | 'country' | 'address' | 'birth_date' | 'first_seen' | 'last_seen';
/** A column's field, and which of several addresses it belongs to. */
export interface Column {
    field: ColumnField;
    group: string;
}
/**
 * The field of each column of the input `name`: what `map` says (`name=Full Name,email=Mail`), else guessed from the header. A field that
 * is mapped is not guessed anywhere else; a mapped `name` switches off the guesses of its parts too.
 *
 * Errors: `invalid_arguments` where the map is malformed, or names an unknown field or header, and where no column holds the record id.
 */
export declare function readColumns(headers: string[], { name, map }: {
    name: string;
    map?: string;
}): (Column | null)[];
/** What a header says, or null. `Home Phone`, `e-mail 2`, `address_2_city`, `Billing ZIP`. */
export declare function guessColumn(header: string): Column | null;
