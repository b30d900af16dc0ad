/** A value as a prompt shows it: texts as they are, nothing for `null`, and JSON of objects and lists. */
export function toPromptText(value: unknown): string {
  if (typeof value === 'string') return value;
  return value === undefined || value === null ? '' : JSON.stringify(value);
}

/** Objects and lists as JSON, anything else as it is. */
export function objectToText(value: unknown): unknown {
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : value;
}
