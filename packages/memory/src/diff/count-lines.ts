/** How many lines a unified diff adds and removes. */
export function countLines(diff: string): { readonly added: number; readonly removed: number } {
  // The names of the files stand before the first hunk, and begin with the same signs.
  const start = diff.search(/^@@ /m);
  if (start < 0) return { added: 0, removed: 0 };
  const hunks = diff.slice(start);
  return {
    added: hunks.match(/^\+/gm)?.length ?? 0,
    removed: hunks.match(/^-/gm)?.length ?? 0,
  };
}
