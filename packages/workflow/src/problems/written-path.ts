import type { Source } from '../load/source.ts';
import type { Path } from './finding.ts';

/** The keys that lead to a value as they are written in the file, mistyped ones as well. */
export function writtenPath({ renamed }: Source, path: Path): Path {
  if (!renamed) return path;
  return path.map((step, at) => renamed.get(keyOf(path.slice(0, at + 1))) ?? step);
}

/** Whether a path leads through a mistyped key. */
export function isRenamed({ renamed }: Source, path: Path): boolean {
  return path.some((_, at) => renamed?.has(keyOf(path.slice(0, at + 1))) === true);
}

/** A path as a key of `renamed`. */
export function keyOf(path: Path): string {
  return JSON.stringify(path);
}
