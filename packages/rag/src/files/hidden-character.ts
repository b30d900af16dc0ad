/**
 * Characters that are not seen, so that a name looks like another one or like none: marks of direction
 * and line, zero-width spaces, soft hyphens, fillers, tags. Spaces are no such thing.
 */
const HIDDEN = /[\p{Default_Ignorable_Code_Point}\p{Cf}\u2028\u2029\u2800\ufff9-\ufffb]/u;
/** A character that asks for another look of the one before, which is a character that has some. */
const VARIANT =
  /(?:\p{Script=Han}[\ufe00-\ufe0f\u{e0100}-\u{e01ef}]|\p{Extended_Pictographic}\ufe0f|[0-9#*]\ufe0f\u20e3|\p{Script=Mongolian}[\u180b-\u180f])/gu;
/** Emoji that are put together of several ones, and flags of parts of countries. */
const EMOJI =
  /\p{Extended_Pictographic}[\ufe0f\p{Emoji_Modifier}]*\u200d(?=\p{Extended_Pictographic})|\u{1f3f4}[\u{e0061}-\u{e007a}]+\u{e007f}/gu;
/** Letters of scripts that are joined, or not, by what stands between them: Persian, Hindi and the like. */
const JOINED =
  /(?<=[\p{Script=Arabic}\p{Script=Syriac}\p{Script=Mongolian}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Gurmukhi}\p{Script=Gujarati}\p{Script=Oriya}\p{Script=Tamil}\p{Script=Telugu}\p{Script=Kannada}\p{Script=Malayalam}\p{Script=Sinhala}\p{Script=Khmer}\p{M}])[\u200c\u200d](?=\p{L})/gu;

/**
 * The first character of a name that nobody sees, as `U+200B`, or nothing. What belongs to the look of a
 * character that is seen is none: variants of kanji and emoji, and what joins emoji or letters.
 */
export function hiddenCharacter(name: string): string | undefined {
  const seen = name.replaceAll(EMOJI, '').replaceAll(VARIANT, '').replaceAll(JOINED, '');
  const [hidden] = HIDDEN.exec(seen) ?? [];
  if (hidden === undefined) return undefined;
  return `U+${(hidden.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
}
