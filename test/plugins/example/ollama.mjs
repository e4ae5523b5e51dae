import { defineModel, messagesOf, ModelError, postJson, systemText, v } from 'bonafide/plugin';

const reply = v.object({ message: v.object({ content: v.string() }) });

export default defineModel({
  name: 'ollama',
  version: '1.0.0',
  options: v.strictObject({
    model: v.string(),
    url: v.optional(v.pipe(v.string(), v.url()), 'http://127.0.0.1:11434'),
  }),
  label: ({ model }) => model,
  async generate(ask, { options }) {
    const answer = await postJson({
      url: `${options.url}/api/chat`,
      signal: ask.signal,
      body: {
        model: options.model,
        stream: false,
        format: ask.schema,
        messages: [{ role: 'system', content: systemText(ask) }, ...messagesOf(ask, { withSchema: false })],
      },
    });
    const parsed = v.safeParse(reply, answer);
    if (!parsed.success) throw new ModelError('model_bad_answer', 'Is this the address of an Ollama server?');
    return parsed.output.message.content;
  },
});
