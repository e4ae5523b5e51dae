import { v } from 'bonafide/plugin';
declare const mode: v.PicklistSchema<["json_schema", "json_object", "none"], undefined>;
type Mode = v.InferOutput<typeof mode>;
interface State {
    /** The richest response format that the server is known to take. */
    mode: Mode;
}
declare const _default: import("bonafide/plugin").ModelDefinition<v.StrictObjectSchema<{
    /** The address that `/chat/completions` is added to, such as http://127.0.0.1:11434/v1 */
    readonly url: v.SchemaWithPipe<readonly [v.StringSchema<undefined>, v.UrlAction<string, "must be an address such as http://127.0.0.1:11434/v1">]>;
    /** The model's name on that server. */
    readonly model: v.SchemaWithPipe<readonly [v.StringSchema<undefined>, v.MinLengthAction<string, 1, undefined>]>;
    /** Environment variable, or file, that holds the key; none for a server without keys. */
    readonly key_env: v.OptionalSchema<v.SchemaWithPipe<readonly [v.StringSchema<undefined>, v.RegexAction<string, "must be the name of an environment variable, not the key itself">]>, undefined>;
    readonly key_file: v.OptionalSchema<v.StringSchema<undefined>, undefined>;
    /** `api-key` for Azure; otherwise the key goes into `Authorization: Bearer`. */
    readonly key_header: v.OptionalSchema<v.StringSchema<undefined>, "authorization">;
    /** Added to the address, such as Azure's api-version. */
    readonly query: v.OptionalSchema<v.RecordSchema<v.StringSchema<undefined>, v.StringSchema<undefined>, undefined>, {}>;
    /** How JSON is asked for; `auto` starts with a schema and steps down for servers that lack it. */
    readonly response_format: v.OptionalSchema<v.UnionSchema<[v.LiteralSchema<"auto", undefined>, v.PicklistSchema<["json_schema", "json_object", "none"], undefined>], undefined>, "auto">;
    readonly temperature: v.OptionalSchema<v.NullableSchema<v.SchemaWithPipe<readonly [v.NumberSchema<undefined>, v.MinValueAction<number, 0, undefined>, v.MaxValueAction<number, 2, undefined>]>, undefined>, 0.2>;
    readonly max_tokens: v.OptionalSchema<v.SchemaWithPipe<readonly [v.NumberSchema<undefined>, v.IntegerAction<number, undefined>, v.MinValueAction<number, 64, undefined>]>, 1200>;
    /** `max_completion_tokens` for OpenAI's newer models. */
    readonly max_tokens_field: v.OptionalSchema<v.PicklistSchema<["max_tokens", "max_completion_tokens"], undefined>, "max_tokens">;
}, undefined>, State>;
export default _default;
