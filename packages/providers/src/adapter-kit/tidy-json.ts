/** Words of Python, and what they are in JSON. */
const WORDS: Readonly<Record<string, string>> = { True: 'true', False: 'false', None: 'null' };

/** The quotes that end a string, by those that begin it. */
const QUOTES: Readonly<Record<string, string>> = { '"': '"', "'": "'", '“': '”"', '”': '”"' };

const NAME = /[A-Za-z_$][\w$]*/y;
const COMMENT = /\/\/[^\n]*|\/\*[^]*?\*\//y;
const ESCAPE = /\\(?:["\\/bfnrt]|u[\da-f]{4})/iy;

/**
 * Writes what is nearly JSON as JSON: without comments and commas before a closing bracket, with names and strings in double
 * quotes, line breaks in strings escaped, and Python's words. Nothing is closed that was left open.
 */
export function tidy(text: string): string {
  let out = '';
  let at = 0;
  /** The place of a comma that nothing but space has followed. */
  let comma = -1;
  const match = (pattern: RegExp): string | undefined => {
    pattern.lastIndex = at;
    return pattern.exec(text)?.[0];
  };
  while (at < text.length) {
    const character = text.charAt(at);
    const ends = QUOTES[character];
    if (ends !== undefined) {
      const string = tidyString(text, at, ends);
      out += string.text;
      at = string.end;
      comma = -1;
      continue;
    }
    const comment = character === '/' ? match(COMMENT) : undefined;
    const name = match(NAME);
    // A line break that was escaped outside of a string.
    const isBreak = character === '\\' && /[nrt]/.test(text.charAt(at + 1));
    if (comment !== undefined || isBreak) {
      out += ' ';
      at += comment?.length ?? 2;
    } else if (name !== undefined) {
      at += name.length;
      const isKey = /[{,]\s*$/.test(out.slice(-200)) && /^\s*:/.test(text.slice(at, at + 200));
      out += isKey ? `"${name}"` : (WORDS[name] ?? name);
      comma = -1;
    } else {
      at++;
      if (/\s/.test(character)) {
        out += ' ';
        continue;
      }
      const isLast = comma >= 0 && (character === '}' || character === ']');
      if (isLast) out = out.slice(0, comma) + out.slice(comma + 1);
      comma = character === ',' ? out.length : -1;
      out += character;
    }
  }
  return out;
}

function tidyString(
  text: string,
  from: number,
  ends: string,
): { readonly text: string; readonly end: number } {
  let out = '"';
  let at = from + 1;
  for (; at < text.length && !ends.includes(text.charAt(at)); at++) {
    const character = text.charAt(at);
    if (character === '\\') {
      ESCAPE.lastIndex = at;
      const escape = ESCAPE.exec(text)?.[0];
      const next = text.charAt(at + 1);
      // JSON has no escape for it: a quote of another kind, a path of Windows.
      const isQuote = next === "'" || ends.includes(next);
      out += escape ?? (isQuote ? next : '\\\\');
      at += escape === undefined ? Number(isQuote) : escape.length - 1;
    } else if (character === '"' || character < ' ') {
      out += JSON.stringify(character).slice(1, -1);
    } else out += character;
  }
  return { text: at < text.length ? `${out}"` : out, end: at + 1 };
}
