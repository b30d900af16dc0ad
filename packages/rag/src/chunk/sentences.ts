/**
 * The end of a sentence, with the closing quotes and annotations of Aozora Bunko that go with it; or
 * a closing quote directly before an opening one.
 */
const SENTENCE_END =
  /(?<mark>[。｡！？!?．.‼⁇⁈⁉]+)(?<close>(?:[」』）】〉》〕］)\]”’"']|［＃[^［］\r\n]{0,80}］)*)|[」』](?=[\s「『])/gu;

/** After a closing quote, the sentence goes on: 「行く。」と言った。 */
const GOES_ON = /^[とってでだなのにはがをもや、，]/u;
/** After a bare mark of exclamation: えっ！と声が出た。 */
const QUOTED = /^[とっ、，…―]/u;
const CJK = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}「『（【〈《　]/u;
const ABBREVIATION =
  /(?:^|[\s("'])(?:[A-Z]|Mrs?|Ms|Dr|St|Prof|Jr|Sr|vs|etc|e\.g|i\.e|cf|No|Fig|Vol|pp?)$/u;

/**
 * The ends of the sentences inside one line, without the end of the line itself. Blanks behind a
 * sentence belong to it.
 */
export function* sentenceEnds(line: string): Generator<number> {
  for (const match of line.matchAll(SENTENCE_END)) {
    const end = match.index + match[0].length;
    const { mark, close } = match.groups ?? {};
    if (mark !== undefined && !isEnd(line, match.index, mark, close ?? '', end)) continue;
    const next = end + blanksAt(line, end);
    if (next < line.length) yield next;
  }
}

function isEnd(line: string, start: number, mark: string, close: string, end: number): boolean {
  const after = line.slice(end, end + 2);
  if (close === '' ? /[！？!?]$/u.test(mark) && QUOTED.test(after) : GOES_ON.test(after))
    return false;
  if (/[。｡！？‼⁇⁈⁉]/u.test(mark)) return true;
  if (mark.endsWith('．')) return !/^[0-9０-９a-zA-Z]/u.test(after);
  if (CJK.test(after)) return mark.length > 0 && !mark.startsWith('.');
  if (!/^\s/u.test(after)) return false;
  if (mark !== '.' || close !== '') return true;
  // Lower case goes on after an abbreviation that is not listed.
  if (/^\p{Ll}/u.test(line.slice(end).slice(blanksAt(line, end), blanksAt(line, end) + 2)))
    return false;
  return !ABBREVIATION.test(line.slice(Math.max(0, start - 8), start));
}

function blanksAt(line: string, from: number): number {
  let at = from;
  while (/\s/u.test(line.charAt(at))) at += 1;
  return at - from;
}
