import type { Token } from './token.ts';
/** Sex that a given name tells: 1 male, 2 female, 0 either or not known. */
export declare function sexOf(t: Token): number;
/** Maria and Mario, Daniel and Danielle, Alan and Alana: two people's names that look like one. */
export declare function genderVariant(a: Token, b: Token): boolean;
/** Whether two words look like the man's and the woman's form of one name, whoever bears them. */
export declare function genderForms(a: Token, b: Token): boolean;
/** A family name with the ending for men: Ivanova -> ivanov, Kowalska -> kowalsky. */
export declare function masculineFamily(text: string): string;
