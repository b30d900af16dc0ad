import { readFileSync } from 'node:fs';
import { messageOf } from '../errors.ts';
import { StorageError } from '../storage/storage-error.ts';
import { syncFiles } from './durable.ts';
import {
  emptyJournal,
  firstPreamble,
  JOURNAL_BYTES,
  readJournal,
  wipeJournal,
  writeJournal,
  type BatchChange,
} from './journal-file.ts';
import { keyPath } from './key-paths.ts';
import { statOf } from './stat.ts';
import { discardAll, placeAll, stageAll, type StagedChange } from './stage.ts';

/**
 * Writes many files with one point of durability: a batch goes into a journal first and is durable
 * once that is on the disk; then its files, written before beside their places, are renamed, without
 * waiting for the disk. Only a checkpoint waits for them, for those of many batches together, and
 * empties the journal.
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

  /**
   * Finishes the batches of other processes, and those of this one that it could not finish.
   *
   * @throws StorageError if that is not possible; the journal stays as it is.
   */
  async takeOver(): Promise<void> {
    const first = firstPreamble(this.#journal);
    if (first && this.#own?.equals(first)) return;
    this.#forget();
    if (!first) return;
    const changes = lastOfEach(readJournal(this.#journal));
    try {
      await finish(this.#root, changes);
    } catch (cause) {
      throw new StorageError(
        'io',
        `an unfinished batch of files must be finished before anything else is written, but: ` +
          `${messageOf(cause)}. Clear the way for it, then write or open again`,
        { cause, context: contextOf(cause) },
      );
    }
    // Its writer may have left all of them to the system.
    await syncFiles(
      this.#root,
      changes.map(({ key }) => keyPath(this.#root, key)),
    );
    emptyJournal(this.#journal);
  }

  /**
   * Writes a batch. What fails before it is in the journal undoes it. What fails after that leaves it
   * in the journal, to be finished by {@link takeOver}.
   *
   * @returns The new versions, `null` for deleted files.
   */
  async write(changes: readonly BatchChange[]): Promise<readonly (string | null)[]> {
    const staged = await stageAll(this.#root, changes);
    await this.#commit(changes, staged);
    try {
      await placeAll(staged);
    } catch (cause) {
      this.#forget();
      await discardAll(staged);
      throw new StorageError(
        'io',
        `${messageOf(cause)}. The batch of ${changes.length} files is kept in the journal: the next ` +
          'write, or whoever opens the store next, finishes it',
        { cause, context: contextOf(cause) },
      );
    }
    for (const { path } of staged) this.#paths.add(path);
    if (this.#end > JOURNAL_BYTES / 2) await this.checkpoint();
    return staged.map(({ temp }) => temp?.version ?? null);
  }

  /** Waits until all files are on the disk, and empties the journal. */
  async checkpoint(): Promise<void> {
    if (!this.#own) return;
    await syncFiles(this.#root, [...this.#paths]);
    emptyJournal(this.#journal);
    this.#forget();
  }

  /** Overwrites what the journal still holds of batches that are done. */
  async wipe(): Promise<void> {
    await this.checkpoint();
    await wipeJournal(this.#journal);
  }

  /** From here on the batch is durable. */
  async #commit(changes: readonly BatchChange[], staged: readonly StagedChange[]): Promise<void> {
    try {
      const { preamble, end } = await writeJournal(this.#journal, changes, this.#end);
      this.#own ??= preamble;
      this.#end = end;
    } catch (error) {
      await discardAll(staged);
      throw error;
    }
  }

  #forget(): void {
    this.#own = undefined;
    this.#end = 0;
    this.#paths.clear();
  }
}

/** The last change of each file. */
export function lastOfEach(changes: readonly BatchChange[]): BatchChange[] {
  return [...new Map(changes.map((change) => [change.key, change])).values()];
}

/**
 * Whether a change did not reach its file, or only in part. A file that somebody wrote since is left
 * as it is; a folder in its place is in its way.
 */
export function isUnfinished(path: string, { data, changeTime }: BatchChange): boolean {
  const stats = statOf(path);
  if (!stats?.isFile()) return data !== null;
  if (Number(stats.mtimeNs) / 1e6 > changeTime * 1000 + 0.01) return false;
  return data === null || Buffer.compare(data, readFileSync(path)) !== 0;
}

/** Repeats the end of a batch that may have been made in part: first what goes, then what comes. */
async function finish(root: string, changes: readonly BatchChange[]): Promise<void> {
  const open = changes.filter((change) => isUnfinished(keyPath(root, change.key), change));
  await placeAll(
    await stageAll(
      root,
      open.filter(({ data }) => data === null),
    ),
  );
  const staged = await stageAll(
    root,
    open.filter(({ data }) => data !== null),
  );
  try {
    await placeAll(staged);
  } catch (error) {
    await discardAll(staged);
    throw error;
  }
}

function contextOf(error: unknown): Readonly<Record<string, unknown>> {
  return StorageError.isInstance(error) ? error.context : {};
}
