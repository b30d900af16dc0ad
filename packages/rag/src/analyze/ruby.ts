import { referredCharacter } from '../encoding/named-characters.ts';
import { namedKanjiAt } from '../spelling/named-kanji.ts';
import { repeatedAt } from '../spelling/repetition-marks.ts';

/** Ruby: a reading next to a piece of text. */
export interface Ruby {
  /** Offsets of what it is next to, in normal form. */
  readonly start: number;
  readonly end: number;
  /** The reading as it is written. */
  readonly text: string;
}

/** Kana in brackets, as they follow a word where there is no other way to write ruby. */
const BRACKETED = String.raw`[（(][\u3041-\u3096\u309d\u309e\u30a1-\u30fe]{1,20}[)）]`;
/** `｜` with a base, before the ruby in `《》`, which some type as `≪≫`, or brackets. */
const RUBY_BASE = new RegExp(
  String.raw`[｜|](?=[^｜|《》（）()\n]{1,40}(?:[《≪][^《》≪≫\n]{1,40}[》≫]|${BRACKETED}))`,
  'y',
);
const BRACKETED_RUBY = new RegExp(BRACKETED, 'y');
/** No kanji has a longer reading. */
const MOST_KANA = 5;
/** Emphasis of Kakuyomi, `《《強調》》`. */
const EMPHASIS_START = /《《(?=[^《》\n]{1,100}》》)/y;
const EMPHASIS_END = /(?<=《《[^《》\n]{1,100})》》/y;
/** Any ruby, whose base was marked. */
const RUBY = /[《≪](?<ruby>[^《》≪≫\n]{1,40})[》≫]/y;
/** Ruby in kana, whose base is the kanji before it. */
const KANA_RUBY =
  /[《≪](?<ruby>[\u3041-\u3096\u309d\u309e\u30a1-\u30fe\u3000 ／＼″\u3031-\u3035]{1,40})[》≫]/y;
/** A note of Aozora Bunko: `［＃改ページ］`, `［＃「漢字」に傍点］`. */
const NOTE = /［＃[^［］\n]{1,200}］/y;
/** Ruby of HTML as a whole, and the start of one that is not closed. */
const HTML_WHOLE = /<ruby(?:\s[^<>]{0,200})?>(?<inner>[^]{1,1000}?)<\/ruby\s*>/iy;
const HTML_BASE = /<ruby(?:\s[^<>\n]{0,100})?>(?:<rb>)?/iy;
/** Ruby of DenDen Markdown, pixiv, wikis and AlphaPolis, whose bases are short: `{漢字|かんじ}`, `[漢字]{かんじ}`, `[漢字]^(かんじ)`, `[[rb:漢字 > かんじ]]`, `{{ruby|漢字|かんじ}}`, `#漢字__かんじ__#`. */
const WHOLE_RUBY =
  /\{(?<denden>[^{}|｜\s<>]{1,40})[|｜](?<read>[\u3041-\u3096\u30a1-\u30fc|｜]{1,80}|(?<=\p{sc=Han}[|｜])[^{}\s<>]{1,80})\}|\[\[rb:\s*(?<pixiv>[^[\]\s<>＞]{1,40})\s*[>＞]\s*(?<ruby>[^[\]\n]{1,40})\]\]|\{\{(?:ruby|r)\|(?<wiki>[^{}|\s<>]{1,40})\|(?<note>[^{}|\n<>]{1,40})\}\}|\[(?<square>(?=[^[\]]{0,40}\p{sc=Han})[^[\]\s<>]{1,40})\](?:\{(?<brace>[\u3041-\u3096\u30a1-\u30fc]{1,40})\}|\^\((?<caret>[\u3041-\u3096\u30a1-\u30fc]{1,40})\))|#(?<alpha>[^#_\s<>]{1,40})__(?<kana>[\u3041-\u3096\u30a1-\u30fc]{1,40})__#/uy;
/** A link of pixiv, of which a part is shown: `[[jumpuri:題名 > https://example.com]]`. */
const JUMP = /\[\[jumpuri:\s*(?<shown>[^[\]>＞\n]{1,100}?)\s*[>＞][^[\]\n]{1,500}\]\]/uy;
/** Its ruby, after a base. */
const HTML_RUBY =
  /(?:<\/rb>)?(?:<rp>[^<>\n]{0,4}<\/rp>)?<rt(?:\s[^<>\n]{0,100})?>(?<ruby>[^<>\n]{1,40})(?:<\/rt>)?(?:<rp>[^<>\n]{0,4}<\/rp>)?(?<ends><\/ruby>)?/iy;
/** A tag of HTML, and a comment. Other things in angle brackets are text: `<嵐>`, `Map<string>`. */
const TAG =
  /<(?:!--[^]{0,2000}?--|\/?(?<name>a|abbr|article|aside|b|big|blockquote|br|caption|center|cite|code|col|colgroup|dd|del|details|div|dl|dt|em|figcaption|figure|font|footer|h[1-6]|header|hr|i|img|ins|kbd|li|main|mark|nav|ol|p|pre|q|rb|rp|rt|rtc|ruby|s|samp|section|small|span|strike|strong|sub|summary|sup|table|tbody|td|tfoot|th|thead|tr|tt|u|ul|wbr)(?:\s[^<>]{0,500})?\s*\/?)>/iy;
/** Those that end a line. */
const ENDS_LINE =
  /^(?:article|aside|blockquote|br|caption|center|dd|details|div|dl|dt|figcaption|figure|footer|h[1-6r]|header|li|main|nav|ol|p|pre|section|summary|table|tbody|td|tfoot|th|thead|tr|ul)$/i;
const REFERENCE = /&(?<name>#\d{1,7}|#[xX][\da-fA-F]{1,6}|[a-zA-Z][a-zA-Z\d]{1,31});/y;
const KANJI_AT_END = /[\p{sc=Han}ヶ〆]+$/u;

/** A piece of markup: it is not read, but its ruby is kept. */
export interface Markup {
  readonly length: number;
  readonly ruby?: Omit<Ruby, 'end'>;
  /** The pieces of the base in the markup, and where they begin in the text. */
  readonly bases?: readonly { readonly start: number; readonly text: string }[];
  /** The text in its place: a character, or the end of a line. */
  readonly shown?: string;
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

/** Returns the markup of Aozora Bunko, HTML or web novels at an offset, if there is any. */
export function markupAt(text: string, at: number, before: ReadBefore): Markup | undefined {
  const sign = text.charAt(at);
  if (sign === '&') return characterAt(text, at);
  if (sign === '※') return namedKanjiAt(text, at);
  if (sign === '／' || (sign >= '〱' && sign <= '〵')) return repeatedAt(text, at, before.tail);
  const [note] = matchAt(NOTE, text, at) ?? [];
  if (note !== undefined) return { length: note.length };
  const [base] = matchAt(RUBY_BASE, text, at) ?? [];
  if (base !== undefined) return { length: base.length, opensBase: true };
  if (sign === '<') return htmlAt(text, at, before);
  if (sign === '{' || sign === '[' || sign === '#') return webMarkup(text, at, before);
  const [emphasis] = matchAt(sign === '《' ? EMPHASIS_START : EMPHASIS_END, text, at) ?? [];
  if (emphasis !== undefined) return { length: emphasis.length };
  const [kanji = ''] = KANJI_AT_END.exec(before.tail) ?? [];
  const start = before.openBase ?? before.length - kanji.length;
  if (start === before.length) return undefined;
  if (sign === '（' || sign === '(') {
    const [bracketed = ''] = matchAt(BRACKETED_RUBY, text, at) ?? [];
    const ruby = bracketed.slice(1, -1);
    const isReading = before.openBase !== undefined || ruby.length <= MOST_KANA * kanji.length;
    return ruby !== '' && isReading
      ? { length: bracketed.length, ruby: { start, text: ruby } }
      : undefined;
  }
  const match = matchAt(before.openBase === undefined ? KANA_RUBY : RUBY, text, at);
  const ruby = match?.groups?.['ruby'];
  return match && ruby !== undefined
    ? { length: match[0].length, ruby: { start, text: ruby } }
    : undefined;
}

const NO_MATCH: Pick<RegExpExecArray, 'groups'> & { readonly 0?: string } = {};

function characterAt(text: string, at: number): Markup | undefined {
  const { 0: all = '', groups } = matchAt(REFERENCE, text, at) ?? NO_MATCH;
  const character = referredCharacter(groups?.['name'] ?? '');
  return character === undefined ? undefined : { length: all.length, shown: character };
}

function webMarkup(text: string, at: number, { length }: ReadBefore): Markup | undefined {
  const { 0: all = '', groups } = matchAt(WHOLE_RUBY, text, at) ?? NO_MATCH;
  const {
    denden,
    pixiv,
    wiki,
    alpha,
    square,
    read,
    ruby: written,
    note,
    kana,
    brace,
    caret,
  } = groups ?? {};
  const base = denden ?? pixiv ?? wiki ?? alpha ?? square;
  const ruby =
    read?.replaceAll(/[|｜]/g, '') ?? (written ?? note ?? kana ?? brace ?? caret)?.trim();
  const link = base === undefined ? matchAt(JUMP, text, at) : undefined;
  if (link) {
    const shown = link.groups?.['shown'] ?? '';
    return {
      length: link[0].length,
      bases: [{ start: at + link[0].indexOf(shown, 10), text: shown }],
    };
  }
  if (base === undefined || ruby === undefined || ruby === '') return undefined;
  const bases = [
    { start: at + all.indexOf(base, wiki === undefined ? 0 : all.indexOf('|')), text: base },
  ];
  return { length: all.length, bases, ruby: { start: length, text: ruby } };
}

function htmlAt(text: string, at: number, before: ReadBefore): Markup | undefined {
  const whole = htmlRuby(text, at, before);
  if (whole) return whole;
  const [base] = matchAt(HTML_BASE, text, at) ?? [];
  if (base !== undefined) return { length: base.length, opensBase: true };
  const { openBase, length } = before;
  if (openBase !== undefined && openBase < length) {
    const { 0: all = '', groups } = matchAt(HTML_RUBY, text, at) ?? NO_MATCH;
    const ruby = groups?.['ruby'];
    if (ruby !== undefined) {
      const found = { length: all.length, ruby: { start: openBase, text: ruby } };
      return groups?.['ends'] === undefined ? { ...found, opensBase: true } : found;
    }
  }
  const { 0: tag, groups } = matchAt(TAG, text, at) ?? NO_MATCH;
  if (tag === undefined) return undefined;
  const endsLine = ENDS_LINE.test(groups?.['name'] ?? '');
  return { length: tag.length, ...(endsLine ? { shown: '\n' } : {}) };
}

/** Ruby of HTML: all of its base as one run, with all of its readings as one, whichever way they are interleaved. */
function htmlRuby(text: string, at: number, { length }: ReadBefore): Markup | undefined {
  const { 0: all = '', groups } = matchAt(HTML_WHOLE, text, at) ?? NO_MATCH;
  const inner = groups?.['inner'];
  if (inner === undefined || /<ruby[\s>]/i.test(inner)) return undefined;
  const from = at + all.indexOf('>') + 1;
  const bases: { start: number; text: string }[] = [];
  let reading = '';
  let mode = 'rb';
  for (const { 0: piece, index } of inner.matchAll(/<[^<>]*>|[^<][^<]*|</g)) {
    const name = /^<(?<close>\/?)\s*(?<name>[a-z][a-z]*)/i.exec(piece)?.groups;
    const tag = name?.['name']?.toLowerCase() ?? '';
    if (/^(?:rt|rp)$/.test(tag)) mode = name?.['close'] === '/' ? 'rb' : tag;
    else if (tag === 'rb') mode = 'rb';
    else if (name === undefined && mode === 'rt') reading += piece.trim();
    else if (name === undefined && mode === 'rb' && piece.trim() !== '') {
      const indent = piece.length - piece.trimStart().length;
      bases.push({ start: from + index + indent, text: piece.trim() });
    }
  }
  if (bases.length === 0) return undefined;
  const ruby = reading === '' ? {} : { ruby: { start: length, text: reading } };
  return { length: all.length, bases, ...ruby };
}

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}
