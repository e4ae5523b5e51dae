// Model plugin for Anthropic's Messages API. The answer is requested as the input of a tool, because the API enforces the tool's schema.
import { defineModel, messagesOf, ModelError, postJson, systemText, v } from 'bonafide/plugin';

const variable = v.pipe(
  v.string(),
  v.regex(/^[A-Za-z_]\w*$/, 'must be the name of an environment variable, not the key itself'),
);

const options = v.strictObject({
  model: v.pipe(v.string(), v.minLength(1)),
  url: v.optional(v.pipe(v.string(), v.url('must be an address')), 'https://api.anthropic.com'),
  /** Environment variable with the API key; `key_file` can name a file instead. */
  key_env: v.optional(variable, 'ANTHROPIC_API_KEY'),
  key_file: v.optional(v.string()),
  temperature: v.optional(v.nullable(v.pipe(v.number(), v.minValue(0), v.maxValue(1))), null),
  max_tokens: v.optional(v.pipe(v.number(), v.integer(), v.minValue(64)), 1200),
});

const reply = v.object({
  content: v.array(
    v.looseObject({ type: v.string(), input: v.optional(v.unknown()), text: v.optional(v.string()) }),
  ),
});

export default defineModel({
  name: 'anthropic',
  version: '1.0.0',
  options,
  label: ({ model }) => model,
  async generate(ask, { options, secret }) {
    const key = secret(options.key_file ? { file: options.key_file } : { env: options.key_env });
    const answer = await postJson({
      url: `${options.url.replace(/\/+$/, '')}/v1/messages`,
      headers: { 'x-api-key': key ?? '', 'anthropic-version': '2023-06-01' },
      signal: ask.signal,
      traceparent: ask.traceparent,
      body: {
        model: options.model,
        max_tokens: options.max_tokens,
        ...(options.temperature === null ? {} : { temperature: options.temperature }),
        system: systemText(ask),
        messages: messagesOf(ask, { withSchema: false }),
        tools: [{ name: 'answer', description: 'Gives the answer.', input_schema: ask.schema }],
        tool_choice: { type: 'tool', name: 'answer' },
      },
    });
    const parsed = v.safeParse(reply, answer);
    const parts = parsed.success ? parsed.output.content : [];
    const answerPart =
      parts.find(({ type }) => type === 'tool_use')?.input ?? parts.find(({ type }) => type === 'text')?.text;
    if (answerPart === undefined)
      throw new ModelError(
        'model_bad_answer',
        'The answer of the server is not a message of the Messages API. Check the option url of the model.',
      );
    return answerPart;
  },
});
