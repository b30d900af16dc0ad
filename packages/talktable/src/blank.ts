/**
 * Whether a text shows nothing: white space, and characters without a width such as U+200B, say as
 * little as an empty answer.
 */
export function isBlank(text: string): boolean {
  return /^[\s\p{Cf}\p{Default_Ignorable_Code_Point}]*$/u.test(text);
}
