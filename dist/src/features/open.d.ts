import type { FeatureRequest } from './insights.ts';
import type { FeatureMetrics } from './metrics.ts';
import type { FeatureStatus } from './setup.ts';
export type { StreamWindow } from './facts.ts';
export type { FeatureRequest } from './insights.ts';
export { metricsText } from './metrics.ts';
export type { FeatureMetrics } from './metrics.ts';
export type { NameFacts } from './plugin/facts.ts';
export type { FeatureStatus } from './setup.ts';
export interface Features {
    /** The complete `ai_insights` value. Never rejects: what fails is told in its block. */
    insights(request: FeatureRequest): Promise<object>;
    /** Reads the settings again now; where they are wrong, the ones in use stay. Errors: invalid_config, unreadable_file. */
    reload(): Promise<void>;
    list(): FeatureStatus[];
    metrics(): FeatureMetrics;
    close(): Promise<void>;
}
export interface FeatureOptions {
    /** `features.json` of the data folder. Need not exist. */
    settingsFile: string;
    /** An operator's plugins: files, or folders of them. */
    plugins?: readonly string[];
    /** Operator plugins, by file or folder name, that may be skipped; added to those in the settings. */
    optionalPlugins?: readonly string[];
    /** The environment that provider keys are read from. */
    env?: Readonly<Record<string, string | undefined>>;
    log?: {
        info(line: string): void;
        warn(line: string): void;
    };
    now?: () => number;
}
/**
 * Loads the plugins, reads the settings and makes the features ready.
 * Errors: invalid_config, unreadable_file, file_not_found: one line that names the plugin or the setting.
 */
export declare function openFeatures(options: FeatureOptions): Promise<Features>;
