import type { JsonObject } from '@vizprompt/providers';
import { folded, wordInText } from '../word-in-text.ts';

/** What the moderator answers when it names the next speaker. */
export const CHOICE_SCHEMA = (names: readonly string[]): JsonObject => ({
  type: 'object',
  properties: { next: { type: 'string', enum: names } },
  required: ['next'],
  additionalProperties: false,
});

/** What the moderator answers when it is asked whether the talk has come to its end. */
export const VERDICT_SCHEMA: JsonObject = {
  type: 'object',
  properties: { finished: { type: 'boolean' }, reason: { type: 'string' } },
  required: ['finished', 'reason'],
  additionalProperties: false,
};

/** Whether a verdict ends the talk; one that is not understood does not. */
export function finishesTalk(text: string): boolean {
  return fieldOf(text, 'finished') === true;
}

/** The reason of a verdict. */
export function verdictReason(text: string): string {
  const reason = fieldOf(text, 'reason');
  return typeof reason === 'string' ? reason : '';
}

/**
 * Whom an answer names, out of those who may speak: the field `next`, or else the one name that stands
 * in it. `undefined` where it names nobody, somebody else, or several.
 */
export function chosenSpeaker(text: string, names: readonly string[]): string | undefined {
  const next = fieldOf(text, 'next');
  const asked = folded(typeof next === 'string' ? next : text).trim();
  const exact = names.find((name) => folded(name).trim() === asked);
  if (exact !== undefined) return exact;
  const named = mentioned(asked, names);
  return named.length === 1 ? named[0] : undefined;
}

/** The names that stand in a text, the first one first; a name within a longer name does not count. */
export function mentioned(text: string, names: readonly string[]): readonly string[] {
  let rest = folded(text);
  const found: { readonly name: string; readonly at: number }[] = [];
  for (const name of names.toSorted((a, b) => b.length - a.length)) {
    const wanted = folded(name).trim();
    const at = wordInText(rest, wanted);
    if (at < 0) continue;
    found.push({ name, at });
    rest = rest.replaceAll(wanted, ' '.repeat(wanted.length));
  }
  return found.toSorted((a, b) => a.at - b.at).map(({ name }) => name);
}

function fieldOf(text: string, name: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== 'object' || value === null) return undefined;
    return Object.entries(value).find(([key]) => key === name)?.[1];
  } catch {
    return undefined;
  }
}
