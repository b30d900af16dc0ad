import { type JsonValue } from '@vizprompt/providers';
import { canonicalJson } from '@vizprompt/providers/internal';

/** The answer of one part of a parallel step. */
export interface Answer {
  /** The name of the part, such as the id of its agent. */
  readonly name: string;
  readonly value: JsonValue;
  /** More than none; 1 where it has no weight of its own. */
  readonly weight: number;
}

/**
 * Returns the variable `answers` in the prompt of `judge` and `bestOf`: a list of `{ number, agent, answer }`, the
 * numbers being counted from 1.
 */
export function answersVariable(answers: readonly Answer[]): JsonValue {
  return answers.map(({ name, value }, at) => ({ number: at + 1, agent: name, answer: value }));
}

/**
 * Returns a string that two values share if they say the same. Strings are compared without case, width and the
 * characters around words (white space, the marks at the end of a sentence, quotes, brackets, emphasis), everything
 * else by its JSON. The string `'1'` and the number 1 differ.
 */
export function identityOf(value: JsonValue): string {
  return JSON.stringify(canonicalJson(typeof value === 'string' ? bare(folded(value)) : value));
}

/** Marks that end a sentence, in the scripts that have their own; `…` is `...` by now. */
const END_MARK = /[\s.,!?;:。、・‼⁇؟،؛۔।॥።၊။។]/u;
/**
 * Invisible characters: hints for line breaks, directions of writing, a byte order mark. Joiners are not among them, since
 * emoji and Persian words differ by them.
 */
const INVISIBLE = /[\u00AD\u061C\u200B\u200E\u200F\u202A-\u202E\u2060\u2066-\u2069\uFEFF]/gu;
const START_MARKS = /^[\s¿¡]*/u;
/** Marks of items of lists and of headings, in Markdown and in Japanese notes; before a number or an amount one may be a sign. */
const LINE_MARK =
  /^\s*(?:[-+]\s+(?=[^\s\d.,(\p{Sc}])|(?:[*‣◦▪]|#{1,6})\s+(?=[^\s\d])|[・•]\s*(?=\S))/u;
/** Quotes, brackets and emphasis that close what they open. */
const AROUND =
  '"" \'\' `` ** __ ~~ () [] {} <> 「」 『』 【】 〈〉 《》 〔〕 〖〗 〘〙 ⟨⟩ «» »« ‹› ›‹'.split(
    ' ',
  );

/** Returns a text without the characters around it; a text of nothing else stays as it is. */
function bare(text: string): string {
  let rest = text
    .replaceAll(/[‘’‚‛]/gu, "'")
    .replaceAll(/[“”„‟〝〞〟]/gu, '"')
    .replaceAll(/[‐‑‒–—―−]/gu, '-')
    // `〜` and `～` are one character of Japanese standards.
    .replaceAll('〜', '~')
    .replaceAll(INVISIBLE, '')
    .replaceAll(/\s\s*/gu, ' ');
  for (;;) {
    let next = withoutEndMarks(rest).replace(START_MARKS, '').replace(LINE_MARK, '');
    const pair = AROUND.find(([open = '', close = '']) => isWithin(next, open, close));
    if (pair) next = next.slice(1, -1);
    if (next === '') return rest;
    if (next === rest) return rest;
    rest = next;
  }
}

function withoutEndMarks(text: string): string {
  let end = text.length;
  while (end > 0 && END_MARK.test(text.charAt(end - 1))) end--;
  return text.slice(0, end);
}

function isWithin(text: string, open: string, close: string): boolean {
  return text.length > 2 && text.startsWith(open) && text.endsWith(close);
}

/** Upper case first makes one of `ß` and `ss`, and of the two forms of the small sigma. */
export function folded(text: string): string {
  return text.normalize('NFKC').toUpperCase().toLowerCase().normalize('NFKC').trim();
}
