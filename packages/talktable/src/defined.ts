/** The fields of an object that have a value: for objects whose fields are absent or set. */
export function defined<T extends object>(
  fields: T,
): { [K in keyof T]?: Exclude<T[K], undefined> } {
  const entries = Object.entries(fields).filter(([, value]) => value !== undefined);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what is left is as it was
  return Object.fromEntries(entries) as { [K in keyof T]?: Exclude<T[K], undefined> };
}
