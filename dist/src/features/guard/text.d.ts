/** Every string in a value with its path, such as `key_factors[0]`. */
export declare function strings(value: unknown, path?: string): {
    path: string;
    text: string;
}[];
/** Every number that a value holds, those written in its strings included. */
export declare function numbersIn(value: unknown, found?: Set<number>): Set<number>;
/** The numbers written in digits in a text: `1,000` is 1000. */
export declare function writtenNumbers(text: string): number[];
interface Shape {
    type?: string;
    properties?: Record<string, Shape>;
    items?: Shape;
    maxItems?: number;
    maxLength?: number;
}
/** Cuts lists and strings to the limits of their JSON Schema; a string at its last whole sentence, else at a word. */
export declare function trimTo(shape: Shape, value: unknown): unknown;
/** Parses the JSON of a model's text: bare, in a code fence, or with words around it. Undefined when there is none. */
export declare function looseJson(text: string): unknown;
export {};
