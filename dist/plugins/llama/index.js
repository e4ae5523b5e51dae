var __rewriteRelativeImportExtension = (this && this.__rewriteRelativeImportExtension) || function (path, preserveJsx) {
    if (typeof path === "string" && /^\.\.?\//.test(path)) {
        return path.replace(/\.(tsx)$|((?:\.d)?)((?:\.[^./]+?)?)\.([cm]?)ts$/i, function (m, tsx, d, ext, cm) {
            return tsx ? preserveJsx ? ".jsx" : ".js" : d && (!ext || !cm) ? m : (d + ext + "." + cm.toLowerCase() + "js");
        });
    }
    return path;
};
// A GGUF file in this process, through node-llama-cpp, its output held to the schema by a grammar. The package is not
// installed with Bonafide: with its GPU builds it is some 700 MB. README says how to add it.
import { createRequire } from 'node:module';
import { availableParallelism } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { defineModel, messagesOf, ModelError, systemText, v } from 'bonafide/plugin';
const options = v.strictObject({
    /** The GGUF file. */
    file: v.pipe(v.string(), v.minLength(1)),
    /** A folder in which node-llama-cpp was installed, when it is not beside Bonafide. */
    installed_in: v.optional(v.string()),
    gpu: v.optional(v.union([v.literal('auto'), v.boolean()]), 'auto'),
    /** Tokens of context; the facts, the schema and the answer have to fit. */
    context: v.optional(v.pipe(v.number(), v.integer(), v.minValue(256)), 4096),
    /** Default: one core fewer than there are, which is left to the server. */
    threads: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1)), Math.max(1, availableParallelism() - 1)),
    temperature: v.optional(v.pipe(v.number(), v.minValue(0), v.maxValue(2)), 0.2),
    max_tokens: v.optional(v.pipe(v.number(), v.integer(), v.minValue(16)), 1200),
});
async function importPackage({ installed_in: folder }) {
    const name = 'node-llama-cpp';
    try {
        if (!folder)
            return (await import(__rewriteRelativeImportExtension(name)));
        const from = createRequire(join(resolve(folder), 'any.js'));
        return (await import(__rewriteRelativeImportExtension(pathToFileURL(from.resolve(name)).href)));
    }
    catch {
        throw new ModelError('model_misconfigured', 'node-llama-cpp is not installed. Run: npm install --no-save --ignore-scripts node-llama-cpp@3');
    }
}
async function open(options) {
    const { getLlama, LlamaChatSession: Session } = await importPackage(options);
    // Never compiles anything: a prebuilt binary or a clear error.
    const llama = await getLlama({ gpu: options.gpu, build: 'never', logLevel: 'error', progressLogs: false });
    try {
        const model = await llama.loadModel({ modelPath: resolve(options.file) });
        const { context: contextSize, threads } = options;
        const context = await model.createContext({ contextSize, sequences: 1, threads });
        return { llama, model, context, Session };
    }
    catch {
        await llama.dispose();
        throw new ModelError('model_misconfigured', `The file ${options.file} is missing, is no GGUF model, or does not fit into memory.`);
    }
}
function promptOf(ask) {
    return messagesOf(ask, { withSchema: true })
        .map(({ role, content }) => (role === 'user' ? content : `Your answer was:\n${content}`))
        .join('\n\n');
}
async function generate(ask, options, { llama, context, Session }) {
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
    }
    finally {
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
        }
        catch {
            if (ask.signal.aborted)
                throw new ModelError('model_timeout', 'A larger deadline_ms or a smaller model may help.');
            throw new ModelError('model_bad_answer', 'The question did not fit: a larger context may help.');
        }
    },
    async close({ llama, model, context }) {
        await context.dispose();
        await model.dispose();
        await llama.dispose();
    },
});
