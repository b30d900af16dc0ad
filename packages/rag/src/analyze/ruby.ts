/** Ruby: a reading next to a piece of text. */
export interface Ruby {
  /** Offsets of what it is next to, in normal form. */
  readonly start: number;
  readonly end: number;
  /** The reading as it is written. */
  readonly text: string;
}

/** `｜` with a base, before the ruby in `《》`. */
const RUBY_BASE = /[｜|](?=[^｜|《》\n]{1,40}《[^《》\n]{1,40}》)/y;
/** Any ruby, whose base was marked. */
const RUBY = /《(?<ruby>[^《》\n]{1,40})》/y;
/** Ruby in kana, whose base is the kanji before it. */
const KANA_RUBY = /《(?<ruby>[\u3041-\u3096\u309d\u309e\u30a1-\u30fe\u3000 ]{1,40})》/y;
/** A note of Aozora Bunko: `［＃改ページ］`, `［＃「漢字」に傍点］`. */
const NOTE = /［＃[^［］\n]{1,200}］/y;
/** Start of a base in the ruby of HTML. */
const HTML_BASE = /<ruby(?:\s[^<>\n]{0,100})?>(?:<rb>)?/y;
/** Ruby of DenDen Markdown and of pixiv, whose bases are short: `{漢字|かんじ}`, `[[rb:漢字 > かんじ]]`. */
const WHOLE_RUBY =
  /\{(?<denden>[^{}|\s<>]{1,40})\|(?<read>[\u3041-\u3096\u30a1-\u30fe|]{1,80})\}|\[\[rb:\s*(?<pixiv>[^[\]\s<>]{1,40})\s*>\s*(?<ruby>[^[\]\n]{1,40})\]\]/y;
/** Its ruby, after a base. */
const HTML_RUBY =
  /(?:<\/rb>)?(?:<rp>[^<>\n]{0,4}<\/rp>)?<rt>(?<ruby>[^<>\n]{1,40})(?:<\/rt>)?(?:<rp>[^<>\n]{0,4}<\/rp>)?(?<ends><\/ruby>)?/y;
/** Tags of ruby that say nothing where they are. */
const HTML_REST = /<\/?(?:ruby|rb|rtc|rp)>/y;
const KANJI_AT_END = /[\p{sc=Han}ヶ〆]+$/u;

/** A piece of markup: it is not read, but its ruby is kept. */
export interface Markup {
  readonly length: number;
  readonly ruby?: Omit<Ruby, 'end'>;
  /** The base in the markup, and where it begins in the text. */
  readonly base?: { readonly start: number; readonly text: string };
  /** True if the text up to the ruby is its base; another one may follow a ruby. */
  readonly opensBase?: true;
}

/** The text that was read before an offset. */
export interface ReadBefore {
  /** How long it is in normal form. */
  readonly length: number;
  /** Its last characters. */
  readonly tail: string;
  /** Where the base of a ruby begins that was marked. */
  readonly openBase: number | undefined;
}

/** Returns the markup of Aozora Bunko at an offset, if there is any. */
export function markupAt(text: string, at: number, before: ReadBefore): Markup | undefined {
  const [note] = matchAt(NOTE, text, at) ?? [];
  if (note !== undefined) return { length: note.length };
  const [base] = matchAt(RUBY_BASE, text, at) ?? [];
  if (base !== undefined) return { length: base.length, opensBase: true };
  const web = '<{['.includes(text.charAt(at)) ? webMarkup(text, at, before) : undefined;
  if (web) return web;
  const match = matchAt(before.openBase === undefined ? KANA_RUBY : RUBY, text, at);
  const ruby = match?.groups?.['ruby'];
  if (!match || ruby === undefined) return undefined;
  const [kanji = ''] = KANJI_AT_END.exec(before.tail) ?? [];
  const start = before.openBase ?? before.length - kanji.length;
  if (start === before.length) return undefined;
  return { length: match[0].length, ruby: { start, text: ruby } };
}

const NO_MATCH: Pick<RegExpExecArray, 'groups'> & { readonly 0?: string } = {};

function webMarkup(text: string, at: number, { openBase, length }: ReadBefore): Markup | undefined {
  if (text[at] !== '<') {
    const { 0: all = '', groups } = matchAt(WHOLE_RUBY, text, at) ?? NO_MATCH;
    const base = groups?.['denden'] ?? groups?.['pixiv'];
    const ruby = groups?.['read']?.replaceAll('|', '') ?? groups?.['ruby'];
    if (base === undefined || ruby === undefined) return undefined;
    const start = at + all.indexOf(base);
    return { length: all.length, base: { start, text: base }, ruby: { start: length, text: ruby } };
  }
  const [base] = matchAt(HTML_BASE, text, at) ?? [];
  if (base !== undefined) return { length: base.length, opensBase: true };
  if (openBase !== undefined && openBase < length) {
    const { 0: all = '', groups } = matchAt(HTML_RUBY, text, at) ?? NO_MATCH;
    const ruby = groups?.['ruby'];
    if (ruby !== undefined) {
      const found = { length: all.length, ruby: { start: openBase, text: ruby } };
      return groups?.['ends'] === undefined ? { ...found, opensBase: true } : found;
    }
  }
  const [rest] = matchAt(HTML_REST, text, at) ?? [];
  return rest === undefined ? undefined : { length: rest.length };
}

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}
