// Model plugin for every server with OpenAI's chat completions API: OpenAI, Azure, Ollama, llama.cpp, vLLM, LM Studio and others.
import { defineModel, messagesOf, ModelError, postJson, systemText, v } from 'bonafide/plugin';
import type { Ask } from 'bonafide/plugin';

const mode = v.picklist(['json_schema', 'json_object', 'none']);
type Mode = v.InferOutput<typeof mode>;

const variable = v.pipe(
  v.string(),
  v.regex(/^[A-Za-z_]\w*$/, 'must be the name of an environment variable, not the key itself'),
);

const options = v.strictObject({
  /** Base URL, to which `/chat/completions` is appended, such as http://127.0.0.1:11434/v1 */
  url: v.pipe(v.string(), v.url('must be an address such as http://127.0.0.1:11434/v1')),
  model: v.pipe(v.string(), v.minLength(1)),
  /** Environment variable with the API key; `key_file` can name a file instead. A server without keys needs neither. */
  key_env: v.optional(variable),
  key_file: v.optional(v.string()),
  /** Request header for the API key, such as `api-key` for Azure. Default: `Authorization: Bearer`. */
  key_header: v.optional(v.string(), 'authorization'),
  /** Additional query parameters, such as Azure's api-version. */
  query: v.optional(v.record(v.string(), v.string()), {}),
  /** Format in which JSON is requested. `auto` tries a schema first, and then simpler formats if the server does not support it. */
  response_format: v.optional(v.union([v.literal('auto'), mode]), 'auto'),
  temperature: v.optional(v.nullable(v.pipe(v.number(), v.minValue(0), v.maxValue(2))), 0.2),
  max_tokens: v.optional(v.pipe(v.number(), v.integer(), v.minValue(64)), 1200),
  /** Request field for the maximum number of tokens: `max_completion_tokens` for newer models of OpenAI. */
  max_tokens_field: v.optional(v.picklist(['max_tokens', 'max_completion_tokens']), 'max_tokens'),
});
type Options = v.InferOutput<typeof options>;

const reply = v.object({
  choices: v.pipe(
    v.array(v.object({ message: v.object({ content: v.nullish(v.string()) }) })),
    v.minLength(1),
  ),
});

const DOWN_FROM: Record<Mode, Mode[]> = {
  json_schema: ['json_schema', 'json_object', 'none'],
  json_object: ['json_object', 'none'],
  none: ['none'],
};

/** Converts a schema to OpenAI's strict format: no length limits, no additional properties. */
function strict(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(strict);
  if (schema === null || typeof schema !== 'object') return schema;
  const kept = Object.entries(schema)
    .filter(([key, value]) => !(['minLength', 'maxLength'].includes(key) && typeof value === 'number'))
    .map(([key, value]) => [key, strict(value)]);
  const closed = 'properties' in schema ? [['additionalProperties', false]] : [];
  return Object.fromEntries([...kept, ...closed]);
}

function formatOf(mode: Mode, schema: Ask['schema']): object {
  if (mode === 'none') return {};
  if (mode === 'json_object') return { response_format: { type: 'json_object' } };
  return {
    response_format: {
      type: 'json_schema',
      json_schema: { name: 'answer', strict: true, schema: strict(schema) },
    },
  };
}

function addressOf({ url, query }: Options): string {
  const address = new URL(`${url.replace(/\/+$/, '')}/chat/completions`);
  for (const [key, value] of Object.entries(query)) address.searchParams.set(key, value);
  return address.href;
}

function keyHeader(name: string, key: string | undefined): Record<string, string> {
  if (!key) return {};
  return { [name]: name.toLowerCase() === 'authorization' ? `Bearer ${key}` : key };
}

async function askWith(mode: Mode, ask: Ask, options: Options, key: string | undefined): Promise<string> {
  const messages = [
    { role: 'system', content: systemText(ask) },
    ...messagesOf(ask, { withSchema: mode !== 'json_schema' }),
  ];
  const answer = await postJson({
    url: addressOf(options),
    headers: keyHeader(options.key_header, key),
    signal: ask.signal,
    traceparent: ask.traceparent,
    body: {
      model: options.model,
      messages,
      ...(options.temperature === null ? {} : { temperature: options.temperature }),
      [options.max_tokens_field]: options.max_tokens,
      stream: false,
      ...formatOf(mode, ask.schema),
    },
  });
  const parsed = v.safeParse(reply, answer);
  const content = parsed.success && parsed.output.choices[0]?.message.content;
  if (content) return content;
  throw new ModelError(
    'model_bad_answer',
    'The answer of the server is not a chat completion. Check the option url of the model.',
  );
}

interface State {
  /** Best response format that the server is known to support. */
  mode: Mode;
}

export default defineModel({
  name: 'openai-compatible',
  version: '1.0.0',
  options,
  label: ({ model }) => model,
  open: ({ options: { response_format: format } }): State => ({
    mode: format === 'auto' ? 'json_schema' : format,
  }),
  async generate(ask, { options, state, secret }) {
    const key = secret({ env: options.key_env, file: options.key_file });
    const modes = options.response_format === 'auto' ? DOWN_FROM[state.mode] : [state.mode];
    for (const mode of modes) {
      try {
        const text = await askWith(mode, ask, options, key);
        state.mode = mode;
        return text;
      } catch (error) {
        const lacksFormat = error instanceof ModelError && error.code === 'model_bad_request';
        if (!lacksFormat || mode === modes.at(-1)) throw error;
      }
    }
    return undefined;
  },
});
