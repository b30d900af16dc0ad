import { cutOut, HASH_START, hashWith } from './remembered-parts.ts';

/** How many characters of a line tell whether it may have been there before. */
const SAMPLES = 12;
const HASH_BITS = 13;

/** Remembers a value for lines that come again, once and as older ones: what comes again and again stays. */
export class RememberedLines<Value> {
  readonly #count: number;
  #known = new Map<string, Value>();
  #older = new Map<string, Value>();
  /** The hashes of lines that came once: most never come again, and remembering takes time. */
  readonly #once = new Int32Array(2 ** HASH_BITS);

  /** @param count - How many are remembered, twice. */
  constructor(count: number) {
    this.#count = count;
  }

  find(line: string): Value | undefined {
    const known = this.#known.get(line);
    if (known !== undefined) return known;
    const older = this.#older.get(line);
    if (older !== undefined) this.remember(line, older);
    return older;
  }

  /** Whether a line, or one much like it, was asked for before. */
  isAgain(line: string): boolean {
    let hash = hashWith(HASH_START, line.length);
    const step = Math.max(1, Math.floor(line.length / SAMPLES));
    for (let at = 0; at < line.length; at += step) hash = hashWith(hash, line.charCodeAt(at));
    const place = hash & (this.#once.length - 1);
    const isAgain = this.#once[place] === hash;
    this.#once[place] = hash;
    return isAgain;
  }

  remember(line: string, value: Value): void {
    if (this.#known.size >= this.#count) {
      this.#older = this.#known;
      this.#known = new Map();
    }
    this.#known.set(cutOut(line), value);
  }
}
