import { v } from 'bonafide/plugin';
/** As much of node-llama-cpp as is used here; its own types are there only where it is installed. */
interface Disposable {
    dispose(): Promise<void> | void;
}
interface Llama extends Disposable {
    loadModel(options: {
        modelPath: string;
    }): Promise<LlamaModel>;
    createGrammarForJsonSchema(schema: unknown): Promise<unknown>;
}
interface LlamaModel extends Disposable {
    createContext(options: {
        contextSize: number;
        sequences: number;
        threads: number;
    }): Promise<LlamaContext>;
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
interface State {
    llama: Llama;
    model: LlamaModel;
    context: LlamaContext;
    Session: LlamaPackage['LlamaChatSession'];
}
declare const _default: import("bonafide/plugin").ModelDefinition<v.StrictObjectSchema<{
    /** The GGUF file. */
    readonly file: v.SchemaWithPipe<readonly [v.StringSchema<undefined>, v.MinLengthAction<string, 1, undefined>]>;
    /** A folder in which node-llama-cpp was installed, when it is not beside Bonafide. */
    readonly installed_in: v.OptionalSchema<v.StringSchema<undefined>, undefined>;
    readonly gpu: v.OptionalSchema<v.UnionSchema<[v.LiteralSchema<"auto", undefined>, v.BooleanSchema<undefined>], undefined>, "auto">;
    /** Tokens of context; the facts, the schema and the answer have to fit. */
    readonly context: v.OptionalSchema<v.SchemaWithPipe<readonly [v.NumberSchema<undefined>, v.IntegerAction<number, undefined>, v.MinValueAction<number, 256, undefined>]>, 4096>;
    /** Default: one core fewer than there are, which is left to the server. */
    readonly threads: v.OptionalSchema<v.SchemaWithPipe<readonly [v.NumberSchema<undefined>, v.IntegerAction<number, undefined>, v.MinValueAction<number, 1, undefined>]>, number>;
    readonly temperature: v.OptionalSchema<v.SchemaWithPipe<readonly [v.NumberSchema<undefined>, v.MinValueAction<number, 0, undefined>, v.MaxValueAction<number, 2, undefined>]>, 0.2>;
    readonly max_tokens: v.OptionalSchema<v.SchemaWithPipe<readonly [v.NumberSchema<undefined>, v.IntegerAction<number, undefined>, v.MinValueAction<number, 16, undefined>]>, 1200>;
}, undefined>, State>;
export default _default;
