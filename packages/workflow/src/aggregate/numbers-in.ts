const DIGITS = '〇一二三四五六七八九';

/** Numbers of a text: none with a point, a minus or a percent sign, no `9/10`, and not the 4 of `GPT4`. */
const NUMBER = /(?<!\d[.,/]?|(?<!\S)-)(?:(?<=\bno)|(?<![a-z]))\d{1,9}(?![\d%]|[.,/]\d)/giu;

/** `第二案`, `三番`: the number alone, since in a sentence `一番` is the word for the best. */
const KANJI =
  /^(?:第|回答|答え|答|案)?([一二三四五六七八九十]{1,3})(?:番目|番|つ目|位|案|号)?[。.]?$/u;

/** The whole numbers that a text names, in digits of any width or circle, or alone in Chinese characters. */
export function numbersIn(text: string): number[] {
  const plain = text.normalize('NFKC').trim();
  const kanji = KANJI.exec(plain)?.[1];
  if (kanji !== undefined) return [fromKanji(kanji)];
  return [...plain.matchAll(NUMBER)].map(([digits]) => Number(digits));
}

/** Up to 99. */
function fromKanji(text: string): number {
  const [tens, ones] = text.includes('十') ? text.split('十') : ['', text];
  const ten = text.includes('十') ? (tens === '' ? 1 : DIGITS.indexOf(tens ?? '')) : 0;
  return ten * 10 + (ones === '' ? 0 : DIGITS.indexOf(ones ?? ''));
}
