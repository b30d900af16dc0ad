import { canonicalJson, type JsonValue } from '@vizprompt/providers';

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
