import { randomUUID } from 'node:crypto';
import { type FileHandle, open, unlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Maximum size of the file: what was taken from it is freed with the rest. */
const MAX_FILE_BYTES = 1 << 28;
/** Folders where an open file cannot be removed, such as some of networks. */
const UNFIT = new Set<string>();

/** Bytes that wait in a temporary file, first in, first out. The file has no name, so that it ends with its process. */
export class WaitingFile {
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
