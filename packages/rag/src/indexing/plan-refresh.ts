import type { ProjectScan, ScannedFile } from './scan-project.ts';
import type { SourceEntries, SourceEntry } from './source-manifest.ts';

/** The changes that make the index match the project. */
export interface RefreshPlan {
  /** To be read, as they differ from what is remembered of them. */
  readonly suspects: readonly ScannedFile[];
  /** Paths of documents that the index has, or may have, and the project has not. */
  readonly gone: readonly string[];
  /** The entries of suspects that still hold. */
  readonly entries: Map<string, SourceEntry>;
  /** Bytes of the suspects. */
  readonly bytes: number;
  /** True if the index has lost documents that it had. */
  readonly isLossy: boolean;
}

/**
 * Compares a project with what is remembered of its documents.
 *
 * @param indexed - The paths of those that the index has; nothing if it does not say.
 */
export function planRefresh(
  { files, problems }: ProjectScan,
  remembered: SourceEntries,
  indexed: ReadonlySet<string> | undefined,
): RefreshPlan {
  const entries = new Map<string, SourceEntry>();
  const suspects: ScannedFile[] = [];
  let bytes = 0;
  let isLossy = false;
  for (const file of files.values()) {
    const known = remembered.get(file.path);
    const isLost = isLostBy(known, indexed?.has(file.path));
    isLossy ||= isLost;
    const entry = isLost ? {} : known;
    if (entry) entries.set(file.path, entry);
    if (entry?.version === file.version) continue;
    suspects.push(file);
    bytes += file.size;
  }
  const gone: string[] = [];
  for (const path of new Set([...remembered.keys(), ...(indexed ?? [])])) {
    const entry = remembered.get(path);
    // A write that was not finished may have left a part that the index does not list.
    const isUnfinished =
      entry !== undefined && entry.hash === undefined && entry.problem === undefined;
    const mayBe = isUnfinished || mayBeIndexed(entry, indexed?.has(path));
    if (!files.has(path) && mayBe) gone.push(path);
  }
  for (const path of problems.keys()) {
    const { problem } = remembered.get(path) ?? {};
    if (problem !== undefined) entries.set(path, { problem });
  }
  return { suspects, gone, entries, bytes, isLossy };
}

/** Checks whether a document gave chunks, and the index does not have it any more. */
function isLostBy(entry: SourceEntry | undefined, isIndexed: boolean | undefined): boolean {
  return entry?.hash !== undefined && entry.isEmpty !== true && isIndexed === false;
}

/** A file that is known to have failed is not there, and one that is not known to be there may be. */
export function mayBeIndexed(
  entry: SourceEntry | undefined,
  isIndexed: boolean | undefined,
): boolean {
  return isIndexed ?? entry?.problem === undefined;
}
