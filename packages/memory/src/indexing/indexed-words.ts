import {
  joinedTerms,
  termTexts,
  type TermTexts,
  type TextAnalyzer,
} from '@vizprompt/providers/text';
import { MAX_INDEXED, type IndexedFields } from './indexed-fields.ts';

/** What an event is searched by, as the index takes it: found before the event is written. */
export interface IndexedWords {
  readonly terms: Readonly<Record<keyof IndexedFields, TermTexts>>;
  /** How many characters the fields have. */
  readonly characters: Readonly<Record<keyof IndexedFields, number>>;
}

/** The words of fields. */
export function indexedWords(
  { text, path, detail }: IndexedFields,
  analyzer: TextAnalyzer,
): IndexedWords {
  return {
    terms: {
      text: joinedTerms(termTexts(analyzer, text)),
      path: joinedTerms(termTexts(analyzer, path)),
      detail: joinedTerms(termTexts(analyzer, detail)),
    },
    characters: { text: text.length, path: path.length, detail: detail.length },
  };
}

/** What a whole text of a file is searched by. */
export interface ContentWords {
  readonly terms: TermTexts;
  readonly characters: number;
}

/** The words of a whole text. */
export function contentWords(text: string, analyzer: TextAnalyzer): ContentWords {
  return { terms: joinedTerms(termTexts(analyzer, text)), characters: text.length };
}

/** A whole text of which the words may be known. */
export interface WholeText {
  readonly words: ContentWords | undefined;
  text(): string;
}

/** The words of an event with whole texts of files behind its details, cut like these. */
export function wordsWith(
  words: IndexedWords,
  contents: readonly WholeText[],
  analyzer: TextAnalyzer,
): IndexedWords {
  if (contents.length === 0) return words;
  const { terms, characters } = words;
  const before = characters.detail === 0 ? 0 : characters.detail + 1;
  const room = Math.max(0, MAX_INDEXED - before);
  const behind = wordsOfAll(contents, room) ?? contentWords(cut(contents, room), analyzer);
  const detail = behind.characters === 0 ? characters.detail : before + behind.characters;
  return {
    terms: { ...terms, detail: both(terms.detail, behind.terms) },
    characters: { ...characters, detail },
  };
}

/** Nothing where they are not known, or are of too much text. */
function wordsOfAll(contents: readonly WholeText[], room: number): ContentWords | undefined {
  let all: ContentWords | undefined;
  for (const { words } of contents) {
    if (!words) return undefined;
    all = all
      ? { terms: both(all.terms, words.terms), characters: all.characters + 1 + words.characters }
      : words;
    if (all.characters > room) return undefined;
  }
  return all;
}

function cut(contents: readonly WholeText[], room: number): string {
  const whole = contents.map((content) => content.text()).join('\n');
  return whole.length > room ? whole.slice(0, room).toWellFormed() : whole;
}

function both(first: TermTexts, second: TermTexts): TermTexts {
  return { line: [...first.line, ...second.line], extra: [...first.extra, ...second.extra] };
}
