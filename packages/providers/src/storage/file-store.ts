import { checkArgument, checkKeys } from '../input/check-input.ts';
import { either, listOf, OBJECT, TEXT } from '../input/kinds.ts';
import { nearestName } from '../input/nearest-name.ts';
import { BYTES } from '../input/part-kinds.ts';
import { StorageError } from './storage-error.ts';

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
  readonly ifVersion?: string | null | undefined;
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

/** The first segment that belongs to the store itself. */
export const RESERVED_SEGMENT = '.vizprompt';

const MAX_KEY_BYTES = 1024;
const MAX_SEGMENT_BYTES = 255;
const WINDOWS_NAME = /^(?:con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])(?:\.|$)/i;
// oxlint-disable-next-line no-control-regex
const FORBIDDEN = /[\u0000-\u001f\u007f\\:*?"<>|]/;
/** Characters that a file system may drop from a name, such as HFS+ does with U+200C. */
const IGNORED = /\p{Default_Ignorable_Code_Point}/gu;
/** Left of letters that have no small form of one character, such as a capital i with a dot. */
const MARKS = /\p{M}/gu;
// oxlint-disable-next-line no-control-regex
const ASCII = /^[\u0000-\u007f]*$/;
/** With the short name that Windows gives it, the ends that Windows drops, and the name of a stream. */
const GIT_NAME = /^(?:\.git|git~\d+)[. ]*(?::|$)/;

/**
 * Returns why a key of a file store is not valid, or `undefined` if it is valid: a relative path with
 * `/` whose every segment is a name on all systems, so without `..`, `\\`, control characters and the
 * reserved names of Windows. No segment is `.git` in any spelling that a file system may take for it:
 * what is stored there is run by git.
 */
export function keyProblem(key: string): string | undefined {
  if (key === '') return 'it is empty';
  if (!key.isWellFormed()) return 'it holds a lone surrogate';
  if (Buffer.byteLength(key) > MAX_KEY_BYTES) return `it is longer than ${MAX_KEY_BYTES} bytes`;
  const segments = key.split('/');
  const first = foldedName(segments[0] ?? '');
  if (first === RESERVED_SEGMENT || /^vizpro~\d+$/.test(first)) {
    return `'${RESERVED_SEGMENT}' belongs to the store`;
  }
  for (const segment of segments) {
    const problem = segmentProblem(segment);
    if (problem) return problem;
  }
  return undefined;
}

function segmentProblem(segment: string): string | undefined {
  if (segment === '') return "it begins or ends with '/' or has two in a row";
  if (segment === '.' || segment === '..') return `it has the segment '${segment}'`;
  if (FORBIDDEN.test(segment)) return 'it holds a control character or one of \\ : * ? " < > |';
  if (/[. ]$/.test(segment)) return 'a segment ends in a dot or a space';
  if (WINDOWS_NAME.test(segment)) return `'${segment}' is a reserved name on Windows`;
  if (Buffer.byteLength(segment) > MAX_SEGMENT_BYTES) {
    return `a segment is longer than ${MAX_SEGMENT_BYTES} bytes`;
  }
  if (isGitName(segment)) return "a segment means '.git', which is git's own";
  return undefined;
}

/** Checks whether a segment of a path is `.git` in any spelling that a file system may take for it. */
export function isGitName(segment: string): boolean {
  return GIT_NAME.test(foldedName(segment));
}

/** Returns a name as the most forgiving file system compares it. */
function foldedName(segment: string): string {
  if (ASCII.test(segment)) return segment.toLowerCase();
  // Some compare in upper case, where a dotless i is an I.
  const compared = segment.normalize('NFKC').replace(IGNORED, '').toUpperCase().toLowerCase();
  return compared.replace(MARKS, '');
}

/**
 * Checks a key of a file store, before anything is touched.
 *
 * @throws StorageError with the code `invalid-key`.
 */
export function assertKey(key: string): void {
  checkArgument('a file key', key, TEXT);
  const problem = keyProblem(key);
  if (problem === undefined) return;
  throw new StorageError('invalid-key', `${JSON.stringify(key)} is no valid file key: ${problem}`, {
    context: { key },
  });
}

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

const CONTENT = either(TEXT, BYTES);

/**
 * Returns the bytes of a file's content.
 *
 * @throws StorageError with the code `invalid-text` if a text holds a lone surrogate.
 */
export function encodeContent(key: string, content: string | Uint8Array): Uint8Array {
  if (typeof content !== 'string') {
    checkArgument(`the content of '${key}'`, content, CONTENT);
    return content;
  }
  if (!content.isWellFormed()) {
    throw new StorageError(
      'invalid-text',
      `the text for '${key}' holds a lone surrogate, which UTF-8 cannot hold`,
      { context: { key } },
    );
  }
  return Buffer.from(content, 'utf8');
}

/** The bytes that are decoded at once. */
const PIECE_BYTES = 64 * 2 ** 20;

/**
 * Returns bytes as text.
 *
 * @throws StorageError with the code `not-text`, or `too-large` if the text is longer than a string can be.
 */
function decodeText(key: string, data: Uint8Array): string {
  try {
    return data.length <= PIECE_BYTES ? decoder.decode(data) : decodePieces(data);
  } catch (cause) {
    // A string that cannot be so long is a RangeError, bytes that are not UTF-8 a TypeError.
    const isTooLong = cause instanceof RangeError;
    throw new StorageError(
      isTooLong ? 'too-large' : 'not-text',
      isTooLong
        ? `'${key}' is longer than a string can be: read 'data' instead of 'text'`
        : `'${key}' is not UTF-8 text`,
      { cause, context: { key } },
    );
  }
}

/** Decodes more bytes than a string has units: those of most scripts are two or three. */
function decodePieces(data: Uint8Array): string {
  const pieces = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  let text = '';
  for (let at = 0; at < data.length; at += PIECE_BYTES) {
    text += pieces.decode(data.subarray(at, at + PIECE_BYTES), { stream: true });
  }
  return text + pieces.decode();
}

/** Returns bytes as a file store gives them: as text when asked, byte for byte. */
export function storedFile(key: string, data: Uint8Array, version: string): StoredFile {
  return {
    data,
    version,
    get text() {
      return decodeText(key, data);
    },
  };
}

/** A change that every file store accepts: its key is valid and its content is bytes. */
export interface CheckedChange extends WriteCondition {
  readonly key: string;
  readonly content: Uint8Array | null;
}

/**
 * Checks the changes of a batch, or a single one, and encodes their text as UTF-8. A batch may be made of what `list`
 * gives, with the `version` of each and more: of other members, only those that begin as `ifVersion` does are taken for it.
 *
 * @throws InputError for a condition that is mistyped; StorageError with the code `misuse` if a key comes twice, `invalid-key`, `invalid-text`.
 */
export function checkChanges(changes: readonly FileChange[]): CheckedChange[] {
  checkArgument('the changes of a batch', changes, listOf('changes', OBJECT));
  const keys = new Set<string>();
  return changes.map((change) => {
    const { key, content, ifVersion, ...own } = change;
    const near = Object.entries(own).filter(([name]) => /^[if]{1,3}[-_ ]?v/i.test(name));
    assertCondition(Object.fromEntries(near));
    assertKey(key);
    if (keys.has(key)) {
      throw new StorageError('misuse', `'${key}' comes twice in one batch`, { context: { key } });
    }
    keys.add(key);
    const bytes = content === null ? null : encodeContent(key, content);
    return { key, content: bytes, ifVersion };
  });
}

const CONDITION = ['ifVersion'] as const;

/**
 * Refuses a condition that is mistyped: it would be none, and the write would replace what is there. Members of other
 * names are the caller's own.
 *
 * @throws InputError.
 */
export function assertCondition(condition: WriteCondition): void {
  checkArgument('the condition of a write', condition, OBJECT);
  const unknown = Object.keys(condition).filter((name) => name !== 'ifVersion');
  const mistyped = unknown.find((name) => nearestName(name, CONDITION) !== undefined);
  if (mistyped !== undefined)
    checkKeys('the condition of a write', { [mistyped]: true }, CONDITION);
}

/**
 * Checks a file against the condition of a write. Call it where no other writer can come between.
 *
 * @param found - The version that the file has, `null` if there is none.
 * @throws StorageError with the code `conflict` if that is not the expected one; InputError for a condition that is
 * mistyped.
 */
export function assertVersion(key: string, found: string | null, condition: WriteCondition): void {
  assertCondition(condition);
  const { ifVersion: expected } = condition;
  if (expected === undefined || expected === found) return;
  const changed = found === null ? 'is gone' : 'was changed meanwhile';
  const what = expected === null ? 'exists already' : changed;
  throw new StorageError('conflict', `'${key}' ${what}`, { context: { key, expected, found } });
}
