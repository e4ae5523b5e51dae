import type { AlignedToken } from './align.ts';
import { type Judgement } from './judge.ts';
import type { PreparedName } from './prepare.ts';
/** The alignment as pairs of words in the order of the first name, lone words last. */
export declare function describeAlignment(judgement: Judgement, a: PreparedName, b: PreparedName): AlignedToken[];
/** What the comparison saw, as one sentence. */
export declare function explain(judgement: Judgement, a: PreparedName, b: PreparedName): string;
/** What speaks against one person, each as a sentence; empty when nothing does. */
export declare function concerns(judgement: Judgement, a: PreparedName, b: PreparedName): string[];
