import { execFile } from 'node:child_process';
import {
  type BigIntStats,
  closeSync,
  existsSync,
  fchmodSync,
  fstatSync,
  fsync,
  fsyncSync,
  futimesSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
  unlinkSync,
  writeFile as writeFileCallback,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { open, rm } from 'node:fs/promises';
import { hostname } from 'node:os';
import { dirname, join } from 'node:path';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { isError } from '../errors.ts';
import { programOnPath } from '../program-on-path.ts';
import { hasCode, isMissing } from '../storage/file-error.ts';
import { makeFolders } from '../storage/make-folders.ts';

// Marked, so that a bundle that needs neither leaves the modules of Node out.
const writeFile = /* @__PURE__ */ promisify(writeFileCallback);
const runProgram = /* @__PURE__ */ promisify(execFile);

/** Up to this size a write into the system's cache is too short to be worth a thread. */
export const SMALL_BYTES = 262_144;

/** A file that is complete and waits to be renamed. */
export interface WrittenTemp {
  readonly path: string;
  /** The version that the file has, and keeps when it is renamed. */
  readonly version: string;
}

/** How a temporary file is written. */
export interface TempOptions {
  /** True if the content is on the disk when the promise resolves. */
  readonly sync: boolean;
  /** The time of change to set, in seconds. Default: now. */
  readonly changeTime?: number | undefined;
  /** The rights of the file, less those that the umask takes. Default: 0o666. */
  readonly mode?: number | undefined;
}

/**
 * Writes content to a temporary file in a folder, which is made when missing. Only the wait for the
 * disk is asynchronous: for files of this size every other call is faster than a change of thread.
 */
export async function writeTemp(
  folder: string,
  data: Uint8Array,
  { sync, changeTime = nextChangeTime(), mode }: TempOptions,
): Promise<WrittenTemp> {
  const path = join(folder, tempName());
  const file = await openNew(path, mode);
  try {
    if (data.length <= SMALL_BYTES) writeFileSync(file, data);
    else await writeFile(file, data);
    futimesSync(file, changeTime, changeTime);
    if (sync) await flush(file);
    return closeTemp(file, path);
  } catch (error) {
    discardTemp(file, path);
    throw error;
  }
}

/** Writes a small temporary file, as {@link writeTemp} does, into a folder that exists, without leaving the turn. */
export function writeSmallTemp(folder: string, data: Uint8Array, changeTime: number): WrittenTemp {
  const path = join(folder, tempName());
  const file = openSync(path, 'wx');
  try {
    writeWhole(file, data);
    futimesSync(file, changeTime, changeTime);
    return closeTemp(file, path);
  } catch (error) {
    discardTemp(file, path);
    throw error;
  }
}

function closeTemp(file: number, path: string): WrittenTemp {
  const version = versionOf(fstatSync(file, { bigint: true }));
  closeSync(file);
  return { path, version };
}

function discardTemp(file: number, path: string): void {
  closeSync(file);
  unlinkSync(path);
}

function writeWhole(file: number, content: string | Uint8Array): void {
  const data = typeof content === 'string' ? Buffer.from(content) : content;
  for (let at = 0; at < data.length;) at += writeSync(file, data, at);
}

async function openNew(path: string, mode: number | undefined): Promise<number> {
  try {
    return openSync(path, 'wx', mode);
  } catch (error) {
    if (!hasCode(error, 'ENOENT')) throw error;
    await makeFolder(dirname(path));
    return openSync(path, 'wx', mode);
  }
}

/** Makes a folder and those above it, durably. */
export async function makeFolder(folder: string, mode?: number): Promise<void> {
  await makeFoldersDurably([folder], mode);
}

/**
 * Makes folders and those above them, durably, even where one fails: the next caller takes a folder that exists to be on
 * the disk. A folder in which several are made is synced once.
 */
export async function makeFoldersDurably(folders: Iterable<string>, mode?: number): Promise<void> {
  const madeIn = new Set<string>();
  try {
    for (const folder of folders) {
      if (statOf(folder)?.isDirectory()) continue;
      for (const above of missingIn(folder)) madeIn.add(above);
      makeFolders(folder, mode);
    }
  } finally {
    await syncFolders(madeIn);
  }
}

/** Returns the folders in which one has to be made for this folder. */
function* missingIn(folder: string): Generator<string> {
  for (let at = folder; !existsSync(at) && dirname(at) !== at; at = dirname(at)) yield dirname(at);
}

/** Brings the names in those folders to the disk that exist. */
async function syncFolders(folders: Iterable<string>): Promise<void> {
  const present = [...folders].filter((folder) => existsSync(folder));
  await inParallel(present, syncFolder);
}

/** Brings the names in a folder to the disk. Windows has no such call and needs none. */
export async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return;
  const handle = openSync(folder, 'r');
  try {
    await flush(handle);
  } finally {
    closeSync(handle);
  }
}

/** Flushes an open file to the disk. */
export function flush(file: number): Promise<void> {
  return new Promise((resolve, reject) => {
    fsync(file, (error) => (error ? reject(error) : resolve()));
  });
}

/** The delays between attempts to rename, in milliseconds. */
const RENAME_DELAYS_MS: readonly number[] = [5, 10, 20, 50, 100, 200];

/** The codes of errors of files that another program has open. */
const HELD = ['EPERM', 'EBUSY', 'EACCES'] as const;

/**
 * Renames over a file; where another program has it open (Windows), tries for 0.4 seconds.
 *
 * @param beforeMove - Runs directly before each attempt; what it throws ends them.
 */
export async function renameOver(from: string, to: string, beforeMove?: () => void): Promise<void> {
  for (const delay of [...RENAME_DELAYS_MS, undefined]) {
    beforeMove?.();
    try {
      return renameSync(from, to);
    } catch (error) {
      if (delay === undefined || !hasCode(error, ...HELD)) throw error;
      await sleep(delay);
    }
  }
}

/**
 * Renames over a file without leaving the turn.
 *
 * @returns `false` if another program has the file open (Windows): {@link renameOver} tries longer.
 */
export function renameAtOnce(from: string, to: string): boolean {
  try {
    renameSync(from, to);
    return true;
  } catch (error) {
    if (hasCode(error, ...HELD)) return false;
    throw error;
  }
}

/** How a complete file is put in its place. */
export interface PlaceOptions extends Pick<TempOptions, 'mode'> {
  /** Does what belongs to the move, such as under a lock. Default: moves alone. */
  readonly place?: ((move: () => Promise<void>) => Promise<void>) | undefined;
}

/** Writes a complete file next to a place and moves it there, durably; what fails leaves nothing behind. */
export async function placeFile(
  path: string,
  data: Uint8Array,
  { mode, place = (move) => move() }: PlaceOptions = {},
): Promise<{ version: string }> {
  const temp = await writeTemp(dirname(path), data, { sync: true, mode });
  try {
    await place(() => renameOver(temp.path, path));
  } catch (error) {
    await removeFile(temp.path);
    throw error;
  }
  await syncFolder(dirname(path));
  return { version: temp.version };
}

/** Deletes a file; one that is gone, or a folder in its place, is not an error. */
export async function removeFile(path: string): Promise<boolean> {
  return removeAtOnce(path);
}

/** Does what {@link removeFile} does, without leaving the turn. */
export function removeAtOnce(path: string): boolean {
  try {
    unlinkSync(path);
    return true;
  } catch (error) {
    const isFolder = statOf(path)?.isDirectory() ?? false;
    if (isMissing(error) || isFolder) return false;
    throw error;
  }
}

/** From this many files on, one `sync` of the whole file system is cheaper than one for each. */
const MANY_FILES = 64;

/** Brings many files and the names in their folders to the disk. */
export async function syncFiles(root: string, paths: readonly string[]): Promise<void> {
  const folders = [...new Set(paths.map((path) => dirname(path)))].filter((path) =>
    existsSync(path),
  );
  if (paths.length >= MANY_FILES && (await syncFileSystem(root, folders))) return;
  await inParallel(paths, syncFile);
  await inParallel(folders, syncFolder);
}

/** `syncfs(2)` by way of the program of coreutils; `false` where that is not available. */
async function syncFileSystem(root: string, folders: readonly string[]): Promise<boolean> {
  if (process.platform !== 'linux') return false;
  const { dev } = statSync(root);
  if (folders.some((folder) => statSync(folder).dev !== dev)) return false;
  try {
    await runProgram(programOnPath('sync'), ['-f', root]);
    return true;
  } catch {
    return false;
  }
}

async function syncFile(path: string): Promise<void> {
  let file: number;
  try {
    file = openSync(path, 'r');
  } catch (error) {
    if (isMissing(error)) return;
    throw error;
  }
  try {
    await flush(file);
  } finally {
    closeSync(file);
  }
}

/**
 * Runs a synchronous task for each item, in their order; the event loop gets a turn after each slice of time. The first
 * failure ends it.
 */
export async function inSlices<T>(
  items: readonly T[],
  task: (item: T, index: number) => void,
): Promise<void> {
  let sliceEnd = performance.now() + SLICE_MS;
  for (const [index, item] of items.entries()) {
    task(item, index);
    if (performance.now() < sliceEnd) continue;
    await nextTurn();
    sliceEnd = performance.now() + SLICE_MS;
  }
}

/** As many tasks at a time as Node has threads for files. */
const PARALLEL = 4;
/** After this much time of synchronous calls, the event loop gets a turn. */
const SLICE_MS = 3;

/**
 * Runs a task for each item, a few at a time. After the first failure no further one begins, and the
 * promise rejects when those that had begun have ended.
 */
export async function inParallel<T>(
  items: readonly T[],
  task: (item: T) => Promise<void>,
): Promise<void> {
  const queue = items.values();
  let failure: { readonly error: unknown } | undefined;
  let sliceEnd = performance.now() + SLICE_MS;
  const work = async (): Promise<void> => {
    for (const item of queue) {
      if (failure) return;
      await task(item).catch((error: unknown) => void (failure ??= { error }));
      if (performance.now() < sliceEnd) continue;
      await nextTurn();
      sliceEnd = performance.now() + SLICE_MS;
    }
  };
  await Promise.all(Array.from({ length: PARALLEL }, work));
  if (failure) throw failure.error;
}

/** FNV-1a. Loading `node:crypto` would take a tenth of the time of a hook. */
function shortHash(text: string): string {
  let hash = 0x811c9dc5;
  for (const byte of Buffer.from(text)) hash = Math.imul(hash ^ byte, 0x01000193);
  return (hash >>> 0).toString(16).padStart(8, '0');
}

const HOST = /* @__PURE__ */ shortHash(/* @__PURE__ */ hostname());
const TEMP_NAME = /^\.vp-([0-9a-f]{8})-(\d+)-[0-9a-f]+\.tmp$/;
const MAX_TEMP_AGE_MS = 3_600_000;

/** Differs between threads of one process. A temporary file is opened only where there is no such file. */
const OWN = Math.random().toString(16).slice(2);
let tempCount = 0;

/** Returns a new name for a temporary file, which says whose it is. */
export function tempName(): string {
  return `.vp-${HOST}-${process.pid}-${OWN}${(tempCount++).toString(16)}.tmp`;
}

/** Checks whether a file name is one that {@link tempName} gave, in this process or another. */
export function isTempName(name: string): boolean {
  return TEMP_NAME.test(name);
}

/**
 * Deletes a temporary file if its writer is dead: a process of this host that is gone, or any writer
 * that has not finished within an hour.
 */
export function sweepTemp(path: string, name: string): void {
  const [, host, pid] = TEMP_NAME.exec(name) ?? [];
  try {
    const isAbandoned =
      (host === HOST && !isAlive(Number(pid))) ||
      Date.now() - statSync(path).mtimeMs > MAX_TEMP_AGE_MS;
    if (isAbandoned) unlinkSync(path);
  } catch {
    // Another process finished or swept it.
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return isError(error) && 'code' in error && error.code === 'EPERM';
  }
}

/**
 * Returns the version of a file from its `stat`: time of change, inode and size. Every write of the store
 * makes a new inode and sets a time of its own, so the version changes with each of them; editors
 * change at least the time.
 */
export function versionOf(stats: BigIntStats): string {
  return [stats.mtimeNs, stats.ino, stats.size].map((value) => value.toString(36)).join('-');
}

let latestChange = 0;

/**
 * Returns the time of change to give to a file that is written now: seconds since 1970 with microseconds,
 * later than any this process gave before. The kernel's own stamps do not change for up to 4 ms.
 */
export function nextChangeTime(): number {
  const now = Math.floor((performance.timeOrigin + performance.now()) * 1000);
  latestChange = Math.max(now, latestChange + 1);
  return latestChange / 1_000_000;
}

/** Returns the state of a path, links followed; `undefined` if there is nothing, or a file above it. */
export function statOf(path: string): BigIntStats | undefined {
  try {
    return statSync(path, { bigint: true, throwIfNoEntry: false });
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

/** Options of {@link replaceFile}. */
export interface ReplaceFileOptions {
  /**
   * True if content and name are on the disk when it returns. Without it a crash of the machine may leave the
   * old file or an empty one, which is enough for caches. Default: `true`.
   */
  readonly durable?: boolean | undefined;
  /** The permission bits of a new file; a file that is replaced keeps its own. Default: 0o666, less the umask. */
  readonly mode?: number | undefined;
  /** Runs directly before each attempt to move the file into place; what it throws leaves the old file. */
  readonly beforeMove?: (() => void) | undefined;
}

/** The content of a file, whole or in pieces. */
export type FileContent =
  | string
  | Uint8Array
  | Iterable<string | Uint8Array>
  | AsyncIterable<string | Uint8Array>;

/**
 * Replaces a file as a whole: readers see the old content or the new one, also after a crash. The folder is
 * created when it is missing. While another program holds the file (a virus scanner on Windows), it tries
 * for 0.4 seconds. A symbolic link is replaced, not followed.
 *
 * @throws the error of `node:fs`, naming `path`; the temporary file is gone then.
 */
export async function replaceFile(
  path: string,
  content: FileContent,
  { durable = true, mode, beforeMove }: ReplaceFileOptions = {},
): Promise<void> {
  const folder = dirname(path);
  await makeFolder(folder);
  const temp = join(folder, tempName());
  const keptMode = modeOf(path);
  try {
    const file = await open(temp, 'wx', keptMode ?? mode ?? 0o666);
    try {
      for await (const piece of piecesOf(content)) await file.writeFile(piece);
      if (keptMode !== undefined) await file.chmod(keptMode);
      if (durable) await file.sync();
    } finally {
      await file.close();
    }
    await renameOver(temp, path, beforeMove);
  } catch (error) {
    await rm(temp, { force: true });
    throw naming(path, temp, error);
  }
  if (durable) await syncFolder(folder);
}

/** Does what {@link replaceFile} does, without leaving the turn: for what must be done before anything else runs. */
export function replaceFileSync(
  path: string,
  content: string | Uint8Array | Iterable<string | Uint8Array>,
  { durable = true, mode, beforeMove }: ReplaceFileOptions = {},
): void {
  const folder = dirname(path);
  mkdirSync(folder, { recursive: true });
  const temp = join(folder, tempName());
  const keptMode = modeOf(path);
  try {
    const file = openSync(temp, 'wx', keptMode ?? mode ?? 0o666);
    try {
      for (const piece of wholeOrPieces(content)) writeWhole(file, piece);
      if (keptMode !== undefined) fchmodSync(file, keptMode);
      if (durable) fsyncSync(file);
    } finally {
      closeSync(file);
    }
    renameOverSync(temp, path, beforeMove);
  } catch (error) {
    rmSync(temp, { force: true });
    throw naming(path, temp, error);
  }
  if (durable) syncFolderSync(folder);
}

function renameOverSync(from: string, to: string, beforeMove?: () => void): void {
  for (const delay of [...RENAME_DELAYS_MS, undefined]) {
    beforeMove?.();
    try {
      return renameSync(from, to);
    } catch (error) {
      if (delay === undefined || !hasCode(error, ...HELD)) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, delay);
    }
  }
}

/** Brings the names in a folder to the disk; see {@link syncFolder}. */
function syncFolderSync(folder: string): void {
  if (process.platform === 'win32') return;
  const handle = openSync(folder, 'r');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}

function modeOf(path: string): number | undefined {
  const stats = statSync(path, { throwIfNoEntry: false });
  return stats === undefined ? undefined : stats.mode & 0o7777;
}

async function* piecesOf(content: FileContent): AsyncGenerator<string | Uint8Array> {
  if (typeof content === 'object' && Symbol.asyncIterator in content) yield* content;
  else yield* wholeOrPieces(content);
}

function wholeOrPieces(
  content: string | Uint8Array | Iterable<string | Uint8Array>,
): Iterable<string | Uint8Array> {
  return typeof content === 'string' || content instanceof Uint8Array ? [content] : content;
}

/** No caller knows the temporary file. */
function naming(path: string, temp: string, error: unknown): unknown {
  if (isError(error)) error.message = error.message.replaceAll(temp, path);
  return error;
}
