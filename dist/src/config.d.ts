import * as v from 'valibot';
/** Every setting, its default, and what it must be. Names in the file are these; see `ENVIRONMENT` for the variables. */
declare const schema: v.ObjectSchema<{
    /** Folder of the databases and the secret. */
    readonly dataDir: v.OptionalSchema<v.SchemaWithPipe<readonly [v.StringSchema<undefined>, v.MinLengthAction<string, 1, undefined>]>, "data/local">;
    readonly host: v.OptionalSchema<v.SchemaWithPipe<readonly [v.StringSchema<undefined>, v.MinLengthAction<string, 1, undefined>]>, "127.0.0.1">;
    /** 0 takes a free port. */
    readonly port: v.OptionalSchema<v.SchemaWithPipe<readonly [v.NumberSchema<undefined>, v.IntegerAction<number, undefined>, v.MinValueAction<number, 0, undefined>, v.MaxValueAction<number, 65535, undefined>]>, 8787>;
    /** Country (ISO 3166, two letters) in which numbers and addresses that name none are read. */
    readonly region: v.OptionalSchema<v.SchemaWithPipe<readonly [v.StringSchema<undefined>, v.ToUpperCaseAction, v.CheckAction<string, undefined>]>, "US">;
    /** The graph's secret, 64 hexadecimal characters; without it, the file `secret` in the data folder. */
    readonly secret: v.OptionalSchema<v.SchemaWithPipe<readonly [v.StringSchema<undefined>, v.MinLengthAction<string, 1, undefined>]>, undefined>;
    /** `auto` is pretty in a terminal and json elsewhere. */
    readonly log: v.OptionalSchema<v.PicklistSchema<["auto", "json", "pretty", "silent"], undefined>, "auto">;
    /** Folders with feature plugins of your own. */
    readonly plugins: v.OptionalSchema<v.ArraySchema<v.SchemaWithPipe<readonly [v.StringSchema<undefined>, v.MinLengthAction<string, 1, undefined>]>, undefined>, readonly []>;
    /** Files with names of your own: short forms, spellings, equivalents. */
    readonly nameTables: v.OptionalSchema<v.ArraySchema<v.SchemaWithPipe<readonly [v.StringSchema<undefined>, v.MinLengthAction<string, 1, undefined>]>, undefined>, readonly []>;
}, undefined>;
export type Config = v.InferOutput<typeof schema>;
export type Option = keyof Config;
export declare const ENVIRONMENT: Record<Option, string>;
export interface Sources {
    /** What the command line said; undefined where it said nothing. */
    flags?: {
        [O in Option]?: string | undefined;
    };
    /** The folder to work in where nobody names one. */
    defaultDataDir?: string | undefined;
    /** A settings file to read instead of `bonafide.config.*` in the working folder. */
    file?: string | undefined;
    env?: Record<string, string | undefined>;
    cwd?: string;
}
/** The environment, for the parts that are handed it. No other file reads process.env. */
export declare const environment: Readonly<Record<string, string | undefined>>;
/**
 * Reads the settings once: flags over environment over file over defaults. `dataDir` comes back absolute.
 * Throws BonafideError invalid_config (names the option, never its value), file_not_found, unreadable_file.
 */
export declare function loadConfig({ flags, defaultDataDir, file, env, cwd, }?: Sources): Promise<Config>;
export {};
