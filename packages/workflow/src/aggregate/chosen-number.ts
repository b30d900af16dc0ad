import { isJsonObject, type JsonValue } from '@vizprompt/providers';
import { folded } from './identity-of.ts';
import { numbersIn } from './numbers-in.ts';

/**
 * The number that a reply names, from 1 to the count of names; `undefined` if it names none, or several.
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
  const all = only(inRanges(text, names.length));
  if (all !== undefined) return all;
  // Models reason before they decide, or decide and then explain: the decision stands in a line of its own.
  const lines = text.split('\n').filter(isShort);
  return only(lines.flatMap((line) => inRanges(line, names.length)));
}

/** An object of JSON, also within other text or a block of code. */
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

/** The one number among them, however often it is there. */
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

/** A number, or a text that is little else: not a reason in which a number stands. */
function isShort(field: JsonValue): boolean {
  return typeof field === 'number' || (typeof field === 'string' && field.length <= 24);
}
