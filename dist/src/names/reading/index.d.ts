import { type Script } from '../script.ts';
import { type Reading } from './alphabets.ts';
export type { Reading };
/** Scripts that leave short vowels unwritten. */
export declare function isBare(script: Script): boolean;
/** Reads one word of a script. The empty text means that nothing in it can be read. */
export declare function readWord(word: string, script: Script): Reading;
