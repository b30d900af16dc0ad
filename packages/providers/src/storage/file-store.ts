/** A file as it was read. */
export interface StoredFile {
  readonly data: Uint8Array;
  /**
   * The bytes as text; a byte order mark stays part of it.
   *
   * @throws StorageError (on access) with the code `not-text` if the bytes are not UTF-8.
   */
  readonly text: string;
  /** Changes with each write. Compare for equality only. */
  readonly version: string;
}

/** Options of {@link FileStore.read}. */
export interface ReadOptions {
  /** A larger file is not read into memory. Default: no limit. */
  readonly maxBytes?: number | undefined;
}

/** A file as {@link FileStore.list} sees it, without reading it. */
export interface FileEntry {
  readonly key: string;
  /** Bytes. */
  readonly size: number;
  readonly version: string;
}

/** Under which condition a file is written or deleted. */
export interface WriteCondition {
  /**
   * The version that the file must have; `null`: it must not exist. Default: any.
   */
  readonly ifVersion?: string | null;
}

/** One change among those of {@link FileStore.writeMany}. */
export interface FileChange extends WriteCondition {
  readonly key: string;
  /** The new content; `null` deletes the file. */
  readonly content: string | Uint8Array | null;
}

/** Options of {@link FileStore.append}. */
export interface AppendOptions {
  /**
   * True if the promise waits for the disk. `false` is for what can be made again: after a loss of
   * power the newest lines may be gone. Default: `true`.
   */
  readonly durable?: boolean | undefined;
}

/** Options of {@link FileStore.lock}. */
export interface LockOptions {
  /** How long to wait, in milliseconds. Default: 10,000. */
  readonly timeoutMs?: number | undefined;
  /** Stops the waiting; the promise rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
}

/** A lock that is held. */
export interface HeldLock {
  /** Aborted when the lock is lost before it is released, as when a server goes away. */
  readonly lost: AbortSignal;
  /** Gives the lock back; calling it twice does no harm. */
  release(): Promise<void>;
}

/**
 * Text and binary files under keys such as `nodes/00/00.xml`.
 *
 * Keys are relative, with `/` between their segments. No segment is empty, `.` or `..`, longer
 * than 255 bytes of UTF-8, a reserved name of Windows, ends in a dot or a space, or holds a control
 * character or one of `\ : * ? " < > |`, or is `.git` in any spelling; `.vizprompt` is the store's
 * own first segment.
 *
 * A write is atomic, and durable when its promise resolves. Text is stored as UTF-8, byte for byte;
 * text with a lone surrogate has no UTF-8 form and is refused with `invalid-text`.
 */
export interface FileStore {
  readonly specVersion: 1;

  /**
   * @returns `null` if there is no such file.
   * @throws StorageError with the code `too-large` if it has more than `maxBytes`.
   */
  read(key: string, options?: ReadOptions): Promise<StoredFile | null>;

  /**
   * Creates or replaces a file.
   *
   * @throws StorageError with the code `conflict` if the condition does not hold.
   *
   * @example
   * ```ts
   * const { version } = await files.write('notes/a.md', 'first', { ifVersion: null });
   * await files.write('notes/a.md', 'second', { ifVersion: version });
   * ```
   */
  write(
    key: string,
    content: string | Uint8Array,
    condition?: WriteCondition,
  ): Promise<{ readonly version: string }>;

  /**
   * Makes many changes with one point of durability: after a crash at any moment, the store opens
   * with all of them or with none.
   *
   * @returns The new versions in the order of the changes, `null` for deleted files.
   * @throws StorageError with the code `conflict` if any condition does not hold (then nothing was
   * changed), or `misuse` if a key comes twice. With any other code too, the batch is not there, or
   * will be as a whole: what was durable already is finished by the next write or opening.
   */
  writeMany(changes: readonly FileChange[]): Promise<readonly (string | null)[]>;

  /** Adds to the end of a file, which is created when missing. */
  append(
    key: string,
    content: string | Uint8Array,
    options?: AppendOptions,
  ): Promise<{ readonly version: string }>;

  /**
   * @returns `true` if there was such a file.
   * @throws StorageError with the code `conflict` if the condition does not hold.
   */
  delete(key: string, condition?: WriteCondition): Promise<boolean>;

  /**
   * Lists the files whose keys begin with a prefix (`''` lists all), without reading them. Files
   * whose names are not valid keys are left out.
   *
   * @returns In no particular order. Files that come or go meanwhile may or may not be there.
   */
  list(prefix: string): AsyncIterable<FileEntry>;

  /**
   * Waits until no other caller holds the lock of this name, in this process or another, and takes it.
   * When its holder dies, it is free at once. Locks do not prevent reading or writing.
   *
   * @param name - At most 64 letters, digits, `.`, `_` and `-`.
   * @throws StorageError with the code `lock-timeout`.
   */
  lock(name: string, options?: LockOptions): Promise<HeldLock>;

  /**
   * Overwrites what the store itself retains of files that were deleted or replaced, such as its journal. Absent: it
   * retains nothing.
   */
  purge?(): Promise<void>;
}
