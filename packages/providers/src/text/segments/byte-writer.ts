const encoder = new TextEncoder();

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
  readonly #bytes: Uint8Array;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
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

  /** Returns the next bytes, which are not copied. */
  bytes(length: number): Uint8Array {
    this.#at += length;
    return this.#bytes.subarray(this.#at - length, this.#at);
  }
}
