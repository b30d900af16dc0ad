/** The limits of a YAML document. */
interface YamlLimits {
  /** UTF-16 code units. */
  readonly maxCharacters: number;
  /** Collections within collections. Default: 100. */
  readonly maxDepth?: number;
  /** Default: 1000. */
  readonly maxAliases?: number;
  /** The tokens of its scanner: two to five for each key with its value. Default: 2,000,000. */
  readonly maxTokens?: number;
}

/** The scanner of the package `yaml`. */
interface YamlScanner {
  lex(source: string): Iterable<string>;
}

/** Something that a document has too much of, and where, in UTF-16 code units. */
interface YamlExcess {
  readonly problem: string;
  readonly offset: number;
}

/** Marks of the scanner, that replaces no text of the document. */
const MARKS: ReadonlySet<string> = new Set(['\u0002', '\u0018', '\u001f', '\ufeff']);

/**
 * Checks a YAML document before it is parsed: the package `yaml` takes the square of the depth in time.
 *
 * @param scanner - A `Lexer` of that package.
 */
export function guardYaml(
  scanner: YamlScanner,
  text: string,
  { maxCharacters, maxDepth = 100, maxAliases = 1000, maxTokens = 2_000_000 }: YamlLimits,
): YamlExcess | undefined {
  if (text.length > maxCharacters) {
    const problem = `too large: expected at most ${maxCharacters} characters, got ${text.length}`;
    return { problem, offset: maxCharacters };
  }
  let [offset, depth, indicators, aliases, tokens] = [0, 0, 0, 0, 0];
  for (const token of scanner.lex(text)) {
    tokens++;
    if (token === '[' || token === '{') depth++;
    else if (token === ']' || token === '}') depth = Math.max(0, depth - 1);
    else if (token === '-' || token === '?') indicators++;
    else if (token.startsWith('*')) aliases++;
    else if (token.includes('\n')) indicators = 0;
    // One line can open many levels of a block.
    if (depth + indicators > maxDepth)
      return excess(`nested deeper than ${maxDepth} levels`, offset);
    if (isIndent(token) && token.length > MAX_INDENT) {
      return excess(`indented by ${token.length} spaces`, offset);
    }
    if (aliases > maxAliases) return excess(`more than ${maxAliases} aliases`, offset);
    if (tokens > maxTokens) return excess(`too large: more than ${maxTokens} tokens`, offset);
    if (!MARKS.has(token)) offset += token.length;
  }
  return undefined;
}

/** The deepest indent of a key or an entry; each level of a block takes at least one column. */
const MAX_INDENT = 400;

function isIndent(token: string): boolean {
  return token.startsWith(' ') && token.trim() === '';
}

function excess(problem: string, offset: number): YamlExcess {
  return { problem, offset };
}

interface YamlItem {
  readonly items?: readonly unknown[];
  readonly key?: unknown;
  readonly value?: unknown;
  readonly range?: readonly number[] | null;
}

/**
 * Finds the first key that occurs twice in one mapping of a document that was parsed with `uniqueKeys: false`. The
 * package `yaml` compares each key with each other one.
 *
 * @returns Where it is, in UTF-16 code units.
 */
export function repeatedKey(document: { readonly contents: unknown }): number | undefined {
  const open: unknown[] = [document.contents];
  let first: number | undefined;
  while (open.length > 0) {
    const { items = [], key, value }: YamlItem = Object(open.pop());
    const known = new Set<unknown>();
    for (const item of items) {
      const pair: YamlItem = Object(item);
      const scalar: YamlItem = Object(pair.key);
      if ('value' in scalar && !('items' in scalar)) {
        const at = scalar.range?.[0] ?? 0;
        if (known.has(scalar.value) && (first === undefined || at < first)) first = at;
        known.add(scalar.value);
      }
      open.push(item);
    }
    if (key !== undefined) open.push(key);
    if (typeof value === 'object') open.push(value);
  }
  return first;
}
