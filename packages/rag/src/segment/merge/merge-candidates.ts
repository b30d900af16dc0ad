import type { Snapshot } from '../read/snapshot.ts';

/** More segments than this are merged. */
const MAX_SEGMENTS = 8;
/** A segment with a larger part of deleted chunks is written again. */
const MAX_DEAD = 0.2;
/** Fewer chunks than this are not worth it. */
const MIN_CHUNKS = 200;
/** Larger segments are not merged with others any more. */
const MAX_MERGED = 200_000;

/**
 * Which segments are to be merged now, if any: the smallest ones when there are too many, so that
 * each chunk is written again about as often as the logarithm of their number; and those that hold
 * much that is deleted.
 */
export function mergeCandidates(snapshot: Snapshot): readonly string[] {
  const bySize = snapshot.segments.toSorted((a, b) => a.reader.size - b.reader.size);
  const wasteful = bySize.filter(
    ({ live, reader }) =>
      reader.size >= MIN_CHUNKS && (reader.size - live) / reader.size > MAX_DEAD,
  );
  if (bySize.length <= MAX_SEGMENTS) return wasteful.map(({ entry }) => entry.file);
  const files: string[] = [];
  let total = 0;
  for (const { reader, entry } of bySize) {
    const isSmall = reader.size <= Math.max(MIN_CHUNKS, 2 * total);
    if (files.length >= 2 && (!isSmall || total + reader.size > MAX_MERGED)) break;
    files.push(entry.file);
    total += reader.size;
  }
  return files;
}
