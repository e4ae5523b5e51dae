import type { AnyFeature } from '../plugin/define.ts';
import type { Facts } from '../plugin/facts.ts';
import type { Model } from './model.ts';
export interface Question {
    feature: AnyFeature;
    /** The feature's answer schema as JSON Schema. */
    jsonSchema: Record<string, unknown>;
    model: Model;
    facts: Partial<Facts>;
    brief: unknown;
    options: unknown;
    deadlineMs: number;
    /** Aborted when the caller goes away. */
    signal: AbortSignal;
}
/**
 * The guarded answer of a model to a feature's question.
 * Errors: the code that the block will carry (a ModelError); see plugin/errors.ts.
 */
export declare function answer(question: Question): Promise<unknown>;
