const GROWTH = 1.5;
/** The longest integer. */
const MAX_VARINT = 5;

/** Bytes that grow, with the variable-length integers of the index (LEB128, 7 bits a byte). */
export class ByteWriter {
  #bytes: Uint8Array;
  #length = 0;

  /** @param expected - How many bytes will be written; more are possible. */
  constructor(expected = 16) {
    this.#bytes = new Uint8Array(expected + MAX_VARINT);
  }

  get length(): number {
    return this.#length;
  }

  byte(value: number): void {
    this.#reserve(1);
    this.#bytes[this.#length++] = value;
  }

  /** @param value - A whole number from 0 to 2^32 - 1. */
  varint(value: number): void {
    this.#reserve(MAX_VARINT);
    let rest = value;
    while (rest > 127) {
      this.#bytes[this.#length++] = (rest & 127) | 128;
      rest = Math.floor(rest / 128);
    }
    this.#bytes[this.#length++] = rest;
  }

  append(bytes: Uint8Array): void {
    this.#reserve(bytes.length);
    this.#bytes.set(bytes, this.#length);
    this.#length += bytes.length;
  }

  /** What was written; valid until the next write. */
  view(): Uint8Array {
    return this.#bytes.subarray(0, this.#length);
  }

  #reserve(more: number): void {
    if (this.#length + more <= this.#bytes.length) return;
    const grown = new Uint8Array(Math.ceil((this.#length + more) * GROWTH));
    grown.set(this.view());
    this.#bytes = grown;
  }
}

/** How many bytes `varint` takes for a whole number from 0 to 2^32 - 1. */
export function varintLength(value: number): number {
  return value === 0 ? 1 : Math.ceil((32 - Math.clz32(value)) / 7);
}

/** Reads variable-length integers one after the other. */
export class ByteReader {
  at = 0;
  readonly bytes: Uint8Array;

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
  }

  get isAtEnd(): boolean {
    return this.at >= this.bytes.length;
  }

  varint(): number {
    let value = this.bytes[this.at++] ?? 0;
    if (value < 128) return value;
    value &= 127;
    let scale = 128;
    for (;;) {
      const byte = this.bytes[this.at++] ?? 0;
      value += (byte & 127) * scale;
      if (byte < 128) return value;
      scale *= 128;
    }
  }
}
