import { type PreparedName } from './index.ts';
/** Key of the given name alone, by which a changed family name is noticed; null for an initial or none. */
export declare function givenKey(name: PreparedName): string | null;
