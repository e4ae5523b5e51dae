/**
 * A word's consonants in order, the first letter always kept, doubled ones once: vowel slips and doubled letters
 * vanish. Names of fewer than three such letters, and those with digits, stay whole.
 */
export declare function skeleton(word: string): string;
/**
 * One or two keys of a street's bare name: letters of its start and of its end, each set in alphabetical order
 * so that swapped neighbours meet. Names with digits, where one digit is another street, have one exact key.
 */
export declare function coreKeys(name: string): string[];
