import type { AnyFeature, AnyModel } from '../plugin/define.ts';
export type Plugin = AnyFeature | AnyModel;
export interface Plugins {
    features: Map<string, AnyFeature>;
    models: Map<string, AnyModel>;
}
export interface LoadOptions {
    /** An operator's plugins: files, or folders of them. Default none. */
    paths?: readonly string[];
    /** File or folder names (without extension) that are skipped when they do not load. */
    optional: readonly string[];
    log: {
        info(line: string): void;
        warn(line: string): void;
    };
}
/**
 * Loads one file, or one folder with a package.json or an index.
 * @returns the plugins it exports: one or more
 * Errors: invalid_config, in one line that names the path and says what is expected.
 */
export declare function loadPlugin(path: string): Plugin[];
/**
 * Loads Bonafide's plugins, then the operator's, naming each in the log with its version.
 * @returns features and models by name
 * Errors: invalid_config for the first plugin that does not load and is not optional; file_not_found.
 */
export declare function loadPlugins({ paths, optional, log }: LoadOptions): Plugins;
