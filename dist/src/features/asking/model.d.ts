import * as v from 'valibot';
import type { Breaker } from './breaker.ts';
import type { AnyModel, Ask } from '../plugin/define.ts';
import type { Limiter } from './limiter.ts';
import type { ModelSettings, Settings } from '../settings.ts';
export interface Model {
    /** The name that the settings give it. */
    name: string;
    /** What the response's `model` says. */
    label: string;
    instant: boolean;
    /** Whether the same settings would give the same model, so that a reload can keep it and its breaker. */
    fingerprint: string;
    limiter: Limiter;
    breaker: Breaker;
    generate(ask: Ask): Promise<unknown> | unknown;
    /** Opens the state ahead of the first question; trouble shows again at that question. */
    warm(): void;
    close(): Promise<void>;
}
export interface ModelHost {
    models: ReadonlyMap<string, AnyModel>;
    env: Readonly<Record<string, string | undefined>>;
    now: () => number;
}
/** Options as their plugin reads them. Errors: invalid_config, naming the option and never its value. */
export declare function parseOptions(schema: v.GenericSchema | undefined, options: unknown, where: string): unknown;
/** Settings of a model by name: `rules` and every plugin that needs no options are there without being configured. */
export declare function modelSettingsOf(name: string, settings: Settings, plugins: ModelHost['models']): ModelSettings;
/** Makes a model ready to be asked. Errors: invalid_config. */
export declare function createModel(name: string, settings: ModelSettings, host: ModelHost): Model;
