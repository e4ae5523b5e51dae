import type { ArgsDef, CommandDef, ParsedArgs } from 'citty';
import type { Config, Option } from '../config.ts';
/** A command as citty knows it, with lines that its help shows as examples (without the leading `bonafide`). */
export type Command<A extends ArgsDef = ArgsDef> = CommandDef<A> & {
    examples?: string[];
};
export declare function defineCommand<const A extends ArgsDef>(command: Command<A>): Command<A>;
/** Options that every command has. */
export declare const COMMON: {
    readonly 'data-dir': {
        readonly type: 'string';
        readonly description: 'Folder of the databases and the secret (BONAFIDE_DATA_DIR; default data/local)';
        readonly valueHint: 'folder';
    };
    readonly config: {
        readonly type: 'string';
        readonly description: 'Settings file (default bonafide.config.*)';
        readonly valueHint: 'file';
    };
    readonly json: {
        readonly type: 'boolean';
        readonly description: 'Print JSON for scripts';
    };
};
/** The option of the commands that load feature plugins. */
export declare const PLUGINS: {
    readonly plugins: {
        readonly type: 'string';
        readonly description: 'Folders with feature plugins of your own (BONAFIDE_PLUGINS)';
        readonly valueHint: 'folders';
    };
};
type CommonArgs = ParsedArgs<typeof COMMON>;
/** The settings, with what this command line says over them. The operator's own name tables are in use from here on. */
export declare function configOf(args: CommonArgs, flags?: {
    [O in Option]?: string | undefined;
}, defaultDataDir?: string): Promise<Config>;
/** Prints to standard output: JSON with --json, the text else. */
export declare function print(args: {
    json?: boolean | undefined;
}, data: unknown, text: string): void;
/** Every value of an option that may be repeated, in order: citty itself keeps only the last. */
export declare function everyValue(rawArgs: string[], option: string): string[];
/** `24h`, `30m`, `7d`, `0s` as milliseconds. Throws invalid_arguments. */
export declare function duration(text: string, option: string): number;
/** Rows of words in columns, two spaces apart. */
export declare function table(rows: string[][]): string;
export {};
