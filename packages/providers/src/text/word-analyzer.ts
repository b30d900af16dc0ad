import { normalize } from './normalize.ts';
import { porterStem } from './porter.ts';
import { queryRun } from './query-run.ts';
import { ENGLISH_STOP_WORDS } from './stop-words.ts';
import { charactersOf, TermSink } from './term-sink.ts';
import type { TextAnalyzer } from './text-analyzer.ts';

/** Scripts in which a word cannot be told by its spaces. */
const UNSPACED =
  '\\p{sc=Han}\\p{sc=Hiragana}\\p{sc=Katakana}\\u30fc\\u3005-\\u3007\\p{sc=Hangul}\\p{sc=Thai}\\p{sc=Lao}\\p{sc=Khmer}\\p{sc=Myanmar}';
const RUNS = new RegExp(
  `(?<run>[${UNSPACED}]+)|(?<word>[[\\p{L}\\p{M}\\p{N}_]--[${UNSPACED}]]+)|\\p{Extended_Pictographic}`,
  'gv',
);
/** Where identifiers fall apart: `snake_case`, `camelCase`, `HTTPServer`, `utf8`. */
const PARTS = /\p{Lu}+(?!\p{Ll})|\p{Lu}?[\p{Ll}\p{Lo}\p{Lm}\p{M}]+|\p{N}+/gu;

/** What only words that have several parts hold. */
const SPLITS = /[^a-z]/;

/** Longer words are cut: they are keys, hashes and encoded data. */
const MAX_TERM_LENGTH = 64;

/** Options of {@link wordAnalyzer}. */
export interface WordAnalyzerOptions {
  /**
   * `'english'`: forms of an English word find each other (`ran the tests` finds `test`), and words such as
   * `the` and `what` only help to rank. Text between double quotes is still looked for as it stands.
   * Default: `'none'`.
   */
  readonly stems?: 'english' | 'none';
}

/**
 * The default analyser: two-character terms for Japanese and other text without spaces, words for
 * the rest, and beside them the parts of identifiers. It needs no dictionary. `認証` is found in
 * `認証機能`, `JWT` in `JWTを使用し`, and `middleware` in `authMiddleware`.
 */
export function wordAnalyzer({ stems = 'none' }: WordAnalyzerOptions = {}): TextAnalyzer {
  const hasStems = stems === 'english';
  return {
    specVersion: 1,
    id: hasStems ? 'word-1-english' : 'word-1',
    analyze(original, mode) {
      const normal = normalize(original);
      const sink = new TermSink(normal);
      const runs = [...normal.text.matchAll(RUNS)];
      for (const { 0: text, index, groups } of runs) {
        if (groups?.['run'] !== undefined) {
          if (mode === 'index') indexRun(sink, text, index);
          else queryRun(sink, text, index, runs.length === 1);
        } else if (groups?.['word'] === undefined) sink.add(text, index, index + text.length);
        else addWord(sink, text, index, mode, hasStems);
      }
      return sink.terms;
    },
  };
}

/** Overlapping pairs; the last character also alone, as no pair begins with it. */
function indexRun(sink: TermSink, run: string, at: number): void {
  const characters = charactersOf(run, at);
  const end = at + run.length;
  const last = characters.at(-1);
  sink.addPairs(characters);
  if (!last) return;
  if (characters.length === 1) sink.add(last.text, last.start, end);
  else sink.addExtra(last.text, last.start, end);
}

function addWord(
  sink: TermSink,
  word: string,
  at: number,
  mode: 'index' | 'query',
  hasStems: boolean,
): void {
  const whole = word.replaceAll('_', '');
  if (whole === '') return;
  const end = at + word.length;
  const lower = hasStems ? whole.toLowerCase() : whole;
  const stem = hasStems ? porterStem(lower) : whole;
  if (mode === 'query' && hasStems) {
    const flags = ENGLISH_STOP_WORDS.has(lower) ? { isWeak: true } : {};
    sink.add(cut(stem), at, end, flags);
  } else {
    sink.add(cut(whole), at, end);
    if (stem !== lower && hasStems) sink.addExtra(stem, at, end);
  }
  if (!SPLITS.test(word)) return;
  const parts = [...word.matchAll(PARTS)];
  if (parts.length < 2 || word.length > MAX_TERM_LENGTH) return;
  for (const { 0: part, index } of parts) {
    const flags = mode === 'query' ? { isWeak: true } : {};
    const text = hasStems ? porterStem(part.toLowerCase()) : part;
    sink.addExtra(text, at + index, at + index + part.length, flags);
    if (mode === 'index' && text !== part.toLowerCase()) {
      sink.addExtra(part, at + index, at + index + part.length);
    }
  }
}

function cut(word: string): string {
  if (word.length <= MAX_TERM_LENGTH) return word;
  return Array.from(word).slice(0, MAX_TERM_LENGTH).join('');
}
