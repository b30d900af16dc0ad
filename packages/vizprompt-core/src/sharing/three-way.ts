/** What two people made of the same thing. */
export interface Sides<T> {
  /** What both began with; `undefined` if that is not known. */
  readonly base: T | undefined;
  readonly ours: T;
  readonly theirs: T;
}

/** The value after both changes, if only one side changed it or both did the same. */
export function mergeValue<T>({ base, ours, theirs }: Sides<T>): { value: T; isClear: boolean } {
  if (ours === theirs || theirs === base) return { value: ours, isClear: true };
  return ours === base ? { value: theirs, isClear: true } : { value: ours, isClear: false };
}

/** What is left of keys when both sides have added and taken away some. */
export function mergeKeys({ base, ours, theirs }: Sides<ReadonlySet<string>>): Set<string> {
  const all = [...(base ?? []), ...ours, ...theirs];
  return new Set(all.filter((key) => (ours.has(key) && theirs.has(key)) || isAdded(key)));

  function isAdded(key: string): boolean {
    return !base?.has(key) && (ours.has(key) || theirs.has(key));
  }
}
