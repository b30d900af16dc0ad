/** Two versions of a value, and their base. */
export interface Sides<T> {
  /** The value that both started from; `undefined` if it is unknown. */
  readonly base: T | undefined;
  readonly ours: T;
  readonly theirs: T;
}

/** The value after both changes, if only one side changed it or both did the same. */
export function mergeValue<T>({ base, ours, theirs }: Sides<T>): { value: T; isClear: boolean } {
  if (ours === theirs || theirs === base) return { value: ours, isClear: true };
  return ours === base ? { value: theirs, isClear: true } : { value: ours, isClear: false };
}

/** Merges sets of keys to which both sides added and from which both removed. */
export function mergeKeys({ base, ours, theirs }: Sides<ReadonlySet<string>>): Set<string> {
  const all = [...(base ?? []), ...ours, ...theirs];
  return new Set(all.filter((key) => (ours.has(key) && theirs.has(key)) || isAdded(key)));

  function isAdded(key: string): boolean {
    return !base?.has(key) && (ours.has(key) || theirs.has(key));
  }
}
