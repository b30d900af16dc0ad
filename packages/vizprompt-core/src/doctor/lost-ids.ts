import { SimilarIds } from './similar-ids.ts';
import { isLike, plainId } from './slips.ts';

/** A node file of which the id cannot be read. */
export interface Nameless {
  readonly file: string;
  /** The id as it is in the file; empty if it has none. */
  readonly written: string;
}

/**
 * Finds the ids of node files that say none: ids that a flow names and that no file has. It is the one that the map
 * of nodes has for the file, one that differs from what the file says by a slip, or the only one that is left. It
 * never contradicts the id in the file or in the map.
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
  const take = ({ file, written }: Nameless, id = mapped.get(file)): void => {
    const inMap = mapped.get(file);
    if (id === undefined || (inMap ?? id) !== id) return;
    const isMeant =
      isPossible(written, id) || (inMap === id && digitsOf(written).length < MIN_DIGITS);
    if (!isMeant || !left.delete(id)) return;
    found.set(file, id);
  };
  for (const each of files) take(each);
  const similar = new SimilarIds(missing);
  for (const each of files) {
    if (found.has(each.file)) continue;
    const near = similar.like(each.written).filter((id) => left.has(id));
    if (near.length === 1) take(each, near[0]);
  }
  const rest = files.filter(({ file }) => !found.has(file));
  const [only] = rest;
  if (only && rest.length === 1 && left.size === 1) take(only, [...left][0]);
  return found;
}

/** The least digits that say which id they are from. */
const MIN_DIGITS = 8;

/** Checks whether what is written can be an id: nothing, its beginning, a part of its digits, or the id with a slip. */
function isPossible(written: string, id: string): boolean {
  const plain = plainId(written).toLowerCase();
  if (!/[\p{L}\p{N}]/u.test(plain) || id.startsWith(plain) || isLike(id, plain)) return true;
  const digits = digitsOf(written);
  return digits.length >= MIN_DIGITS && digitsOf(id).includes(digits);
}

/** Returns the hexadecimal digits of an id, without all that is around them. */
function digitsOf(written: string): string {
  return written
    .normalize('NFKC')
    .toLowerCase()
    .replace('urn:uuid:', '')
    .replaceAll(/[^\da-f]/g, '');
}

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
