import { type JsonValue } from '@vizprompt/providers';
import { canonicalJson } from '@vizprompt/providers/internal';

/** What a part of a parallel step answered. */
export interface Answer {
  /** The name of the part, such as the id of its agent. */
  readonly name: string;
  readonly value: JsonValue;
  /** More than none; 1 where it has no weight of its own. */
  readonly weight: number;
}

/**
 * What the prompt of `judge` and `bestOf` finds as `answers`: a list of `{ number, agent, answer }`, the
 * numbers being counted from 1.
 */
export function answersVariable(answers: readonly Answer[]): JsonValue {
  return answers.map(({ name, value }, at) => ({ number: at + 1, agent: name, answer: value }));
}

/**
 * A text that two values have in common if they say the same: texts are compared without case, width and
 * white space around them, everything else by its JSON. The text `'1'` and the number 1 differ.
 */
export function identityOf(value: JsonValue): string {
  return JSON.stringify(canonicalJson(typeof value === 'string' ? folded(value) : value));
}

/** Upper case first makes one of `ß` and `ss`, and of the two forms of the small sigma. */
export function folded(text: string): string {
  return text.normalize('NFKC').toUpperCase().toLowerCase().normalize('NFKC').trim();
}
