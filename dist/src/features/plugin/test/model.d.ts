import type { AnyModel } from '../define.ts';
export interface ModelCase {
    /** Options as the settings would have them. */
    options?: unknown;
    /** The environment that `secret({ env })` reads. */
    env?: Readonly<Record<string, string | undefined>>;
    /** False for a model that cannot answer here (no server, no weights): then only form and abort are checked. */
    answers?: boolean;
    /** Longest time a question may take; default 10 s. */
    withinMs?: number;
}
/**
 * Asks a model a question of no meaning: once, once more as a second try, and with a signal that is aborted.
 * @returns what it breaks of the contract, one sentence each; empty when it keeps it
 */
export declare function modelProblems(model: AnyModel, { options: given, env, answers, withinMs }?: ModelCase): Promise<string[]>;
