import type { AnyFeature } from './plugin/define.ts';
import type { Slot } from './plugin/facts.ts';
import type { Plugins } from './loading/load.ts';
import type { Model } from './asking/model.ts';
import type { Settings } from './settings.ts';
/** A feature as the settings stand, for people: `features list` and the admin API. */
export interface FeatureStatus {
    feature: Slot;
    on: boolean;
    plugin: string;
    model: string;
    label: string;
    fallback: 'rules' | null;
    deadline_ms: number;
    breaker: 'closed' | 'open' | 'half_open';
}
/** One feature as the settings have it. */
export interface Ready {
    slot: Slot;
    on: boolean;
    plugin: AnyFeature;
    options: unknown;
    jsonSchema: Record<string, unknown>;
    model: Model;
    rules: Model;
    fallback: 'rules' | null;
    deadlineMs: number;
    status(): FeatureStatus;
}
export interface Setup {
    features: Record<Slot, Ready>;
    models: Map<string, Model>;
}
export interface SetUpOptions {
    env: Readonly<Record<string, string | undefined>>;
    now: () => number;
    /** Models in use; kept, with their circuit and their state, where the settings did not change them. */
    before: readonly Model[];
    /** Whether models are opened ahead of the first question; default true. */
    warm?: boolean;
}
/**
 * Makes the features ready as the settings have them; a model is opened ahead of its first question.
 * Errors: invalid_config, naming the feature and what its settings get wrong.
 */
export declare function setUp(settings: Settings, plugins: Plugins, options: SetUpOptions): Setup;
/** Closes the models that a new set-up no longer holds; all of them without one. */
export declare function closeUnused(before: readonly Model[], now: Setup | undefined): Promise<void>;
