import { createHash } from 'node:crypto';

/**
 * Encodes any JavaScript string as text that databases can store: lone surrogates, NUL and quotes as in JSON. Prefixes
 * and substrings are preserved, so that it can be searched for in parts.
 */
export function toSql(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

/** The string that {@link toSql} was given. */
export function fromSql(text: string): string {
  return JSON.parse(`"${text}"`);
}

/** Indexes of PostgreSQL take rows of some 2,700 bytes: longer keys are truncated to this many UTF-16 code units. */
const KEY_UNITS = 400;

/** The beginning of every key of a string that begins with `text`. */
function keyStart(text: string): string {
  const sql = toSql(text);
  if (sql.length <= KEY_UNITS) return sql;
  const start = sql.slice(0, KEY_UNITS);
  return start.isWellFormed() ? start : sql.slice(0, KEY_UNITS - 1);
}

/** Returns the key of a string: as {@link toSql} writes it, or for a long one its beginning and a hash. */
export function keyOf(text: string): string {
  return isCut(text) ? `${keyStart(text)} ${hashOf(text)}` : toSql(text);
}

/** Checks whether a string is too long for a key. */
export function isCut(text: string): boolean {
  return text.length > KEY_UNITS / 6 && toSql(text).length > KEY_UNITS;
}

/** A hash of a string, the same on all machines. */
export function hashOf(text: string): string {
  return createHash('sha256').update(toSql(text)).digest('base64url');
}
