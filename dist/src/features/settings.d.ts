import * as v from 'valibot';
import type { Slot } from './plugin/facts.ts';
declare const modelSettings: v.StrictObjectSchema<{
    readonly plugin: v.SchemaWithPipe<readonly [v.StringSchema<undefined>, v.RegexAction<string, "must be lower case letters, digits, dots or dashes">]>;
    readonly options: v.OptionalSchema<v.RecordSchema<v.StringSchema<undefined>, v.UnknownSchema, undefined>, {}>;
    readonly concurrency: v.OptionalSchema<v.SchemaWithPipe<readonly [v.NumberSchema<undefined>, v.IntegerAction<number, undefined>, v.MinValueAction<number, 1, undefined>, v.MaxValueAction<number, 256, undefined>]>, undefined>;
    readonly queue: v.OptionalSchema<v.SchemaWithPipe<readonly [v.NumberSchema<undefined>, v.IntegerAction<number, undefined>, v.MinValueAction<number, 0, undefined>, v.MaxValueAction<number, 10000, undefined>]>, 32>;
    /** Failures in a row that open the circuit, and for how long. */
    readonly breaker: v.OptionalSchema<v.StrictObjectSchema<{
        readonly failures: v.OptionalSchema<v.SchemaWithPipe<readonly [v.NumberSchema<undefined>, v.IntegerAction<number, undefined>, v.MinValueAction<number, 1, undefined>]>, 5>;
        readonly pause_ms: v.OptionalSchema<v.SchemaWithPipe<readonly [v.NumberSchema<undefined>, v.IntegerAction<number, undefined>, v.MinValueAction<number, 1, undefined>]>, 30000>;
    }, undefined>, {}>;
}, undefined>;
declare const schema: v.StrictObjectSchema<{
    readonly features: v.OptionalSchema<v.StrictObjectSchema<{
        readonly trust_enhancement: v.OptionalSchema<v.StrictObjectSchema<{
            readonly on: v.OptionalSchema<v.BooleanSchema<undefined>, true>;
            readonly plugin: v.OptionalSchema<v.SchemaWithPipe<readonly [v.StringSchema<undefined>, v.RegexAction<string, "must be lower case letters, digits, dots or dashes">]>, string>;
            readonly model: v.OptionalSchema<v.SchemaWithPipe<readonly [v.StringSchema<undefined>, v.RegexAction<string, "must be lower case letters, digits, dots or dashes">]>, "rules">;
            /** What answers when the model fails; null lets the block fail as specified. */
            readonly fallback: v.OptionalSchema<v.NullableSchema<v.LiteralSchema<"rules", undefined>, undefined>, null>;
            /** Everything included: waiting in the queue, the answer, the one repair. */
            readonly deadline_ms: v.OptionalSchema<v.SchemaWithPipe<readonly [v.NumberSchema<undefined>, v.IntegerAction<number, undefined>, v.MinValueAction<number, 50, undefined>, v.MaxValueAction<number, 120000, undefined>]>, 8000>;
            readonly options: v.OptionalSchema<v.RecordSchema<v.StringSchema<undefined>, v.UnknownSchema, undefined>, {}>;
        }, undefined>, {}>;
        readonly fraud_detection: v.OptionalSchema<v.StrictObjectSchema<{
            readonly on: v.OptionalSchema<v.BooleanSchema<undefined>, true>;
            readonly plugin: v.OptionalSchema<v.SchemaWithPipe<readonly [v.StringSchema<undefined>, v.RegexAction<string, "must be lower case letters, digits, dots or dashes">]>, string>;
            readonly model: v.OptionalSchema<v.SchemaWithPipe<readonly [v.StringSchema<undefined>, v.RegexAction<string, "must be lower case letters, digits, dots or dashes">]>, "rules">;
            /** What answers when the model fails; null lets the block fail as specified. */
            readonly fallback: v.OptionalSchema<v.NullableSchema<v.LiteralSchema<"rules", undefined>, undefined>, null>;
            /** Everything included: waiting in the queue, the answer, the one repair. */
            readonly deadline_ms: v.OptionalSchema<v.SchemaWithPipe<readonly [v.NumberSchema<undefined>, v.IntegerAction<number, undefined>, v.MinValueAction<number, 50, undefined>, v.MaxValueAction<number, 120000, undefined>]>, 8000>;
            readonly options: v.OptionalSchema<v.RecordSchema<v.StringSchema<undefined>, v.UnknownSchema, undefined>, {}>;
        }, undefined>, {}>;
        readonly name_matching: v.OptionalSchema<v.StrictObjectSchema<{
            readonly on: v.OptionalSchema<v.BooleanSchema<undefined>, true>;
            readonly plugin: v.OptionalSchema<v.SchemaWithPipe<readonly [v.StringSchema<undefined>, v.RegexAction<string, "must be lower case letters, digits, dots or dashes">]>, string>;
            readonly model: v.OptionalSchema<v.SchemaWithPipe<readonly [v.StringSchema<undefined>, v.RegexAction<string, "must be lower case letters, digits, dots or dashes">]>, "rules">;
            /** What answers when the model fails; null lets the block fail as specified. */
            readonly fallback: v.OptionalSchema<v.NullableSchema<v.LiteralSchema<"rules", undefined>, undefined>, null>;
            /** Everything included: waiting in the queue, the answer, the one repair. */
            readonly deadline_ms: v.OptionalSchema<v.SchemaWithPipe<readonly [v.NumberSchema<undefined>, v.IntegerAction<number, undefined>, v.MinValueAction<number, 50, undefined>, v.MaxValueAction<number, 120000, undefined>]>, 8000>;
            readonly options: v.OptionalSchema<v.RecordSchema<v.StringSchema<undefined>, v.UnknownSchema, undefined>, {}>;
        }, undefined>, {}>;
    }, undefined>, {}>;
    readonly models: v.OptionalSchema<v.RecordSchema<v.SchemaWithPipe<readonly [v.StringSchema<undefined>, v.RegexAction<string, "must be lower case letters, digits, dots or dashes">]>, v.StrictObjectSchema<{
        readonly plugin: v.SchemaWithPipe<readonly [v.StringSchema<undefined>, v.RegexAction<string, "must be lower case letters, digits, dots or dashes">]>;
        readonly options: v.OptionalSchema<v.RecordSchema<v.StringSchema<undefined>, v.UnknownSchema, undefined>, {}>;
        readonly concurrency: v.OptionalSchema<v.SchemaWithPipe<readonly [v.NumberSchema<undefined>, v.IntegerAction<number, undefined>, v.MinValueAction<number, 1, undefined>, v.MaxValueAction<number, 256, undefined>]>, undefined>;
        readonly queue: v.OptionalSchema<v.SchemaWithPipe<readonly [v.NumberSchema<undefined>, v.IntegerAction<number, undefined>, v.MinValueAction<number, 0, undefined>, v.MaxValueAction<number, 10000, undefined>]>, 32>;
        /** Failures in a row that open the circuit, and for how long. */
        readonly breaker: v.OptionalSchema<v.StrictObjectSchema<{
            readonly failures: v.OptionalSchema<v.SchemaWithPipe<readonly [v.NumberSchema<undefined>, v.IntegerAction<number, undefined>, v.MinValueAction<number, 1, undefined>]>, 5>;
            readonly pause_ms: v.OptionalSchema<v.SchemaWithPipe<readonly [v.NumberSchema<undefined>, v.IntegerAction<number, undefined>, v.MinValueAction<number, 1, undefined>]>, 30000>;
        }, undefined>, {}>;
    }, undefined>, undefined>, {}>;
    /** Operator plugins (by file or folder name) that are skipped when they do not load. */
    readonly optional_plugins: v.OptionalSchema<v.ArraySchema<v.StringSchema<undefined>, undefined>, readonly []>;
}, undefined>;
export type Settings = v.InferOutput<typeof schema>;
export type FeatureSettings = Settings['features'][Slot];
export type ModelSettings = v.InferOutput<typeof modelSettings>;
export declare const defaultSettings: () => Settings;
/** The first thing wrong with a value, as `a.b: what`; never the value, which may be a secret in the wrong place. */
export declare function firstIssue(issues: readonly v.BaseIssue<unknown>[]): string;
/**
 * Reads the settings; a missing file gives the defaults.
 * Errors: invalid_config (names the setting that is wrong), unreadable_file.
 */
export declare function readSettings(file: string): Settings;
/** Parses the text of a settings file. Errors: invalid_config. */
export declare function parseSettings(text: string, file: string): Settings;
/**
 * Writes the settings, mode 0600, and the data folder where there is none. A reader sees the old file or the new one,
 * never half of one.
 * Errors: invalid_config, read_only.
 */
export declare function writeSettings(file: string, settings: Settings): void;
export {};
