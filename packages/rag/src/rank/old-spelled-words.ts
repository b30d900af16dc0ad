import type { Analyzer, Word } from '../analyze/analyzer.ts';
import { rewriteOldOrthography } from '../spelling/old-orthography.ts';

const HIRAGANA = /[ぁ-ん]/u;

/**
 * Returns what the words of a query are where it comes from a text in the old orthography: かお for かほ. The text has signs
 * and is indexed in today's spelling, the query is too short for any.
 */
export function oldSpelledWords(text: string, analyzer: Analyzer): readonly Word[] {
  // Inside of a run of kana, two words of today often look like one: さはり of 大きさはりんご.
  const pieces = rewriteOldOrthography(text, true).filter(
    ({ start, end }) => end - start === 1 || !HIRAGANA.test(text.charAt(start - 1)),
  );
  let today = '';
  let reached = 0;
  const places = pieces.map(({ start, end, text: written }) => {
    today += text.slice(reached, start);
    const from = today.length;
    today += written;
    reached = end;
    return { from, to: today.length };
  });
  if (places.length === 0) return [];
  const isRewritten = ({ isContent, start, end }: Word): boolean =>
    isContent && places.some(({ from, to }) => start < to && end > from);
  return analyzer.words(today + text.slice(reached)).filter(isRewritten);
}
