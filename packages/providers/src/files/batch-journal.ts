import { readFileSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { inParallel, removeFile, renameOver, syncFiles, writeTemp } from './durable.ts';
import { isMissing } from './file-error.ts';
import {
  emptyJournal,
  firstPreamble,
  JOURNAL_BYTES,
  readJournal,
  writeJournal,
  type BatchChange,
} from './journal-file.ts';
import { keyPath } from './key-paths.ts';

/**
 * Writes many files with one point of durability: a batch goes into a journal first and is durable
 * once that is on the disk; then its files are written, without waiting for the disk. Only a
 * checkpoint waits for them, for those of many batches together, and empties the journal.
 *
 * Whoever finds batches of another process in the journal finishes them first, whether that process
 * is dead or only slower. All methods are called under the commit lock.
 */
export class BatchJournal {
  readonly #root: string;
  readonly #journal: string;
  /** The preamble of the first batch, while the journal is this process's own. */
  #own: Buffer | undefined;
  #end = 0;
  /** Files of the batches in the journal; they may not be on the disk yet. */
  readonly #paths = new Set<string>();

  constructor(root: string, journal: string) {
    this.#root = root;
    this.#journal = journal;
  }

  /** Whether batches of this process wait for a checkpoint. */
  get isWaiting(): boolean {
    return this.#own !== undefined;
  }

  /** Finishes the batches of other processes. */
  async takeOver(): Promise<void> {
    const first = firstPreamble(this.#journal);
    if (first && this.#own?.equals(first)) return;
    this.#forget();
    if (!first) return;
    const paths = await applyAll(this.#root, unfinished(this.#root, readJournal(this.#journal)));
    await syncFiles(this.#root, paths);
    emptyJournal(this.#journal);
  }

  /** @returns The new versions, `null` for deleted files. */
  async write(changes: readonly BatchChange[]): Promise<readonly (string | null)[]> {
    const { preamble, end } = await writeJournal(this.#journal, changes, this.#end);
    this.#own ??= preamble;
    this.#end = end;
    const versions = Array.from<string | null>({ length: changes.length }).fill(null);
    const paths = await applyAll(this.#root, changes, (index, version) => {
      versions[index] = version;
    });
    for (const path of paths) this.#paths.add(path);
    if (end > JOURNAL_BYTES / 2) await this.checkpoint();
    return versions;
  }

  /** Waits until all files are on the disk, and empties the journal. */
  async checkpoint(): Promise<void> {
    if (!this.#own) return;
    await syncFiles(this.#root, [...this.#paths]);
    emptyJournal(this.#journal);
    this.#forget();
  }

  #forget(): void {
    this.#own = undefined;
    this.#end = 0;
    this.#paths.clear();
  }
}

/** Makes changes without waiting for the disk; the paths that it concerns. */
async function applyAll(
  root: string,
  changes: readonly BatchChange[],
  onWritten: (index: number, version: string) => void = () => undefined,
): Promise<string[]> {
  const paths: string[] = [];
  await inParallel([...changes.entries()], async ([index, { key, data, changeTime }]) => {
    const path = keyPath(root, key);
    paths.push(path);
    if (data === null) {
      await removeFile(path);
      return;
    }
    const temp = await writeTemp(dirname(path), data, { sync: false, changeTime });
    await renameOver(temp.path, path);
    onWritten(index, temp.version);
  });
  return paths;
}

/**
 * The last change of each file, where it did not reach the file, or only in part. A file that
 * somebody wrote since is left as it is.
 */
function unfinished(root: string, changes: readonly BatchChange[]): BatchChange[] {
  const last = new Map(changes.map((change) => [change.key, change]));
  return [...last.values()].filter(({ key, data, changeTime }) => {
    const path = keyPath(root, key);
    try {
      const isYounger = statSync(path).mtimeMs > changeTime * 1000 + 0.01;
      if (isYounger) return false;
      return data === null || Buffer.compare(data, readFileSync(path)) !== 0;
    } catch (error) {
      if (isMissing(error)) return data !== null;
      throw error;
    }
  });
}
