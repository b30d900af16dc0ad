import type { BigIntStats } from 'node:fs';

/** File systems may give two changes within this time the same time of change, in milliseconds. */
export const RACY_MS = 2000;

/** Differs whenever a file was changed, replaced or touched, unless that was within one tick of its clock. */
export function fileVersion({ size, mtimeNs, ctimeNs }: BigIntStats): string {
  return `${size}-${mtimeNs}-${ctimeNs}`;
}

/**
 * Whether a file changed so lately that the next change may leave its version as it is. Times that a
 * program set, far in the past or the future, say nothing of that.
 */
export function isRacy({ mtimeNs, ctimeNs }: BigIntStats, now: number): boolean {
  return [mtimeNs, ctimeNs].some((time) => Math.abs(now - Number(time / 1_000_000n)) < RACY_MS);
}

/** Tells a folder from another one that took its path. */
export function folderIdentity({ dev, ino, birthtimeNs }: BigIntStats): string {
  return `${dev}-${ino}-${birthtimeNs}`;
}
