import { randomUUID } from 'node:crypto';
import { type FileHandle, open, unlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { isError } from '../errors.ts';
import { checkArgument } from '../input/check-input.ts';
import { having } from '../input/kinds.ts';

/** Bytes that are passed on at a time. */
const PIECE_BYTES = 1 << 16;
/** How long a client may read nothing before its answers wait in a file. */
const PATIENCE_MS = 250;

const WRITABLE = having('a writable stream', 'write', 'once');
/** Outputs that had a {@link HeldOutput}: late errors of them are of no interest. */
const RELEASED = new WeakSet<Writable>();

/**
 * The output of a server to a client that may not read, such as that of MCP on standard output. It passes on what is
 * written, 64 KiB at a time, as the client reads. Once the client reads nothing for a quarter of a second, what it has
 * not read waits in a temporary file that no other process can open, until it has read all. Without room for such a
 * file it waits in memory.
 *
 * `end()` passes on all that waits, and does not end the output; nothing else may write to it until this one has
 * closed, and a write after it drops what waits. `destroy()` drops it, too.
 */
export class HeldOutput extends Writable {
  readonly #output: Writable;
  #file: WaitingFile | undefined;
  #passing: Promise<void> | undefined;
  /** True while what was written last is neither passed on nor in the file. */
  #isWaiting = false;
  #isStoring = false;
  #onStored: (() => void) | undefined;

  constructor(output: Writable) {
    super();
    checkArgument('the output of HeldOutput', output, WRITABLE);
    this.#output = output;
    // Each answer that waits for its reader listens.
    this.setMaxListeners(0);
    output.on('error', this.#fail).on('close', this.#end).on('drain', this.#tellRead);
  }

  /** Bytes that the client has not read. */
  get unreadBytes(): number {
    return this.writableLength + (this.#file?.bytes ?? 0) + this.#output.writableLength;
  }

  /** True while more is unread than the output buffers. Emits `drain` when that ends. */
  get isUnread(): boolean {
    const isHeld = this.#file !== undefined || this.#isWaiting || this.writableNeedDrain;
    return !this.destroyed && (isHeld || this.#isFull);
  }

  /** Resolves when no more is unread than the output buffers, or when it is closed. */
  async whenRead(): Promise<void> {
    while (this.isUnread) {
      await new Promise<void>((resolve) => {
        const settle = (): void => {
          this.off('drain', settle).off('close', settle);
          resolve();
        };
        this.once('drain', settle).once('close', settle);
      });
    }
  }

  /** Resolves when the system has taken all, or when it is closed: a process that ends then loses nothing. */
  async whenPassed(): Promise<void> {
    await this.whenRead();
    await this.#taken();
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: (error?: Error) => void): void {
    const start = this.#file || this.#isFull ? 0 : this.#passPieces(chunk, 0);
    if (start >= chunk.length && !this.#isFull) done();
    else void this.#passSlowly(chunk, start, done);
  }

  override _final(done: () => void): void {
    void this.#passRest(done);
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    const output = this.#output.off('close', this.#end).off('drain', this.#tellRead);
    if (!RELEASED.has(output)) output.on('error', () => {});
    RELEASED.add(output);
    output.off('error', this.#fail);
    this.#onStored?.();
    done(error);
  }

  /** True while the output buffers unread data and wants no more. */
  get #isFull(): boolean {
    // A pipe with room takes all at once, and asks for more in the next turn.
    return this.#output.writableNeedDrain && this.#output.writableLength > 0;
  }

  readonly #fail = (error: Error): void => void this.destroy(error);
  readonly #end = (): void => void this.destroy();
  readonly #tellRead = (): void => {
    if (!this.isUnread) this.emit('drain');
  };

  /** Passes pieces on while the client reads. Returns where the next one begins. */
  #passPieces(chunk: Buffer, from: number): number {
    let start = from;
    while (start < chunk.length) {
      const end = start + PIECE_BYTES;
      // A part of a buffer would hold all of it.
      const piece = chunk.length > PIECE_BYTES ? Buffer.from(chunk.subarray(start, end)) : chunk;
      start = end;
      this.#output.write(piece);
      if (this.#isFull) break;
    }
    return start;
  }

  async #passSlowly(chunk: Buffer, from: number, done: (error?: Error) => void): Promise<void> {
    this.#isWaiting = true;
    let failure: Error | undefined;
    try {
      await this.#passOrStore(chunk, from);
    } catch (error) {
      failure = toError(error);
    }
    this.#isWaiting = false;
    // Writes the next chunk, which may wait too.
    done(failure);
    this.#tellRead();
  }

  async #passRest(done: () => void): Promise<void> {
    await this.#passing;
    await this.#drained();
    await this.#taken();
    done();
  }

  async #passOrStore(chunk: Buffer, from: number): Promise<void> {
    let start = from;
    while (!this.#file && (await this.#drained(PATIENCE_MS))) {
      if (start >= chunk.length) return;
      start = this.#passPieces(chunk, start);
    }
    const rest = chunk.subarray(start);
    if (rest.length === 0 || (await this.#store(rest))) return;
    await this.#passing;
    while (start < chunk.length && !this.destroyed) {
      await this.#drained();
      start = this.#passPieces(chunk, start);
    }
  }

  /** Lets bytes wait in a file. Returns false if there is no room. */
  async #store(bytes: Buffer): Promise<boolean> {
    this.#isStoring = true;
    try {
      const file = this.#file ?? (await WaitingFile.create());
      const isStored = file !== undefined && (await file.append(bytes));
      if (this.#file !== undefined || file === undefined) return isStored;
      if (!isStored || this.destroyed) {
        await file.close();
        return isStored;
      }
      this.#file = file;
      this.#passing = this.#passOn(file).catch((error: unknown) => {
        this.destroy(toError(error));
      });
      return true;
    } finally {
      this.#isStoring = false;
      this.#onStored?.();
      this.#tellRead();
    }
  }

  async #passOn(file: WaitingFile): Promise<void> {
    try {
      for (;;) {
        await this.#drained();
        if (this.destroyed) return;
        if (file.bytes > 0) this.#output.write(await file.take(PIECE_BYTES));
        else if (this.#isStoring) await new Promise<void>((done) => (this.#onStored = done));
        else return;
      }
    } finally {
      this.#file = undefined;
      await file.close();
      this.#tellRead();
    }
  }

  /** Resolves when the buffer of the output is empty; it asks to wait only once it is full. */
  #taken(): Promise<void> {
    if (this.destroyed || this.#output.writableLength === 0) return Promise.resolve();
    return new Promise((resolve) => {
      const settle = (): void => {
        this.off('close', settle);
        resolve();
      };
      this.once('close', settle);
      this.#output.write('', settle);
    });
  }

  /** Resolves when the client has read what was passed on, or is gone; with false if it did not in time. */
  #drained(patienceMs?: number): Promise<boolean> {
    if (this.destroyed || !this.#isFull) return Promise.resolve(true);
    return new Promise((resolve) => {
      const settle = (): void => {
        clearTimeout(timer);
        this.#output.off('drain', settle);
        this.off('close', settle);
        resolve(this.destroyed || !this.#isFull);
      };
      const timer = patienceMs === undefined ? undefined : setTimeout(settle, patienceMs);
      this.#output.once('drain', settle);
      this.once('close', settle);
    });
  }
}

function toError(error: unknown): Error {
  return isError(error) ? error : new Error(String(error));
}

/** Maximum size of the file: what was taken from it is freed with the rest. */
const MAX_FILE_BYTES = 1 << 28;
/** Folders where an open file cannot be removed, such as some of networks. */
const UNFIT = new Set<string>();

/** Bytes that wait in a temporary file, first in, first out. The file has no name, so that it ends with its process. */
class WaitingFile {
  readonly #file: FileHandle;
  #written = 0;
  #taken = 0;

  private constructor(file: FileHandle) {
    this.#file = file;
  }

  /** Creates one in the folder of the system for temporary files, or returns `undefined` if that cannot be written. */
  static async create(): Promise<WaitingFile | undefined> {
    const folder = tmpdir();
    if (UNFIT.has(folder)) return undefined;
    const path = join(folder, `vizprompt-${randomUUID()}`);
    try {
      const file = await open(path, 'wx+', 0o600);
      try {
        await unlink(path);
        return new WaitingFile(file);
      } catch {
        UNFIT.add(folder);
        await file.close();
        await unlink(path);
        return undefined;
      }
    } catch {
      return undefined;
    }
  }

  /** Bytes that wait. */
  get bytes(): number {
    return this.#written - this.#taken;
  }

  /** Appends bytes, or returns false if there is no room for all of them; none of them wait then. */
  async append(bytes: Buffer): Promise<boolean> {
    if (this.#written + bytes.length > MAX_FILE_BYTES) return false;
    try {
      for (let at = 0; at < bytes.length;) {
        const { bytesWritten } = await this.#file.write(
          bytes,
          at,
          bytes.length - at,
          this.#written + at,
        );
        at += bytesWritten;
      }
    } catch {
      return false;
    }
    this.#written += bytes.length;
    return true;
  }

  /** Takes up to this many of the bytes that wait. */
  async take(most: number): Promise<Buffer> {
    const bytes = Buffer.alloc(Math.min(most, this.bytes));
    const { bytesRead } = await this.#file.read(bytes, 0, bytes.length, this.#taken);
    if (bytesRead === 0) throw new Error('cannot read what waits in a temporary file');
    this.#taken += bytesRead;
    return bytes.subarray(0, bytesRead);
  }

  async close(): Promise<void> {
    await this.#file.close();
  }
}
