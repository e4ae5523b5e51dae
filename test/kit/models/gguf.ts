// Writes a language model of a few hundred kilobytes with random weights, with which llama.cpp loads and picks tokens. Tests can so see a
// grammar at work; its texts have no meaning. The format is GGUF version 3.

const types = { uint32: 4, int32: 5, float32: 6, string: 8, array: 9 } as const;
type Value =
  | { type: 'uint32' | 'float32'; value: number }
  | { type: 'string'; value: string }
  | { type: 'array'; of: 'string' | 'float32' | 'int32'; value: readonly (string | number)[] };

const u32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
};
const u64 = (value: number): Buffer => {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(BigInt(value));
  return bytes;
};
const float = (value: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeFloatLE(value);
  return bytes;
};
const text = (value: string): Buffer => Buffer.concat([u64(Buffer.byteLength(value)), Buffer.from(value)]);

function bytesOf(type: 'uint32' | 'int32' | 'float32' | 'string', value: string | number): Buffer {
  if (type === 'string') return text(String(value));
  return type === 'float32' ? float(Number(value)) : u32(Number(value));
}

function entry(key: string, given: Value): Buffer {
  const head = [text(key), u32(types[given.type])];
  if (given.type !== 'array') return Buffer.concat([...head, bytesOf(given.type, given.value)]);
  const items = given.value.map((item) => bytesOf(given.of, item));
  return Buffer.concat([...head, u32(types[given.of]), u64(given.value.length), ...items]);
}

/** Returns control tokens, every byte, and the printable ASCII characters. */
function vocabulary(): { tokens: string[]; kinds: number[] } {
  const bytes = Array.from(
    { length: 256 },
    (_, byte) => `<0x${byte.toString(16).toUpperCase().padStart(2, '0')}>`,
  );
  const printable = Array.from({ length: 94 }, (_, at) => String.fromCharCode(33 + at));
  const tokens = ['<unk>', '<s>', '</s>', ...bytes, '▁', ...printable];
  const kinds = [2, 3, 3, ...bytes.map(() => 6), 1, ...printable.map(() => 1)];
  return { tokens, kinds };
}

const width = 32;
const inner = 64;

function shapes(vocab: number): [name: string, dims: number[]][] {
  const square = [width, width];
  return [
    ['token_embd.weight', [width, vocab]],
    ['output_norm.weight', [width]],
    ['output.weight', [width, vocab]],
    ['blk.0.attn_norm.weight', [width]],
    ['blk.0.attn_q.weight', square],
    ['blk.0.attn_k.weight', square],
    ['blk.0.attn_v.weight', square],
    ['blk.0.attn_output.weight', square],
    ['blk.0.ffn_norm.weight', [width]],
    ['blk.0.ffn_gate.weight', [width, inner]],
    ['blk.0.ffn_up.weight', [width, inner]],
    ['blk.0.ffn_down.weight', [inner, width]],
  ];
}

/** Returns random weights from a seed, so that the file is always the same. */
function weights(count: number, seed: number): Buffer {
  let state = seed;
  const data = new Float32Array(count).map(() => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 4_294_967_296 - 0.5;
  });
  return Buffer.from(data.buffer);
}

const align = (size: number): number => Math.ceil(size / 32) * 32;

/** Returns the bytes of a GGUF file that llama.cpp can load. */
export function tinyGguf(): Buffer {
  const { tokens, kinds } = vocabulary();
  const entries = [
    entry('general.architecture', { type: 'string', value: 'llama' }),
    entry('general.name', { type: 'string', value: 'random' }),
    entry('llama.context_length', { type: 'uint32', value: 8192 }),
    entry('llama.embedding_length', { type: 'uint32', value: width }),
    entry('llama.block_count', { type: 'uint32', value: 1 }),
    entry('llama.feed_forward_length', { type: 'uint32', value: inner }),
    entry('llama.attention.head_count', { type: 'uint32', value: 2 }),
    entry('llama.attention.head_count_kv', { type: 'uint32', value: 2 }),
    entry('llama.attention.layer_norm_rms_epsilon', { type: 'float32', value: 1e-5 }),
    entry('llama.rope.dimension_count', { type: 'uint32', value: 16 }),
    entry('llama.vocab_size', { type: 'uint32', value: tokens.length }),
    entry('tokenizer.ggml.model', { type: 'string', value: 'llama' }),
    entry('tokenizer.ggml.tokens', { type: 'array', of: 'string', value: tokens }),
    entry('tokenizer.ggml.scores', { type: 'array', of: 'float32', value: tokens.map(() => 0) }),
    entry('tokenizer.ggml.token_type', { type: 'array', of: 'int32', value: kinds }),
    entry('tokenizer.ggml.unknown_token_id', { type: 'uint32', value: 0 }),
    entry('tokenizer.ggml.bos_token_id', { type: 'uint32', value: 1 }),
    entry('tokenizer.ggml.eos_token_id', { type: 'uint32', value: 2 }),
  ];
  const tensors = shapes(tokens.length);
  const infos: Buffer[] = [];
  const data: Buffer[] = [];
  let offset = 0;
  for (const [at, [name, dims]] of tensors.entries()) {
    const body = weights(
      dims.reduce((product, dim) => product * dim, 1),
      at + 1,
    );
    infos.push(text(name), u32(dims.length), ...dims.map(u64), u32(0), u64(offset));
    data.push(body, Buffer.alloc(align(body.length) - body.length));
    offset += align(body.length);
  }
  const head = Buffer.concat([
    Buffer.from('GGUF'),
    u32(3),
    u64(tensors.length),
    u64(entries.length),
    ...entries,
    ...infos,
  ]);
  return Buffer.concat([head, Buffer.alloc(align(head.length) - head.length), ...data]);
}
