import { v } from 'bonafide/plugin';
declare const _default: import("bonafide/plugin").ModelDefinition<v.StrictObjectSchema<{
    /** The model's name, as Anthropic lists it. */
    readonly model: v.SchemaWithPipe<readonly [v.StringSchema<undefined>, v.MinLengthAction<string, 1, undefined>]>;
    readonly url: v.OptionalSchema<v.SchemaWithPipe<readonly [v.StringSchema<undefined>, v.UrlAction<string, "must be an address">]>, "https://api.anthropic.com">;
    /** Environment variable, or file, that holds the key. */
    readonly key_env: v.OptionalSchema<v.SchemaWithPipe<readonly [v.StringSchema<undefined>, v.RegexAction<string, "must be the name of an environment variable, not the key itself">]>, "ANTHROPIC_API_KEY">;
    readonly key_file: v.OptionalSchema<v.StringSchema<undefined>, undefined>;
    readonly temperature: v.OptionalSchema<v.NullableSchema<v.SchemaWithPipe<readonly [v.NumberSchema<undefined>, v.MinValueAction<number, 0, undefined>, v.MaxValueAction<number, 1, undefined>]>, undefined>, null>;
    readonly max_tokens: v.OptionalSchema<v.SchemaWithPipe<readonly [v.NumberSchema<undefined>, v.IntegerAction<number, undefined>, v.MinValueAction<number, 64, undefined>]>, 1200>;
}, undefined>, undefined>;
export default _default;
