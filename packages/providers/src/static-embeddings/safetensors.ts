import { constants, type FileHandle, open } from 'node:fs/promises';
import { fieldsOf, isRecord, listOf, parseJson } from '../json/fields.ts';
import { LLMError } from '../models/llm-error.ts';
import { isMissing } from '../storage/file-error.ts';

/** The largest header that readers of the format accept, in bytes. */
const MAX_HEADER_BYTES = 100_000_000;
/** One read of a file; Node refuses more than 2 GiB. */
const READ_BYTES = 1 << 28;

/** A tensor of a file: its shape, and its numbers in the order of rows. */
export interface Tensor {
  readonly shape: readonly number[];
  readonly values: Values;
}

interface Entry {
  readonly type: string;
  readonly shape: readonly number[];
  /** Bytes from the beginning of the file. */
  readonly from: number;
  readonly to: number;
}

/**
 * Reads named tensors of a safetensors file. The whole header is validated first, so that a download that broke off is
 * reported and not read as numbers.
 *
 * Source: https://github.com/huggingface/safetensors#format
 *
 * @param names - Which tensors to read; those that the file does not have are left out.
 * @throws LLMError with the code `not_found` if there is no such file, `bad_response` if it is corrupt, and `unsupported`
 *   for a type of numbers that has no vectors.
 */
export async function readTensors(
  path: string,
  names: readonly string[],
): Promise<ReadonlyMap<string, Tensor>> {
  let file: FileHandle;
  try {
    // A pipe instead of a file is opened without waiting for its other end.
    file = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  } catch (cause) {
    if (!isMissing(cause)) throw cause;
    const message = `there is no file '${path}': download it with the model`;
    throw new LLMError('not_found', message, { cause, context: { path } });
  }
  try {
    const entries = await readHeader(file, path);
    const tensors = new Map<string, Tensor>();
    for (const name of names) {
      const entry = entries.get(name);
      if (entry) tensors.set(name, await readTensor(file, path, name, entry));
    }
    if (tensors.size === 0) {
      const found = [...entries.keys()].slice(0, 8).map((name) => `'${name}'`);
      const message = `'${path}' has no tensor ${names.map((name) => `'${name}'`).join(' or ')}, but ${found.join(', ') || 'none at all'}: it is no static embedding model`;
      throw new LLMError('unsupported', message, { context: { path } });
    }
    return tensors;
  } finally {
    await file.close();
  }
}

async function readHeader(file: FileHandle, path: string): Promise<ReadonlyMap<string, Entry>> {
  const stat = await file.stat();
  if (!stat.isFile()) throw corrupt(path, 'it is no plain file');
  const { size } = stat;
  if (size < 8) throw corrupt(path, `it has ${size} bytes, and 8 are the least`);
  const length = new DataView((await readRange(file, path, 0, 8)).buffer).getBigUint64(0, true);
  if (length > BigInt(MAX_HEADER_BYTES)) {
    throw corrupt(path, `its header claims ${length} bytes, at most ${MAX_HEADER_BYTES} are valid`);
  }
  const start = 8 + Number(length);
  if (start > size) throw corrupt(path, `its header ends at byte ${start}, the file at ${size}`);
  const text = new TextDecoder().decode(await readRange(file, path, 8, start));
  const header = parseJson(text);
  if (!isRecord(header)) throw corrupt(path, 'its header is not a JSON object');
  const entries = new Map<string, Entry>();
  for (const [name, value] of Object.entries(header)) {
    if (name !== '__metadata__') entries.set(name, readEntry(path, name, value, start));
  }
  checkRanges(path, entries, start, size);
  return entries;
}

function readEntry(path: string, name: string, value: unknown, start: number): Entry {
  const { dtype: type, shape, data_offsets: offsets } = fieldsOf(value);
  const sizes = listOf(shape).filter(isSize);
  const [from, to, ...rest] = listOf(offsets).filter(isSize);
  const isWhole = Array.isArray(shape) && sizes.length === shape.length && rest.length === 0;
  if (typeof type !== 'string' || !isWhole || from === undefined || to === undefined || to < from) {
    throw corrupt(path, `the header of the tensor '${name}' is invalid`);
  }
  const bytes = isElementType(type)
    ? sizes.reduce((a, b) => a * b, ELEMENT_BYTES[type])
    : to - from;
  if (bytes !== to - from) {
    const problem = `the tensor '${name}' (${type}, ${sizes.join(' × ')}) needs ${bytes} bytes and has ${to - from}`;
    throw corrupt(path, problem);
  }
  return { type, shape: sizes, from: start + from, to: start + to };
}

/** Tensors follow each other without holes, and end with the file. */
function checkRanges(
  path: string,
  entries: ReadonlyMap<string, Entry>,
  start: number,
  size: number,
): void {
  let at = start;
  for (const [name, { from, to }] of [...entries].toSorted(
    ([, a], [, b]) => a.from - b.from || a.to - b.to,
  )) {
    if (from !== at) {
      throw corrupt(path, `the tensor '${name}' begins at byte ${from}, expected ${at}`);
    }
    at = to;
  }
  if (at > size) throw corrupt(path, `it is truncated: ${size} of ${at} bytes`);
  if (at < size) throw corrupt(path, `${size - at} bytes follow the last tensor`);
}

async function readTensor(
  file: FileHandle,
  path: string,
  name: string,
  { type, shape, from, to }: Entry,
): Promise<Tensor> {
  if (!isElementType(type)) {
    const message = `the tensor '${name}' of '${path}' has the type ${type}, expected one of ${Object.keys(ELEMENT_BYTES).join(', ')}: convert the model`;
    throw new LLMError('unsupported', message, { context: { path, tensor: name } });
  }
  const bytes = await readRange(file, path, from, to);
  return { shape, values: decoded(type, bytes.buffer) };
}

/** Bytes in a buffer of their own, which begins where numbers of any size may. */
async function readRange(
  file: FileHandle,
  path: string,
  from: number,
  to: number,
): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = new Uint8Array(to - from);
  for (let at = 0; at < bytes.length;) {
    const length = Math.min(READ_BYTES, bytes.length - at);
    const { bytesRead } = await file.read(bytes, at, length, from + at);
    if (bytesRead === 0) throw corrupt(path, `it ends at byte ${from + at}, expected ${to}`);
    at += bytesRead;
  }
  return bytes;
}

function isSize(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0;
}

function corrupt(path: string, problem: string): LLMError {
  const message = `'${path}' is corrupt: ${problem}; download it again`;
  return new LLMError('bad_response', message, { context: { path } });
}

/** Bytes of a number, by the types of safetensors that can be read. */
const ELEMENT_BYTES = {
  F64: 8,
  F32: 4,
  F16: 2,
  BF16: 2,
  I8: 1,
  I16: 2,
  I32: 4,
  I64: 8,
} as const;

/** A type of numbers, as safetensors names it. */
type ElementType = keyof typeof ELEMENT_BYTES;

/** Checks whether the name of a type is one that can be read. */
function isElementType(name: string): name is ElementType {
  return Object.hasOwn(ELEMENT_BYTES, name);
}

type Numbers = Float64Array | Float32Array | Int8Array | Int16Array | Int32Array | Uint16Array;

/**
 * Numbers as they are stored. Floats of 16 bits have no array on all versions of Node: they stay as they are, and their
 * values are looked up.
 */
export interface Values {
  readonly numbers: Numbers;
  /** The value of each pattern of 16 bits; absent where `numbers` has the values. */
  readonly lookup?: Float32Array;
}

/** Returns the numbers in the bytes of a tensor, which are little-endian, as is every machine that Node runs on. */
function decoded(type: ElementType, bytes: ArrayBuffer): Values {
  switch (type) {
    case 'F64':
      return { numbers: new Float64Array(bytes) };
    case 'F32':
      return { numbers: new Float32Array(bytes) };
    case 'F16':
      return { numbers: new Uint16Array(bytes), lookup: (halves ??= tableOf(halfToNumber)) };
    case 'BF16':
      return { numbers: new Uint16Array(bytes), lookup: (brains ??= tableOf(brainToNumber)) };
    case 'I8':
      return { numbers: new Int8Array(bytes) };
    case 'I16':
      return { numbers: new Int16Array(bytes) };
    case 'I32':
      return { numbers: new Int32Array(bytes) };
    default:
      return { numbers: Float64Array.from(new BigInt64Array(bytes), Number) };
  }
}

/** Returns one of the values. */
export function valueAt({ numbers, lookup }: Values, index: number): number {
  const number = numbers[index] ?? Number.NaN;
  return lookup ? (lookup[number] ?? Number.NaN) : number;
}

let halves: Float32Array | undefined;
let brains: Float32Array | undefined;

function tableOf(toNumber: (bits: number) => number): Float32Array {
  return Float32Array.from({ length: 1 << 16 }, (_, bits) => toNumber(bits));
}

/** IEEE 754 binary16: a sign, 5 bits of exponent, 10 of fraction. */
function halfToNumber(bits: number): number {
  const sign = bits >>> 15 ? -1 : 1;
  const exponent = (bits >>> 10) & 0x1f;
  const fraction = bits & 0x3ff;
  if (exponent === 0) return sign * fraction * 2 ** -24;
  if (exponent === 0x1f) return fraction === 0 ? sign * Infinity : Number.NaN;
  return sign * (1 + fraction / 1024) * 2 ** (exponent - 15);
}

/** Returns the upper half of a 32-bit float. */
function brainToNumber(bits: number): number {
  const view = new DataView(new ArrayBuffer(4));
  view.setUint32(0, bits << 16);
  return view.getFloat32(0);
}
