import { isCharacterBorder, isInsidePair } from '@vizprompt/providers';

/** A heading is part of the id of each chunk below it. No real one is longer, but a chapter over a rule is. */
const LONGEST_HEADING = 200;

/** A heading or title as it stands in ids; of a very long one, the first 200 characters. */
export function headingText(text: string): string {
  return firstCharacters(text, LONGEST_HEADING).trimEnd();
}

/** The beginning of a text, not longer than so many UTF-16 code units. Characters stay whole. */
export function firstCharacters(text: string, longest: number): string {
  if (text.length <= longest) return text;
  let end = longest;
  while (end > 0 && !isCharacterBorder(text, end)) end -= 1;
  // Nothing but marks.
  if (end === 0) end = isInsidePair(text, longest) ? longest - 1 : longest;
  return text.slice(0, end);
}
