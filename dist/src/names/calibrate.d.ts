/** Confidence 0-100 of a product of likelihoods 0-1, with one decimal. */
export declare function calibrate(product: number): number;
