/** The known word that an unknown one was probably meant to be: a few letters apart, or the same after case and signs. */
export declare function nearest(word: string, known: readonly string[]): string | undefined;
