import { type JsonValue } from '@vizprompt/providers';
import { isJsonObject } from '@vizprompt/providers/internal';
import { WorkflowError } from '../errors.ts';
import { type Answer, folded, identityOf } from './answer.ts';

/**
 * Returns the answer that a model names as the best: by its number from 1, in digits of any script or in JSON, or by
 * the name of its agent.
 *
 * @param reply - The model's answer, as text or as JSON.
 * @throws WorkflowError with the code `step-failed` if it names none of them, or several.
 */
export function bestAnswer(reply: JsonValue, answers: readonly Answer[]): JsonValue {
  const number = chosenNumber(
    reply,
    answers.map(({ name }) => name),
  );
  const best = number === undefined ? undefined : answers[number - 1];
  if (best) return best.value;
  const said = typeof reply === 'string' ? reply : JSON.stringify(reply);
  const short = said.length > 200 ? `${said.slice(0, 200).toWellFormed()}…` : said;
  throw new WorkflowError(
    'step-failed',
    `bestOf needs the number of one answer, from 1 to ${answers.length}, and got: ${short}`,
    { context: { count: answers.length } },
  );
}

/**
 * Returns the number that a reply names, from 1 to the count of names; `undefined` if it names none, or several.
 *
 * @param names - Names of what is chosen from, in order; a reply may be such a name, too.
 */
export function chosenNumber(reply: JsonValue, names: readonly string[]): number | undefined {
  if (typeof reply === 'number') return inRange(reply, names.length);
  if (typeof reply === 'string') return inText(reply, names);
  if (typeof reply !== 'object' || reply === null) return undefined;
  if (!isJsonObject(reply))
    return reply.length === 1 ? chosenNumber(reply[0] ?? null, names) : undefined;
  const { best } = reply;
  if (best !== undefined) return chosenNumber(best, names);
  const fields = Object.values(reply).filter((field) => isShort(field));
  return only(fields.map((field) => chosenNumber(field, names)));
}

function inText(text: string, names: readonly string[]): number | undefined {
  const json = jsonIn(text);
  if (json !== undefined) return chosenNumber(json, names);
  const reply = folded(text);
  const same = names.flatMap((name, at) => (folded(name) === reply ? [at + 1] : []));
  if (same.length > 0) return only(same);
  const quoted = names.flatMap((name, at) =>
    identityOf(name) === identityOf(text) ? [at + 1] : [],
  );
  if (quoted.length > 0) return only(quoted);
  const all = only(inRanges(text, names.length));
  if (all !== undefined) return all;
  // Models reason before they decide, or decide and then explain: the decision is in a line of its own.
  const lines = text.split('\n').filter(isShort);
  return only(lines.flatMap((line) => inRanges(line, names.length)));
}

/** Returns an object of JSON, also within other text or a block of code. */
function jsonIn(text: string): JsonValue | undefined {
  const found = /\{[^{}]*\}/.exec(text)?.[0];
  if (found === undefined) return undefined;
  try {
    const value: JsonValue = JSON.parse(found);
    return value;
  } catch {
    return undefined;
  }
}

/** Returns the one number among them, however often it is there. */
function only(numbers: readonly (number | undefined)[]): number | undefined {
  const [first, ...others] = new Set(numbers.filter((number) => number !== undefined));
  return others.length === 0 ? first : undefined;
}

function inRanges(text: string, count: number): (number | undefined)[] {
  return numbersIn(text).map((number) => inRange(number, count));
}

function inRange(number: number, count: number): number | undefined {
  return Number.isInteger(number) && number >= 1 && number <= count ? number : undefined;
}

/** A number, or a text that is little else: not a reason that contains a number. */
function isShort(field: JsonValue): boolean {
  return typeof field === 'number' || (typeof field === 'string' && field.length <= 24);
}
const DIGITS = '〇一二三四五六七八九';

/** Numbers of a text: none with a point, a minus or a percent sign, no `9/10`, and not the 4 of `GPT4`. */
const NUMBER = /(?<!\d[.,/]?|(?<!\S)-)(?:(?<=\bno)|(?<![a-z]))\d{1,9}(?![\d%]|[.,/]\d)/giu;

/** `第二案`, `三番`: the number alone, since in a sentence `一番` is the word for the best. */
const KANJI =
  /^(?:第|回答|答え|答|案)?([一二三四五六七八九十]{1,3})(?:番目|番|つ目|位|案|号)?[。.]?$/u;

/** Returns the whole numbers that a text names, in digits of any width or circle, or alone in Chinese characters. */
function numbersIn(text: string): number[] {
  const plain = text.normalize('NFKC').trim().replaceAll(OTHER_DIGIT, digitOf);
  const kanji = KANJI.exec(plain)?.[1];
  if (kanji !== undefined) return [fromKanji(kanji)];
  return [...plain.matchAll(NUMBER)].map(([digits]) => Number(digits));
}

const OTHER_DIGIT = /(?!\d)\p{Nd}/gu;
const DECIMAL = /\p{Nd}/u;

/** The digits of each script follow each other in Unicode, from its zero to its nine. */
function digitOf(digit: string): string {
  const code = digit.codePointAt(0) ?? 0;
  let zero = code;
  while (code - zero < 9 && DECIMAL.test(String.fromCodePoint(zero - 1))) zero--;
  return String(code - zero);
}

/** Up to 99. */
function fromKanji(text: string): number {
  const [tens, ones] = text.includes('十') ? text.split('十') : ['', text];
  const ten = text.includes('十') ? (tens === '' ? 1 : DIGITS.indexOf(tens ?? '')) : 0;
  return ten * 10 + (ones === '' ? 0 : DIGITS.indexOf(ones ?? ''));
}
