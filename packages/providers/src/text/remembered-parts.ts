/**
 * What a hash begins with, and is multiplied by for each character (FNV-1a). It is 0x811c9dc5 as a signed integer,
 * as all that follow are: V8 makes slower code, and makes it again, where a number may be of either kind.
 */
export const HASH_START: number = 0x811c9dc5 | 0;
const HASH_PRIME = 0x01000193;

/** The hash of a part, with one more UTF-16 unit. */
export function hashWith(hash: number, unit: number): number {
  return Math.imul(hash ^ unit, HASH_PRIME);
}

/** Shorter parts of a text are copies already: V8 cuts them out. */
const COPIED_FROM = 13;

/** A part of a text keeps the whole text in memory; a copy does not. */
export function cutOut(text: string, start = 0, end: number = text.length): string {
  const part = text.slice(start, end);
  if (part.length < COPIED_FROM) return part;
  return Buffer.from(part, 'utf16le').toString('utf16le');
}

interface Entry<Value> {
  readonly hash: number;
  readonly text: string;
  readonly value: Value;
}

/**
 * Remembers a value for parts of texts. A part is found where it stands in its text, by its hash: cutting it out
 * first takes longer than all else. Of parts with one place in the table the newest is remembered.
 */
export class RememberedParts<Value> {
  readonly #entries: (Entry<Value> | undefined)[];
  readonly #mask: number;

  /** @param bits - It has room for two to the power of so many parts. */
  constructor(bits: number) {
    this.#entries = Array.from({ length: 2 ** bits }, () => undefined);
    this.#mask = 2 ** bits - 1;
  }

  /** The value of what stands between two offsets. */
  find(text: string, start: number, end: number, hash: number): Value | undefined {
    const entry = this.#entries[placeOf(hash) & this.#mask];
    if (entry?.hash !== hash || entry.text.length !== end - start) return undefined;
    // Faster than startsWith.
    for (let at = start; at < end; at++) {
      if (text.charCodeAt(at) !== entry.text.charCodeAt(at - start)) return undefined;
    }
    return entry.value;
  }

  /** @param text - A copy; see {@link cutOut}. */
  remember(text: string, hash: number, value: Value): void {
    this.#entries[placeOf(hash) & this.#mask] = { hash, text, value };
  }
}

/** The upper bits of a hash differ more than the lower ones. */
function placeOf(hash: number): number {
  return hash ^ (hash >>> 15);
}
