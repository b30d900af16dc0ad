/** The same object without the keys that are undefined. */
export function defined<T extends object>(
  object: T,
): { [K in keyof T]?: Exclude<T[K], undefined> } {
  const entries = Object.entries(object).filter(([, value]) => value !== undefined);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the type says what is done
  return Object.fromEntries(entries) as { [K in keyof T]?: Exclude<T[K], undefined> };
}
