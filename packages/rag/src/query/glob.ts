import { cutMiddle } from '@vizprompt/providers/internal';
import { SearchError } from '../errors.ts';

/** `**`, another run of stars, `?`, a class (its first character may be `]`), a sign, a character. */
const TOKEN = /\*+|\?|\[[!^]?[^][^\]]*\]|[{},/]|[^]/gu;
/** `**` after `**`, which says nothing more. */
const REPEATED = /(?<=^|\/)(?:\*\*\/)+(?=\*\*(?:\/|$))/gu;
const RANGE = /^(?<from>[^!^])\.\.(?<to>[^])$/u;
const BEFORE_SEGMENT = new Set([undefined, '/', '{', ',']);
const BEHIND_SEGMENT = new Set([undefined, '/', '{', '}', ',']);

/**
 * Compiles a glob. A test takes time in proportion to the lengths of glob and path: all ways to read
 * the glob are followed at once, where a regular expression would try one after the other.
 *
 * @returns `undefined` for what is not a glob.
 */
export function compileGlob(glob: string): ((path: string) => boolean) | undefined {
  const tokens = glob.replaceAll(REPEATED, '').match(TOKEN) ?? [];
  const parser = new GlobParser(tokens);
  const steps = parser.parse(0, tokens.length);
  if (!parser.isGlob) return undefined;
  const isName = !glob.includes('/');
  return (path) => {
    let ends: readonly number[] = [isName ? path.lastIndexOf('/') + 1 : 0];
    for (const step of steps) {
      ends = step(path, ends);
      if (ends.length === 0) return false;
    }
    return ends.at(-1) === path.length;
  };
}

class GlobParser {
  /** True if anything but characters was met. */
  isGlob = false;
  readonly #tokens: readonly string[];
  /** Where each brace is closed. */
  readonly #closing: ReadonlyMap<number, number>;

  constructor(tokens: readonly string[]) {
    this.#tokens = tokens;
    this.#closing = closingBraces(tokens);
  }

  parse(from: number, to: number): readonly GlobStep[] {
    const steps: GlobStep[] = [];
    let text = '';
    for (let at = from; at < to;) {
      const found = this.#stepAt(at, to);
      if (found === undefined) {
        text += this.#tokens[at] ?? '';
        at += 1;
        continue;
      }
      this.isGlob = true;
      if (text !== '') steps.push(literal(text));
      text = '';
      steps.push(found.step);
      at = found.next;
    }
    if (text !== '') steps.push(literal(text));
    return steps;
  }

  /** Returns the special step that begins here, if any. */
  #stepAt(at: number, to: number): { readonly step: GlobStep; readonly next: number } | undefined {
    const tokens = this.#tokens;
    const token = tokens[at] ?? '';
    const next = at + 1;
    if (token === '?') return { step: anyCharacter, next };
    if (token.startsWith('*')) {
      if (!this.#isWholeSegment(at)) return { step: name, next };
      const isFolders = next < to && tokens[next] === '/';
      return isFolders ? { step: anyFolders, next: next + 1 } : { step: anything, next };
    }
    if (token === '/' && tokens[next] === '**' && next + 1 === tokens.length) {
      // `設定/**` also fits `設定`, but files are not below `*/`.
      const isNamed = tokens[at - 1]?.startsWith('*') !== true;
      return isNamed ? { step: below, next: next + 1 } : undefined;
    }
    if (token.startsWith('[') && token.length > 1) return { step: oneOf(token), next };
    const close = token === '{' ? this.#closing.get(at) : undefined;
    if (close === undefined) return undefined;
    const step = this.#braces(at, close);
    return step && { step, next: close + 1 };
  }

  /** `**` crosses folders if nothing else is between two slashes. */
  #isWholeSegment(at: number): boolean {
    const tokens = this.#tokens;
    const isAlone = BEFORE_SEGMENT.has(tokens[at - 1]) && BEHIND_SEGMENT.has(tokens[at + 1]);
    return tokens[at] === '**' && isAlone;
  }

  /** `{a,b}` or `{a..c}`; braces around anything else are characters. */
  #braces(open: number, close: number): GlobStep | undefined {
    const commas: number[] = [];
    for (let at = open + 1; at < close; at = (this.#closing.get(at) ?? at) + 1) {
      if (this.#tokens[at] === ',') commas.push(at);
    }
    if (commas.length > 0) {
      const starts = [open, ...commas];
      return choice(starts.map((start, part) => this.parse(start + 1, commas[part] ?? close)));
    }
    const inner = this.#tokens.slice(open + 1, close).join('');
    const { from, to } = RANGE.exec(inner)?.groups ?? {};
    return from === undefined || to === undefined ? undefined : oneOf(`[${from}-${to}]`);
  }
}

function closingBraces(tokens: readonly string[]): ReadonlyMap<number, number> {
  const closing = new Map<number, number>();
  const open: number[] = [];
  for (const [at, token] of tokens.entries()) {
    if (token === '{') open.push(at);
    const start = token === '}' ? open.pop() : undefined;
    if (start !== undefined) closing.set(start, at);
  }
  return closing;
}

/**
 * A piece of a glob: where it may end in a path, if it starts at any of some places. Places ascend
 * and are different, so a step never takes longer than the path is long.
 */
type GlobStep = (path: string, starts: readonly number[]) => readonly number[];

/** Characters that mean more than themselves inside a class. */
const SPECIAL = /[-*+?.^${}(|)[\]]/u;

/** Returns a text as it is. */
function literal(text: string): GlobStep {
  return (path, starts) =>
    starts.filter((at) => path.startsWith(text, at)).map((at) => at + text.length);
}

/** `?`: a character of a name. */
const anyCharacter: GlobStep = (path, starts) =>
  charactersAt(path, starts, (character) => character !== '/');

/** `*`: any part of a name. */
const name: GlobStep = (path, starts) => {
  const ends: number[] = [];
  for (const start of starts) {
    for (let at = Math.max(start, (ends.at(-1) ?? -1) + 1); at <= path.length; at += 1) {
      if (at > start && path[at - 1] === '/') break;
      ends.push(at);
    }
  }
  return ends;
};

/** `**`: anything. */
const anything: GlobStep = (path, [start = 0]) =>
  Array.from({ length: path.length - start + 1 }, (_, index) => start + index);

/** `**` with the slash after it: no folder, or some. */
const anyFolders: GlobStep = (path, starts) => {
  const ends: number[] = [];
  let next = 0;
  for (let at = starts[0] ?? 0; at <= path.length; at += 1) {
    const isStart = starts[next] === at;
    if (isStart) next += 1;
    if (isStart || path[at - 1] === '/') ends.push(at);
  }
  return ends;
};

/** `**` at the end, with the slash before it: what is here, and all below. */
const below: GlobStep = (path, starts) =>
  starts.some((at) => at === path.length || path[at] === '/') ? [path.length] : [];

/** `{a,b}`: any of several. */
function choice(branches: readonly (readonly GlobStep[])[]): GlobStep {
  return (path, starts) => {
    const ends = new Set<number>();
    for (const steps of branches) {
      let places = starts;
      for (const step of steps) if (places.length > 0) places = step(path, places);
      for (const place of places) ends.add(place);
    }
    return [...ends].toSorted((one, other) => one - other);
  };
}

/** `[a-z]`, `[!a-z]`: one of these characters, or none of them; `[1]` is also found as it is. */
function oneOf(token: string): GlobStep {
  const isNegated = /^\[[!^]./u.test(token);
  const body = token.slice(isNegated ? 2 : 1, -1);
  const ranges = rangesOf(body);
  const fits = (character: string): boolean => {
    const code = character.codePointAt(0) ?? 0;
    const isIn = ranges.some(([from, to]) => code >= from && code <= to);
    return isNegated ? !isIn && character !== '/' : isIn;
  };
  if (isNegated || SPECIAL.test(body)) return (path, starts) => charactersAt(path, starts, fits);
  const asItStands = literal(token);
  return choice([[(path, starts) => charactersAt(path, starts, fits)], [asItStands]]);
}

function rangesOf(body: string): readonly (readonly [from: number, to: number])[] {
  const codes = Array.from(body, (character) => character.codePointAt(0) ?? 0);
  const ranges: [number, number][] = [];
  for (let at = 0; at < codes.length; at += 1) {
    const from = codes[at] ?? 0;
    const last = codes[at + 1] === HYPHEN ? codes[at + 2] : undefined;
    ranges.push([from, last ?? from]);
    if (last !== undefined) at += 2;
  }
  return ranges;
}

const HYPHEN = 0x2d;

function charactersAt(
  path: string,
  starts: readonly number[],
  fits: (character: string) => boolean,
): readonly number[] {
  const ends: number[] = [];
  for (const at of starts) {
    const code = path.codePointAt(at);
    if (code === undefined) continue;
    const character = String.fromCodePoint(code);
    const end = at + character.length;
    if (ends.at(-1) !== end && fits(character)) ends.push(end);
  }
  return ends;
}

/** Checks whether a path of a document, with `/`, fits. */
export type PathPredicate = (filePath: string) => boolean;

/** How long a glob may be: what each character of a path may cost. */
const MAX_GLOB = 500;
const SIGN = /[*?[{]/u;

/**
 * Compiles paths and globs into one predicate: any of them has to fit. A path fits the document that
 * has it, and with `/` at its end, all below; so does a glob that is a path literally. `*` and
 * `?` stay within a folder, `**` does not, `[あい]` and `{a,b}` choose. A glob without `/` is about the
 * name of the file: `*.md` fits at any depth. `\` counts as `/`, composed letters as decomposed ones.
 *
 * @throws SearchError for a glob of more than 500 characters.
 *
 * @example
 * ```ts
 * const isCharacter = compilePaths(['設定/人物/**', '*.person.md']);
 * isCharacter('設定/人物/灯.md'); // true
 * ```
 */
export function compilePaths(patterns: readonly string[]): PathPredicate {
  const plain = new Set<string>();
  const folders: string[] = [];
  const globs: PathPredicate[] = [];
  for (const pattern of patterns) {
    const path = canonical(pattern).replaceAll('\\', '/').replace(/^\.\//u, '');
    const fits = globOf(path);
    if (fits) globs.push(fits);
    else if (path.endsWith('/')) folders.push(path);
    plain.add(path).add(canonical(pattern));
  }
  return (filePath) => {
    const path = canonical(filePath);
    return (
      plain.has(path) ||
      folders.some((folder) => path.startsWith(folder)) ||
      globs.some((fits) => fits(path))
    );
  };
}

function globOf(path: string): PathPredicate | undefined {
  if (!SIGN.test(path)) return undefined;
  if (path.length > MAX_GLOB) {
    const shown = cutMiddle(
      path,
      ({ length }) => length <= 40,
      () => '…',
    );
    throw new SearchError(
      `the glob '${shown}' has ${path.length} characters and may have ${MAX_GLOB}: ` +
        'name a folder, ending in /, or give several globs',
      { context: { characters: path.length } },
    );
  }
  return compileGlob(path.endsWith('/') ? `${path}**` : path);
}

/** File systems differ in whether が is one character or two. */
function canonical(path: string): string {
  return path.normalize('NFC');
}
