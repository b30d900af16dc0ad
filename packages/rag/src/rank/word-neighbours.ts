import type { Word } from '../analyze/analyzer.ts';

/** The part of speech of numbers. */
export const NUMBER = '名詞,数';
/** ねこ of 子ねこ, which is no 子犬. */
const KANA_OF_WORD = /^[\u3041-\u3096]{2,4}$/;
const NOUN_OR_VERB = /^(?:名詞|動詞)$/;
const WITH_OKURIGANA = /\p{sc=Han}[\u3041-\u3096]/u;

/** Checks whether a word is a single kanji among others in a text without kana, as of Chinese: 学 of 学习. */
export function isInRun({ start, end }: Word, text: string): boolean {
  if (end - start > 1 || /[\u3041-\u30ff]/.test(text)) return false;
  return /\p{sc=Han}/u.test(text.charAt(start - 1) + text.charAt(end));
}

/** Checks whether a word is a single kanji next to a number or a word with okurigana: 国 of 4国 is not that of 四国, nor 言 of 言換え that of 言い訳, but 紙 of 紙状 is that of 紙幣. */
export function isNextToWord(words: readonly Word[], place: number, text: string): boolean {
  const [before, word, after] = [words[place - 1], words[place], words[place + 1]];
  if (!word || word.end - word.start > 1) return false;
  return [
    before?.end === word.start ? before : undefined,
    after?.start === word.end ? after : undefined,
  ].some(
    (other) =>
      other &&
      (other.pos === NUMBER ||
        WITH_OKURIGANA.test(text.slice(other.start, other.end)) ||
        (other === after &&
          KANA_OF_WORD.test(text.slice(other.start, other.end)) &&
          NOUN_OR_VERB.test(other.pos))),
  );
}
