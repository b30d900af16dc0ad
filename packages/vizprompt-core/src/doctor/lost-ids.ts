import { isLike, plainId } from './slips.ts';

/** A node file of which the id cannot be read. */
export interface Nameless {
  readonly file: string;
  /** The id as it is in the file; empty if it has none. */
  readonly written: string;
}

/**
 * Finds the ids of node files that say none: ids that a flow names and that no file has. It is the one that the map
 * of nodes has for the file, one that differs from what the file says by a slip, or the only one that is left.
 *
 * @param missing - The ids that flows name and no file has.
 * @param mapped - The ids that the map of nodes has for files.
 */
export function findLostIds(
  files: readonly Nameless[],
  missing: ReadonlySet<string>,
  mapped: ReadonlyMap<string, string>,
): ReadonlyMap<string, string> {
  const left = new Set(missing);
  const found = new Map<string, string>();
  const take = (file: string, id: string | undefined): void => {
    if (id === undefined || !left.delete(id)) return;
    found.set(file, id);
  };
  for (const { file } of files) take(file, mapped.get(file));
  for (const { file, written } of files) {
    if (found.has(file)) continue;
    const near = [...left].filter((id) => isLike(id, plainId(written)));
    if (near.length === 1) take(file, near[0]);
  }
  const rest = files.filter(({ file }) => !found.has(file));
  const [only] = rest;
  if (only && rest.length === 1 && left.size === 1) take(only.file, [...left][0]);
  return found;
}

/**
 * Returns the node that is meant by an id that no node has: one that differs by a slip, or that begins with it.
 *
 * @param orphans - The nodes that no flow names.
 */
export function meantNode(written: string, orphans: ReadonlySet<string>): string | undefined {
  const plain = plainId(written);
  const isBeginning = (id: string): boolean =>
    plain.length >= MIN_BEGINNING && id.startsWith(plain);
  const near = [...orphans].filter((id) => isLike(id, plain) || isBeginning(id));
  return near.length === 1 ? near[0] : undefined;
}

/** The least characters of an id that was cut off. */
const MIN_BEGINNING = 8;

/** Returns the id in the first tag of a node file as it is written, whatever it is. */
export function writtenId(text: string): string {
  const root = /<(?:\w*:)?node\b[^>]*>/i.exec(text)?.[0] ?? '';
  return /\b(?:id|uuid)\s*[=:]\s*["'“]?([^"'”\s>]*)/i.exec(root)?.[1] ?? '';
}

/** Reads the map of nodes: the id for each file. */
export function mappedIds(map: string): ReadonlyMap<string, string> {
  const lines = map.split('\n').map((line) => line.split('\t'));
  return new Map(
    lines.flatMap(([path, id]) => (path && id ? [[`nodes/${path}`, id] as const] : [])),
  );
}
