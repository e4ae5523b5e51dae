/**
 * What is wrong with the form of a value that should be a plugin.
 * @returns half a sentence that says what is expected; undefined when nothing is wrong
 */
export declare function pluginProblem(plugin: unknown): string | undefined;
