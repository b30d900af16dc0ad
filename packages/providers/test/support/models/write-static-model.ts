import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';

/** A tensor of a file that a test writes. */
export interface WrittenTensor {
  readonly type: string;
  readonly shape: readonly number[];
  readonly bytes: Uint8Array;
}

/** Returns the bytes of a safetensors file. */
export function safetensors(tensors: Readonly<Record<string, WrittenTensor>>): Buffer {
  let at = 0;
  const header: Record<string, unknown> = { __metadata__: { format: 'pt' } };
  for (const [name, { type, shape, bytes }] of Object.entries(tensors)) {
    header[name] = { dtype: type, shape, data_offsets: [at, (at += bytes.length)] };
  }
  return withHeader(
    JSON.stringify(header),
    Object.values(tensors).map(({ bytes }) => bytes),
  );
}

/** Returns a safetensors file with any header. */
export function withHeader(header: string, parts: readonly Uint8Array[] = []): Buffer {
  const length = Buffer.alloc(8);
  length.writeBigUInt64LE(BigInt(Buffer.byteLength(header)));
  return Buffer.concat([length, Buffer.from(header), ...parts]);
}

/** Writes a number in each type that models are stored in. */
const WRITE_NUMBER: Readonly<
  Record<
    string,
    readonly [bytes: number, write: (view: DataView, at: number, value: number) => void]
  >
> = {
  F64: [8, (view, at, value) => view.setFloat64(at, value, true)],
  F32: [4, (view, at, value) => view.setFloat32(at, value, true)],
  F16: [2, (view, at, value) => view.setUint16(at, halfBits(value), true)],
  BF16: [2, (view, at, value) => view.setUint16(at, brainBits(value), true)],
  I8: [1, (view, at, value) => view.setInt8(at, value)],
  I32: [4, (view, at, value) => view.setInt32(at, value, true)],
  I64: [8, (view, at, value) => view.setBigInt64(at, BigInt(value), true)],
};

/** Returns a tensor of numbers. */
export function tensor(
  type: string,
  shape: readonly number[],
  values: readonly number[],
): WrittenTensor {
  const [size, write] = WRITE_NUMBER[type] ?? [0, () => undefined];
  const bytes = new Uint8Array(values.length * size);
  const view = new DataView(bytes.buffer);
  for (const [index, value] of values.entries()) write(view, index * size, value);
  return { type, shape, bytes };
}

/** Returns a number that 16 bits hold exactly, by the text of its binary form. */
function halfBits(value: number): number {
  if (value === 0) return 0;
  const exponent = Math.floor(Math.log2(Math.abs(value)));
  const sign = value < 0 ? 0x8000 : 0;
  if (exponent < -14) return sign | Math.round(Math.abs(value) * 2 ** 24);
  return sign | ((exponent + 15) << 10) | Math.round((Math.abs(value) / 2 ** exponent - 1) * 1024);
}

function brainBits(value: number): number {
  const view = new DataView(new ArrayBuffer(4));
  view.setFloat32(0, value);
  return view.getUint16(0);
}

/** Writes files into a folder: bytes as they are, everything else as JSON. */
export async function writeFiles(
  folder: string,
  files: Readonly<Record<string, unknown>>,
): Promise<void> {
  for (const [name, content] of Object.entries(files)) {
    const file = path.join(folder, name);
    await mkdir(path.dirname(file), { recursive: true });
    const isRaw = content instanceof Uint8Array || typeof content === 'string';
    await writeFile(file, isRaw ? content : JSON.stringify(content));
  }
}

/** Returns a tokenizer that knows whole words between spaces. */
export function wordTokenizer(words: readonly string[], more: object = {}): object {
  return {
    version: '1.0',
    added_tokens: [],
    normalizer: { type: 'Lowercase' },
    pre_tokenizer: { type: 'WhitespaceSplit' },
    post_processor: null,
    decoder: null,
    model: {
      type: 'WordLevel',
      unk_token: words[0],
      vocab: Object.fromEntries(words.map((word, index) => [word, index])),
    },
    ...more,
  };
}

/** Returns a tokenizer of pieces by their likelihood, as those of Japanese models are. */
export function unigramTokenizer(pieces: readonly string[]): object {
  const scored = pieces.map((piece) => [piece, piece.length === 1 ? -12 : -8]);
  const space = { type: 'Metaspace', replacement: '▁', prepend_scheme: 'always', split: true };
  return {
    version: '1.0',
    added_tokens: [],
    normalizer: { type: 'NFKC' },
    pre_tokenizer: space,
    post_processor: null,
    decoder: space,
    model: {
      type: 'Unigram',
      unk_id: 0,
      vocab: [['<unk>', 0], ['▁', -2], ...scored],
      byte_fallback: false,
    },
  };
}
