/** Shorter texts take as long to be found as what is made of them, and longer ones too much memory. */
const SHORTEST = 500;
const LONGEST = 65_536;
/** How many places there are, a power of two. */
const PLACES = 64;
/** How many characters of a text choose its place: V8 would hash all of them, which takes longer than comparing. */
const SAMPLES = 32;

interface Entry<Value> {
  readonly text: string;
  readonly value: Value;
}

/**
 * Remembers what was made of the last longer texts. The text of a file comes with the plan of an edit, with the
 * edit itself, and as the text before the next one. The newest two of the texts with one place are cached: with one, a
 * tenth of the texts of files were gone when they came again.
 */
export class TextCache<Value> {
  readonly #newer: (Entry<Value> | undefined)[] = Array.from({ length: PLACES }, () => undefined);
  readonly #older: (Entry<Value> | undefined)[] = Array.from({ length: PLACES }, () => undefined);

  get(text: string): Value | undefined {
    if (text.length < SHORTEST || text.length > LONGEST) return undefined;
    const slot = slotOf(text);
    const newer = this.#newer[slot];
    if (newer?.text === text) return newer.value;
    const older = this.#older[slot];
    if (older?.text !== text) return undefined;
    this.#newer[slot] = older;
    this.#older[slot] = newer;
    return older.value;
  }

  set(text: string, value: Value): void {
    if (text.length < SHORTEST || text.length > LONGEST) return;
    const slot = slotOf(text);
    const newer = this.#newer[slot];
    if (newer?.text === text) {
      this.#newer[slot] = { text: newer.text, value };
      return;
    }
    this.#older[slot] = newer;
    this.#newer[slot] = { text: flatText(text), value };
  }
}

/** FNV-1a over samples, whose upper bits differ more than the lower ones. */
function slotOf(text: string): number {
  let hash = text.length;
  const step = Math.floor(text.length / SAMPLES);
  for (let at = 0; at < text.length; at += step) {
    hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  }
  return (hash ^ (hash >>> 15)) & (PLACES - 1);
}

/** How many texts are in the newer half when the older one is dropped. */
const HALF = 2000;

/**
 * A set of short texts that drops those that were not looked for lately. Longer ones are compared with those of a
 * {@link TextCache}: a set would hash all of their characters.
 */
export class RecentTexts {
  #newer = new Set<string>();
  #older = new Set<string>();

  has(text: string): boolean {
    if (text.length >= SHORTEST) return false;
    if (this.#newer.has(text)) return true;
    if (!this.#older.has(text)) return false;
    this.add(text);
    return true;
  }

  add(text: string): void {
    if (text.length >= SHORTEST || this.#newer.has(text)) return;
    if (this.#newer.size >= HALF) {
      this.#older = this.#newer;
      this.#newer = new Set();
    }
    this.#newer.add(flatText(text));
  }
}

/**
 * Returns a copy of a text whose characters are next to each other: those of joined and cut strings are slower to read, and
 * V8 keeps the whole string from which one was cut.
 */
function flatText(text: string): string {
  return [text.slice(0, 1), text.slice(1)].join('');
}
