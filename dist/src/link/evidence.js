/** Pairs that are one person are so much commoner than one in all records, because a person has several records. */
export const RECORDS_PER_PERSON = 2;
/** Two decimals: weights are for people to read, and sums must not depend on the order of summing. */
export function round(bits) {
    return Math.round(bits * 100) / 100;
}
