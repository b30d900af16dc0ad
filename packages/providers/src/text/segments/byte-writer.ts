const encoder = new TextEncoder();

/** The most bytes that are copied one by one. */
const FEW = 32;

/** Bytes that are written one after the other. */
export class ByteWriter {
  #bytes = new Uint8Array(4096);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  /** Writes a whole number from 0 on, 7 bits a byte. */
  number(value: number): void {
    this.#reserve(8);
    let rest = value;
    for (; rest > 127; rest = Math.floor(rest / 128)) {
      this.#bytes[this.#length++] = (rest & 127) | 128;
    }
    this.#bytes[this.#length++] = rest;
  }

  bytes(bytes: Uint8Array): void {
    this.#reserve(bytes.length);
    this.#bytes.set(bytes, this.#length);
    this.#length += bytes.length;
  }

  /** Writes the bytes of others from a place to another one. Few are copied one by one, which takes less time. */
  some(bytes: Uint8Array, from: number, to: number): void {
    if (to - from > FEW) {
      this.bytes(bytes.subarray(from, to));
      return;
    }
    this.#reserve(FEW);
    for (let at = from; at < to; at++) this.#bytes[this.#length++] = bytes[at] ?? 0;
  }

  /** Writes a string, and before it how many bytes it has. */
  text(text: string): void {
    this.#reserve(8 + 3 * text.length);
    const start = this.#length;
    if (text.length < 128) {
      // Most terms are short and of ASCII: no encoder has to be called.
      this.#bytes[this.#length++] = text.length;
      let at = 0;
      for (; at < text.length; at++) {
        const unit = text.charCodeAt(at);
        if (unit > 127) break;
        this.#bytes[this.#length++] = unit;
      }
      if (at === text.length) return;
      this.#length = start;
    }
    const bytes = encoder.encode(text);
    this.number(bytes.length);
    this.bytes(bytes);
  }

  /** Forgets the bytes. */
  clear(): void {
    this.#length = 0;
  }

  /** The bytes up to {@link length}, and memory for more. More bytes may replace it. */
  get memory(): Uint8Array {
    return this.#bytes;
  }

  /** Returns the bytes, which the next ones may overwrite after {@link clear}. */
  written(): Uint8Array {
    return this.#bytes.subarray(0, this.#length);
  }

  /** Returns a copy of the bytes, and begins again. */
  take(): Uint8Array {
    const taken = this.#bytes.slice(0, this.#length);
    this.#length = 0;
    return taken;
  }

  #reserve(more: number): void {
    if (this.#length + more <= this.#bytes.length) return;
    const grown = new Uint8Array(2 * (this.#length + more));
    grown.set(this.#bytes.subarray(0, this.#length));
    this.#bytes = grown;
  }
}

/** Reads what {@link ByteWriter} wrote. */
export class ByteReader {
  readonly #bytes: Buffer;
  #at = 0;

  constructor({ buffer, byteOffset, byteLength }: Uint8Array) {
    this.#bytes = Buffer.from(buffer, byteOffset, byteLength);
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#bytes.length;
  }

  number(): number {
    let value = 0;
    let factor = 1;
    for (;;) {
      const byte = this.#bytes[this.#at++] ?? 0;
      value += (byte & 127) * factor;
      if (byte < 128) return value;
      factor *= 128;
    }
  }

  /** Returns the next bytes as a string of UTF-8. */
  text(length: number): string {
    const bytes = this.#bytes;
    const start = this.#at;
    const end = start + length;
    this.#at = end;
    for (let at = start; at < end; at++) {
      if ((bytes[at] ?? 0) > 127) return bytes.toString('utf8', start, end);
    }
    return bytes.toString('latin1', start, end);
  }

  /** Returns the next bytes, which are not copied. */
  bytes(length: number): Uint8Array {
    this.#at += length;
    return this.#bytes.subarray(this.#at - length, this.#at);
  }
}
