/** Shorter parts of a text are copies already: V8 cuts them out. */
const COPIED_FROM = 13;

/**
 * A function of texts that remembers what it gave, once and as older ones: what comes again and again stays.
 *
 * @param count - How many are remembered, twice.
 * @param longest - Longer texts are not remembered.
 */
export function rememberedValues<Value extends {}>(
  count: number,
  longest: number,
  valueOf: (text: string) => Value,
): (text: string) => Value {
  let known = new Map<string, Value>();
  let older = new Map<string, Value>();
  const find = (text: string): Value => {
    if (text.length > longest) return valueOf(text);
    const own = text.length < COPIED_FROM ? text : copyOf(text);
    const value = older.get(text) ?? valueOf(own);
    if (known.size >= count) {
      older = known;
      known = new Map();
    }
    known.set(own, value);
    return value;
  };
  return (text) => known.get(text) ?? find(text);
}

/** A part of a text keeps the whole text in memory; a copy does not. */
function copyOf(text: string): string {
  return Buffer.from(text, 'utf16le').toString('utf16le');
}
