import { checkOptions } from '../input/check-input.ts';
import { type Kinds, oneOf, optional } from '../input/kinds.ts';
import { withCommonKanji } from './modern-kanji.ts';
import {
  AFTER_WORD,
  BEFORE_WORD,
  foldAccents,
  normalize,
  type NormalizedText,
  signedWord,
  withSignsAsLetters,
  charactersOf,
  TermSink,
} from './terms.ts';
import { irregularForms, rememberedStems } from './porter-stemmer.ts';
import { IN_PIECE, type PieceTerms, rememberedTerms } from './term-cache.ts';
import { type TextAnalyzer, type WantedTerm } from './text-analyzer.ts';

/** Where identifiers fall apart: `snake_case`, `camelCase`, `HTTPServer`, `utf8`. */
const PARTS = /\p{Lu}+(?!\p{Ll})|\p{Lu}?[\p{Ll}\p{Lo}\p{Lm}\p{M}]+|\p{N}+/gu;

/** Words that have no parts, which are most. */
const WHOLE = /^(?:[A-Z]?[a-z]+|[A-Z]+|[0-9]+)$/;

/**
 * A character that is in no ASCII run. An expression for the whole run has no room for millions of characters where V8
 * does not optimise it, which is so in a process with many expressions.
 */
const NOT_IN_WORD = /\W/;

/** Longer words are cut: they are keys, hashes and encoded data. */
const MAX_TERM_LENGTH = 64;

/** Options of {@link wordAnalyzer}. */
export interface WordAnalyzerOptions {
  /**
   * `'english'`: forms of an English word find each other (`ran the tests` finds `test`), and words such as
   * `the` and `what` only help to rank. Text between double quotes is still looked for as it is.
   * Default: `'none'`.
   */
  readonly stems?: 'english' | 'none' | undefined;
}

const KINDS: Kinds<WordAnalyzerOptions> = {
  stems: optional(oneOf('english', 'none')),
};

/**
 * Returns the default analyser: two-character terms for Japanese and other text without spaces, words for
 * the rest, and next to them the parts of identifiers. It needs no dictionary. `認証` is found in
 * `認証機能`, `JWT` in `JWTを使用し`, `middleware` in `authMiddleware`, `café` by `cafe`, `渡邊` by `渡辺`, and `C++` as such.
 */
export function wordAnalyzer(options: WordAnalyzerOptions = {}): TextAnalyzer {
  checkOptions('wordAnalyzer', options, KINDS);
  const { stems = 'none' } = options;
  const { id, stem, terms } = kindOf(stems === 'english');
  return {
    specVersion: 1,
    id,
    analyze(original, mode) {
      const normal = withSigns(normalize(original));
      const sink = new TermSink(normal);
      if (mode === 'index') {
        addAll(sink, normal.text, stem);
        return sink.terms;
      }
      const runs = runsOf(normal.text);
      for (const run of runs) {
        if (run.kind !== 'unspaced') addRun(sink, run, mode, stem);
        else queryRun(sink, run.text, run.index, runs.length === 1);
      }
      return sink.terms;
    },
    terms,
    find(original, wanted) {
      const normal = withSigns(normalize(original));
      const sink = new TermSink(normal);
      addWanted(sink, normal.text, headsOf(wanted), stem);
      return sink.terms;
    },
  };
}

function withSigns(normal: NormalizedText): NormalizedText {
  const text = withSignsAsLetters(normal.text);
  return text === normal.text ? normal : { ...normal, text };
}

type Mode = 'index' | 'query';
type Stem = ((word: string) => string) | undefined;

/** The parts that all analysers of one kind share: their caches take megabytes, and creating them takes milliseconds. */
interface Kind extends Required<Pick<TextAnalyzer, 'id' | 'terms'>> {
  readonly stem: Stem;
}

let plain: Kind | undefined;
let english: Kind | undefined;

function kindOf(hasStems: boolean): Kind {
  if (hasStems) return (english ??= newKind('word-5-english', rememberedStems()));
  return (plain ??= newKind('word-4', undefined));
}

function newKind(id: string, stem: Stem): Kind {
  return { id, stem, terms: rememberedTerms((text) => pieceTerms(text, stem)) };
}

function pieceTerms(text: string, stem: Stem): PieceTerms {
  if (isWhole(text)) {
    const lower = text.toLowerCase();
    const base = stem?.(lower) ?? lower;
    return { line: lower, extra: base === lower ? '' : base };
  }
  const sink = new TermSink({ text, startOf: (at) => at, endOf: (at) => at });
  addPiece(sink, text, 0, stem);
  const line: string[] = [];
  const extra: string[] = [];
  for (const term of sink.terms) (term.position === undefined ? extra : line).push(term.text);
  return { line: line.join(' '), extra: extra.join(' ') };
}

function isWhole(word: string): boolean {
  return word.length <= MAX_TERM_LENGTH && WHOLE.test(word);
}

function addAll(sink: TermSink, text: string, stem: Stem): void {
  for (let at = 0; at < text.length; at++) {
    const start = at;
    for (; at < text.length; at++) {
      const unit = text.charCodeAt(at);
      if (unit < 128 && IN_PIECE[unit] === 0) break;
    }
    if (at > start) addPiece(sink, text.slice(start, at), start, stem);
  }
}

/** Adds the terms of those pieces that may have one with such a head. Most are not even cut out. */
function addWanted(sink: TermSink, text: string, heads: readonly string[], stem: Stem): void {
  const firsts = firstsOf(heads);
  const units = heads.includes('') ? undefined : new Set(heads.map((head) => head.charCodeAt(0)));
  for (let at = 0; at < text.length; at++) {
    const start = at;
    let isPlain = true;
    for (; at < text.length; at++) {
      const unit = text.charCodeAt(at);
      if (unit < 128 && IN_PIECE[unit] === 0) break;
      if (!isSmall(unit)) isPlain &&= at === start && isSmall(unit | SMALL);
    }
    if (at === start || (isPlain && firsts[text.charCodeAt(start) | SMALL] === 0)) continue;
    const piece = text.slice(start, at);
    if (mayHave(piece, heads)) addPiece(sink, piece, start, stem, units);
  }
}

/** The bit that makes a capital ASCII letter a small one. */
const SMALL = 32;

function isSmall(unit: number): boolean {
  return unit >= 97 && unit <= 122;
}

/** With which ASCII letters heads begin; all, if one is empty. */
function firstsOf(heads: readonly string[]): Uint8Array {
  const firsts = new Uint8Array(128);
  for (const head of heads) {
    if (head === '') firsts.fill(1);
    const unit = head.charCodeAt(0);
    if (unit < 128) firsts[unit] = 1;
  }
  return firsts;
}

/** Most pieces are a word, which is known without looking for runs. */
function addPiece(sink: TermSink, piece: string, at: number, stem: Stem, wanted?: Units): void {
  if (NOT_IN_WORD.test(piece)) addRuns(sink, piece, at, stem, wanted);
  else addWord(sink, piece, at, 'index', stem);
}

/**
 * How the words begin that may have one of the terms: a stem differs from its word from its last letter on, unless that is
 * an irregular form.
 */
function headsOf(terms: readonly WantedTerm[]): readonly string[] {
  return [...new Set(terms.flatMap(({ text }) => [text.slice(0, -1), ...irregularForms(text)]))];
}

/** Checks whether a piece may have terms that begin so. Most are a word that has not. */
function mayHave(piece: string, heads: readonly string[]): boolean {
  if (!isWhole(piece)) return true;
  const lower = piece.toLowerCase();
  return heads.some((head) => lower.startsWith(head));
}

function addRuns(sink: TermSink, text: string, at: number, stem: Stem, wanted?: Units): void {
  for (let run = nextRun(text, 0); run; run = nextRun(text, run.index + run.text.length)) {
    const index = at + run.index;
    if (run.kind === 'unspaced') indexRun(sink, run.text, index, wanted);
    else addRun(sink, { ...run, index }, 'index', stem);
  }
}

/** The units with which terms begin. */
type Units = ReadonlySet<number>;

function addRun(sink: TermSink, { kind, text, index }: Run, mode: Mode, stem: Stem): void {
  if (kind === 'unspaced') indexRun(sink, text, index);
  else if (kind === 'word') addSigned(sink, text, index, mode, stem);
  else sink.add(text, index, index + text.length);
}

/**
 * Overlapping pairs; the last character also alone, as no pair begins with it.
 *
 * @param wanted - Others may be left out. Default: all are added.
 */
function indexRun(sink: TermSink, run: string, at: number, wanted?: Units): void {
  let previous = -1;
  let start = 0;
  const known = withCommonKanji(wanted ? run : '');
  // Kanji outside of the basic plane may have a common form within it.
  const firsts = known.length === run.length ? wanted : undefined;
  const add = (from: number, to: number, isExtra: boolean): void => {
    const isWanted =
      !firsts || firsts.has(run.charCodeAt(from)) || firsts.has(known.charCodeAt(from));
    if (!isWanted) return;
    const text = run.slice(from, to);
    const common = withCommonKanji(text);
    if (isExtra) sink.addExtra(common, at + from, at + to);
    else sink.addLower(common, at + from, at + to);
    if (common !== text) sink.addExtra(text, at + from, at + to);
  };
  for (let end = 0; start < run.length; start = end) {
    end = start + ((run.codePointAt(start) ?? 0) > 0xffff ? 2 : 1);
    if (previous >= 0) add(previous, end, false);
    previous = start;
  }
  add(previous, run.length, previous > 0);
}

/**
 * `C++` and `C#` are other words than `C`, which finds them, too. A dot before a word only ranks: `.png` is asked for where
 * `a.png` is meant.
 */
function addSigned(sink: TermSink, text: string, at: number, mode: Mode, stem: Stem): void {
  const signed = signedWord(text);
  if (!signed) {
    addWord(sink, text, at, mode, stem);
    return;
  }
  const { word, before, after } = signed;
  const start = at + before;
  const end = at + text.length;
  const lower = foldAccents(cut(word).toLowerCase());
  if (after === '') addWord(sink, word, start, mode, stem);
  else {
    sink.addLower(lower + after, start, end);
    if (mode === 'index') addExtraForms(sink, word, start, end, stem);
  }
  if (before === 0) return;
  sink.addExtra(text.slice(0, before) + lower, at, end, mode === 'query' ? WEAK : undefined);
}

function addWord(sink: TermSink, word: string, at: number, mode: Mode, stem: Stem): void {
  const hasNoParts = isWhole(word);
  const whole = !hasNoParts && word.includes('_') ? word.replaceAll('_', '') : word;
  if (whole === '') return;
  addForms(sink, cut(whole), at, at + word.length, mode, stem);
  if (hasNoParts || word.length > MAX_TERM_LENGTH) return;
  const parts = [...word.matchAll(PARTS)];
  if (parts.length < 2) return;
  for (const { 0: part, index } of parts) {
    const start = at + index;
    const end = start + part.length;
    if (mode === 'query') {
      const folded = foldAccents(part.toLowerCase());
      sink.addExtra(stem?.(folded) ?? folded, start, end, WEAK);
    } else addExtraForms(sink, part, start, end, stem);
  }
}

const WEAK = { isWeak: true } as const;

/**
 * A word is stored without its accents and, next to the line, as its stem and with them; it is asked for by its stem, and
 * accents only help to rank.
 */
function addForms(
  sink: TermSink,
  word: string,
  start: number,
  end: number,
  mode: Mode,
  stem: Stem,
): void {
  const lower = word.toLowerCase();
  const folded = foldAccents(lower);
  const base = stem?.(folded) ?? folded;
  if (mode === 'query') {
    const isWeak = stem !== undefined && FUNCTION_WORDS.has(folded);
    sink.addLower(base, start, end, isWeak ? WEAK : undefined);
    if (lower !== folded) sink.addExtra(lower, start, end, WEAK);
    return;
  }
  sink.addLower(folded, start, end);
  if (base !== folded) sink.addExtra(base, start, end);
  if (lower !== folded) sink.addExtra(lower, start, end);
}

function addExtraForms(sink: TermSink, part: string, start: number, end: number, stem: Stem): void {
  const folded = foldAccents(part.toLowerCase());
  const base = stem?.(folded) ?? folded;
  sink.addExtra(folded, start, end);
  if (base !== folded) sink.addExtra(base, start, end);
}

function cut(word: string): string {
  if (word.length <= MAX_TERM_LENGTH) return word;
  // No character has more than two units.
  const head = word.slice(0, 2 * MAX_TERM_LENGTH);
  return Array.from(head).slice(0, MAX_TERM_LENGTH).join('');
}

/** Scripts in which words are not separated by spaces. */
const UNSPACED =
  '\\p{sc=Han}\\p{sc=Hiragana}\\p{sc=Katakana}\\u30fc\\u3005-\\u3007\\p{sc=Hangul}\\p{sc=Thai}\\p{sc=Lao}\\p{sc=Khmer}\\p{sc=Myanmar}';

/** An expression notes each character of what it matches, and has no room for some millions of them. */
const MOST = 2 ** 20;

const RUNS = new RegExp(
  `([${UNSPACED}]{1,${MOST}})|(${BEFORE_WORD}[[\\p{L}\\p{M}\\p{N}_]--[${UNSPACED}]]{1,${MOST}}${AFTER_WORD})|\\p{Extended_Pictographic}`,
  'gv',
);

/** A run of characters that is read in one way. */
interface Run {
  /** Text without spaces, of any length; a word; or a single picture. */
  readonly kind: 'unspaced' | 'word' | 'picture';
  readonly text: string;
  readonly index: number;
}

/** Returns the first run from a place of a text on. */
function nextRun(text: string, from: number): Run | undefined {
  const found = findRun(text, from);
  if (!found || found.text.length < MOST) return found;
  let end = found.index + found.text.length;
  for (let more = findRun(text, end); more; more = findRun(text, end)) {
    if (more.index !== end || more.kind !== found.kind) break;
    end += more.text.length;
  }
  return { ...found, text: text.slice(found.index, end) };
}

/** All runs of a text. */
function runsOf(text: string): readonly Run[] {
  const runs: Run[] = [];
  for (let run = nextRun(text, 0); run; run = nextRun(text, run.index + run.text.length)) {
    runs.push(run);
  }
  return runs;
}

function findRun(text: string, from: number): Run | undefined {
  RUNS.lastIndex = from;
  const match = RUNS.exec(text);
  if (!match) return undefined;
  const [found, unspaced, word] = match;
  const { index } = match;
  if (unspaced !== undefined) return { kind: 'unspaced', text: found, index };
  return { kind: word === undefined ? 'picture' : 'word', text: found, index };
}

/**
 * English words that hold sentences together and say little by themselves; and the most common verbs, but for
 * `go` and `make` themselves, which name tools as well.
 *
 * Source of the verbs: Biber et al., Longman Grammar of Spoken and Written English (1999), section 5.2.1.
 */
const FUNCTION_WORDS: ReadonlySet<string> = new Set(
  (
    'a about all also am an and any are as at be because been being both but by can could did ' +
    'do does doing done each every few for from get got gotten had has have having he her hers him his how ' +
    'i if in into is it its just like many me might more most much must my no not of on or ' +
    'other our out shall she should so some such than that the their them then there these they ' +
    'this those to too up us very was we were what when where which while who whom whose why ' +
    'will with would you your ' +
    'came come comes gave give given gives knew know known knows mean means meant said saw say ' +
    'says see seen sees take taken takes think thinks thought took want wanted wants gone went made'
  ).split(' '),
);

type Script = 'hiragana' | 'katakana' | 'other';

interface Segment {
  readonly script: Script;
  /** Indices into the characters of the run. */
  readonly from: number;
  readonly to: number;
}

/** From this length on a run is not also looked for as a whole. */
const MAX_WHOLE = 32;

/**
 * The terms of a run without spaces in a query. `認証の設定` asks for `認証` and `設定`; `の`, like
 * all hiragana next to other script, is weak, and so is the whole run, which ranks exact matches
 * first. A single character borrows its neighbour (`食べる` asks for `食べ`) or, alone, asks for all
 * pairs that begin with it.
 *
 * @param isAlone - The run is the whole query.
 */
function queryRun(sink: TermSink, run: string, at: number, isAlone: boolean): void {
  const written = charactersOf(run, at);
  const characters = written.map((one) => ({ ...one, text: withCommonKanji(one.text) }));
  const segments = segmentsOf(characters.map(({ text }) => text));
  const hasOther = !isAlone || segments.some(({ script }) => script !== 'hiragana');

  const ask = (from: number, to: number, isWeak: boolean): void => {
    const flags = { group: sink.newGroup(), ...(isWeak ? { isWeak } : {}) };
    const first = characters[from];
    if (to - from === 1 && first) {
      const end = first.end;
      sink.add(first.text, first.start, end, { ...flags, isPrefix: true });
    }
    sink.addPairs(characters.slice(from, to), flags);
  };

  for (const { script, from, to } of segments) {
    const isWeak = script === 'hiragana' && hasOther;
    if (to - from > 1 || characters.length === 1) ask(from, to, isWeak);
    else if (!isWeak) ask(...borrowNeighbour(from, to, characters.length), false);
  }
  const isSplit = segments.length > 1 && characters.length <= MAX_WHOLE;
  if (isSplit) ask(0, characters.length, true);
  // 渡邊 is found as 渡辺, too, and ranks first as it is written.
  const isRare = written.some(({ text }, index) => text !== characters[index]?.text);
  if (isRare) sink.addPairs(written, { group: sink.newGroup(), isWeak: true });
}

function borrowNeighbour(from: number, to: number, length: number): [number, number] {
  return to < length ? [from, to + 1] : [from - 1, to];
}

function segmentsOf(characters: readonly string[]): Segment[] {
  const segments: Segment[] = [];
  for (const [index, character] of characters.entries()) {
    const last = segments.at(-1);
    const script = scriptOf(character, last?.script);
    if (last?.script === script) segments[segments.length - 1] = { ...last, to: index + 1 };
    else segments.push({ script, from: index, to: index + 1 });
  }
  return segments;
}

function scriptOf(character: string, previous: Script | undefined): Script {
  if (character === 'ー') return previous ?? 'katakana';
  if (/\p{sc=Hiragana}/u.test(character)) return 'hiragana';
  return /\p{sc=Katakana}/u.test(character) ? 'katakana' : 'other';
}
