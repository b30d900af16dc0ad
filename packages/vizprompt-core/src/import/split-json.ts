/** Nesting, strings, and what may stand between entries. */
const STRUCTURE = /["[\]{}]/g;
const STRING_END = /["\\]/g;

/**
 * Cuts a large JSON document into its entries while it is read: the elements of a top-level array,
 * or of the array `conversations` of a top-level object; any other document is one entry. Entries
 * are not parsed, so that one that is broken does not hide the others.
 *
 * @param chunks - The document in pieces.
 * @returns The text of each entry.
 */
export async function* splitJson(chunks: AsyncIterable<string>): AsyncGenerator<string> {
  const splitter = new JsonSplitter();
  for await (const chunk of chunks) yield* splitter.push(chunk);
  yield* splitter.end();
}

/** In which state a character is met. */
class JsonSplitter {
  /** The entry that is being read, or the whole document while it is not known to be a list. */
  #text = '';
  /** How far `#text` has been looked at. */
  #at = 0;
  #depth = 0;
  #isInString = false;
  /** Entries lie at this depth: 1 in an array, 2 in the `conversations` of an object. */
  #entryDepth: number | undefined;
  #isDone = false;

  *push(chunk: string): Generator<string> {
    if (this.#isDone) return;
    this.#text += chunk;
    while (!this.#isDone) {
      const character = this.#next();
      if (character === undefined) return;
      if (character === '"') this.#isInString = !this.#isInString;
      else if (character === '{' || character === '[') yield* this.#open(character);
      else if (character !== '\\') yield* this.#close();
    }
  }

  /** What is left: a document that is no list, or an entry that was never closed. */
  *end(): Generator<string> {
    if (!this.#isDone) yield* this.#rest(this.#text);
  }

  /** The next character that matters; `undefined` where the chunk ends. */
  #next(): string | undefined {
    const pattern = this.#isInString ? STRING_END : STRUCTURE;
    pattern.lastIndex = this.#at;
    const match = pattern.exec(this.#text);
    if (!match) {
      this.#at = this.#text.length;
      return undefined;
    }
    // The character behind a backslash belongs to it; where it is not here yet, wait for it.
    if (match[0] === '\\' && match.index + 1 >= this.#text.length) {
      this.#at = match.index;
      return undefined;
    }
    this.#at = match.index + (match[0] === '\\' ? 2 : 1);
    return match[0];
  }

  *#open(character: string): Generator<string> {
    this.#depth++;
    if (this.#entryDepth !== undefined) {
      if (this.#depth !== this.#entryDepth + 1) return;
      // What stands between two entries should be a comma; anything else is an entry too.
      yield* this.#rest(this.#text.slice(0, this.#at - 1));
      this.#text = this.#text.slice(this.#at - 1);
      this.#at = 1;
    } else if (character === '[' && this.#beginsEntries()) {
      this.#entryDepth = this.#depth;
      this.#drop();
    }
  }

  #beginsEntries(): boolean {
    if (this.#depth === 1) return this.#text.slice(0, this.#at - 1).trim() === '';
    if (this.#depth !== 2) return false;
    const before = this.#text.slice(Math.max(0, this.#at - 100), this.#at - 1);
    return /"conversations"\s*:\s*$/.test(before);
  }

  *#close(): Generator<string> {
    this.#depth--;
    if (this.#entryDepth === undefined || this.#depth > this.#entryDepth) return;
    if (this.#depth === this.#entryDepth) {
      yield this.#text.slice(0, this.#at);
      this.#drop();
      return;
    }
    yield* this.#rest(this.#text.slice(0, this.#at - 1));
    this.#isDone = true;
  }

  *#rest(text: string): Generator<string> {
    const rest = text.replaceAll(/^[\s,]+|[\s,]+$/g, '');
    if (rest !== '') yield rest;
  }

  #drop(): void {
    this.#text = this.#text.slice(this.#at);
    this.#at = 0;
  }
}
