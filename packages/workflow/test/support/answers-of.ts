import type { JsonValue } from '@vizprompt/providers';
import type { Answer } from '../../src/aggregate/answer.ts';

/** Answers of agents called 1, 2, ... */
export function answersOf(...values: readonly JsonValue[]): Answer[] {
  return values.map((value, at) => ({ name: `${at + 1}`, value, weight: 1 }));
}
