/** Bytes of a number, by the types of safetensors that can be read. */
export const ELEMENT_BYTES = {
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
export type ElementType = keyof typeof ELEMENT_BYTES;

/** Checks whether the name of a type is one that can be read. */
export function isElementType(name: string): name is ElementType {
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
export function decoded(type: ElementType, bytes: ArrayBuffer): Values {
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
