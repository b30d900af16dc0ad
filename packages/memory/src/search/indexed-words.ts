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

/** Whole texts of files as they come behind the details of an event, cut like these. */
export function contentsBehind(
  { characters }: IndexedWords,
  contents: readonly string[],
): { readonly text: string; readonly characters: number } {
  const before = characters.detail === 0 ? 0 : characters.detail + 1;
  const whole = contents.join('\n');
  const room = Math.max(0, MAX_INDEXED - before);
  const text = whole.length > room ? whole.slice(0, room).toWellFormed() : whole;
  const detail = text === '' ? characters.detail : before + text.length;
  return { text, characters: characters.text + characters.path + detail };
}
