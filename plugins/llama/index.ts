// Model plugin for a GGUF file that runs in this process through node-llama-cpp. A grammar enforces the answer schema. The package is not
// installed with Bonafide, because its GPU builds take about 700 MB; see data/docs/ai-features.md.
import { createRequire } from 'node:module';
import { availableParallelism } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { defineModel, messagesOf, ModelError, systemText, v } from 'bonafide/plugin';
import type { Ask } from 'bonafide/plugin';

const options = v.strictObject({
  file: v.pipe(v.string(), v.minLength(1)),
  /** Folder in which node-llama-cpp is installed; by default next to Bonafide. */
  installed_in: v.optional(v.string()),
  gpu: v.optional(v.union([v.literal('auto'), v.boolean()]), 'auto'),
  /** Context size in tokens, for the facts, the schema and the answer together. */
  context: v.optional(v.pipe(v.number(), v.integer(), v.minValue(256)), 4096),
  /** Number of CPU threads. Default: the number of cores minus one. */
  threads: v.optional(
    v.pipe(v.number(), v.integer(), v.minValue(1)),
    Math.max(1, availableParallelism() - 1),
  ),
  temperature: v.optional(v.pipe(v.number(), v.minValue(0), v.maxValue(2)), 0.2),
  max_tokens: v.optional(v.pipe(v.number(), v.integer(), v.minValue(16)), 1200),
});
type Options = v.InferOutput<typeof options>;

/** Types of the parts of node-llama-cpp that this plugin uses. The package's own types exist only where it is installed. */
interface Disposable {
  dispose(): Promise<void> | void;
}
interface Llama extends Disposable {
  loadModel(options: { modelPath: string }): Promise<LlamaModel>;
  createGrammarForJsonSchema(schema: unknown): Promise<unknown>;
}
interface LlamaModel extends Disposable {
  createContext(options: { contextSize: number; sequences: number; threads: number }): Promise<LlamaContext>;
}
interface LlamaContext extends Disposable {
  getSequence(): Disposable;
}
interface ChatSession extends Disposable {
  prompt(text: string, options: object): Promise<string>;
}
interface LlamaPackage {
  getLlama(options: object): Promise<Llama>;
  LlamaChatSession: new (options: object) => ChatSession;
}

async function importPackage({ installed_in: folder }: Options): Promise<LlamaPackage> {
  const name = 'node-llama-cpp';
  try {
    if (!folder) return (await import(name)) as LlamaPackage;
    const from = createRequire(join(resolve(folder), 'any.js'));
    return (await import(pathToFileURL(from.resolve(name)).href)) as LlamaPackage;
  } catch {
    throw new ModelError(
      'model_misconfigured',
      'node-llama-cpp is not installed. Run: npm install --no-save --ignore-scripts node-llama-cpp@3',
    );
  }
}

interface State {
  llama: Llama;
  model: LlamaModel;
  context: LlamaContext;
  Session: LlamaPackage['LlamaChatSession'];
}

async function open(options: Options): Promise<State> {
  const { getLlama, LlamaChatSession: Session } = await importPackage(options);
  // Never compile: use a prebuilt binary or fail with a clear error.
  const llama = await getLlama({ gpu: options.gpu, build: 'never', logLevel: 'error', progressLogs: false });
  try {
    const model = await llama.loadModel({ modelPath: resolve(options.file) });
    const { context: contextSize, threads } = options;
    const context = await model.createContext({ contextSize, sequences: 1, threads });
    return { llama, model, context, Session };
  } catch {
    await llama.dispose();
    throw new ModelError(
      'model_misconfigured',
      `The model file ${options.file} is missing, is not a GGUF model, or does not fit into memory. Check the option file, or choose a smaller model.`,
    );
  }
}

function promptOf(ask: Ask): string {
  return messagesOf(ask, { withSchema: true })
    .map(({ role, content }) => (role === 'user' ? content : `Your answer was:\n${content}`))
    .join('\n\n');
}

async function generate(ask: Ask, options: Options, { llama, context, Session }: State): Promise<string> {
  const grammar = await llama.createGrammarForJsonSchema(ask.schema);
  const contextSequence = context.getSequence();
  try {
    const session = new Session({
      contextSequence,
      systemPrompt: systemText(ask),
      autoDisposeSequence: false,
    });
    const { temperature, max_tokens: maxTokens } = options;
    return await session.prompt(promptOf(ask), { grammar, signal: ask.signal, temperature, maxTokens });
  } finally {
    contextSequence.dispose();
  }
}

export default defineModel({
  name: 'llama',
  version: '1.0.0',
  options,
  label: ({ file }) => file.replace(/^.*[/\\]/, '').replace(/\.gguf$/i, ''),
  concurrency: 1,
  open: ({ options }) => open(options),
  async generate(ask, { options, state }) {
    try {
      return await generate(ask, options, state);
    } catch {
      if (ask.signal.aborted)
        throw new ModelError(
          'model_timeout',
          'The model needed too much time. Increase deadline_ms, or choose a smaller model.',
        );
      throw new ModelError(
        'model_bad_answer',
        'The question does not fit into the context of the model. Increase the option context.',
      );
    }
  },
  async close({ llama, model, context }) {
    await context.dispose();
    await model.dispose();
    await llama.dispose();
  },
});
