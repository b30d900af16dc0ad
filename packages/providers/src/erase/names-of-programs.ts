import { MIN_WEIGHT, weightOf } from './pieces.ts';

/** A name of a field that programs gave it, and no words of a person. */
export const FIELD_NAME: RegExp = /^[\w.$:@/-]*$/;
/** How much any other name says at least, so that it is a copy. */
export const MIN_NAME: number = MIN_WEIGHT * 2;

/** The signs between the names in a path. */
const SEPARATOR = /[/\\]/;
/** How a path begins that is not within another folder. */
const ROOT = /^(?:[/\\~]|[a-z]:[/\\]|\.{1,2}[/\\])/i;
const ENDING = /\.\w{1,8}$/;
const ADDRESS = /^[\w.+-]{1,64}@(?:[a-z][a-z\d-]{0,62}\.){1,8}[a-z]{2,24}$/i;
/** Letters of scripts in which words are not separated. */
const JOINED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;

/**
 * Checks whether a piece of a path is what a person said: an address of mail, or words with space between them, where
 * the script has that. Any other piece is a file or a folder.
 */
export function isSaidInPath(piece: string): boolean {
  if (ADDRESS.test(piece)) return true;
  if (weightOf(piece) < MIN_NAME) return false;
  const hasSeparator = SEPARATOR.test(piece);
  if (/\s/u.test(piece)) return !hasSeparator || !(ROOT.test(piece) || ENDING.test(piece));
  return JOINED.test(piece) && !hasSeparator && !ENDING.test(piece);
}
