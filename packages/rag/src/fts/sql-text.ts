/**
 * Any JavaScript string as text that SQLite keeps: lone surrogates, NUL and quotes as in JSON. What
 * begins or holds another string still does so, so that it can be searched for in parts.
 */
export function toSql(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

/** The string that {@link toSql} was given. */
export function fromSql(text: string): string {
  return JSON.parse(`"${text}"`);
}

/** A string from its end to its beginning, so that it is found by its end. */
export function reversed(text: string): string {
  return text.split('').toReversed().join('');
}
