/** Returns the fields of an object that have a value: for objects whose fields are absent or set. */
export function omitUndefined<T extends object>(
  fields: T,
): { [K in keyof T]?: Exclude<T[K], undefined> } {
  const result: Record<string, unknown> = {};
  for (const key of Object.keys(fields)) {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a key of it
    const value: unknown = fields[key as keyof T];
    if (value !== undefined) result[key] = value;
  }
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- only what is undefined was left out
  return result as { [K in keyof T]?: Exclude<T[K], undefined> };
}
