import * as v from 'valibot';
import type { Facts } from '../plugin/facts.ts';
export interface GuardRequest {
    answer: unknown;
    /** The feature's answer schema, and the same as JSON Schema. */
    schema: v.GenericSchema;
    jsonSchema: Record<string, unknown>;
    /** Keys of the answer whose strings are advice: figures and banned subjects are checked, claims of a match are not. */
    advice: readonly string[];
    facts: Partial<Facts>;
    brief: unknown;
}
export type Guarded = {
    ok: true;
    value: unknown;
} | {
    ok: false;
    code: 'model_bad_answer' | 'answer_rejected';
    problems: string[];
};
/**
 * Parses, trims and checks a model's answer. Pure; used on every model alike, the deterministic one included.
 * Numbers are taken from the brief and the facts (the stream aside, which no model sees).
 */
export declare function guard({ answer, schema, jsonSchema, advice, facts, brief }: GuardRequest): Guarded;
