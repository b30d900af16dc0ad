import { createHash } from 'node:crypto';
import { constants, statSync, lstatSync } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { messageOf } from '@vizprompt/providers';
import { hasCode } from '@vizprompt/providers/internal';
import { decodeText } from '../encoding/decode-text.ts';
import { isBookName } from '../books/book-names.ts';
import { bookText } from '../books/book-text.ts';
import { IndexingError, RagError } from '../errors.ts';
import { largestSize } from '../files/read-text-file.ts';
import { fileVersion, isRacy } from './scan-project.ts';

/** A document that was read. */
export interface ReadDocument {
  readonly path: string;
  /** Without a byte order mark. */
  readonly text: string;
  readonly hash: string;
  /** Absent if the file may change and look the same. */
  readonly version?: string;
}

/** A file that could not be read as a document. */
interface UnreadDocument {
  readonly path: string;
  readonly problem: IndexingError;
  /** The state of the file in which it will always fail; absent if another try may do better. */
  readonly version?: string;
}

/**
 * Reads a document of a project.
 *
 * @param root - The real path of the project. A file beyond a link is not read, whatever links were
 * made meanwhile.
 * @param maxBytes - Larger files are none.
 * @returns Nothing if the file is gone.
 */
export async function readDocument(
  root: string,
  path: string,
  maxBytes: number,
): Promise<ReadDocument | UnreadDocument | undefined> {
  let file: FileHandle | undefined;
  let settled: { readonly version?: string } = {};
  try {
    const place = join(root, path);
    // A pipe in its place must not make us wait.
    file = await open(place, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    const stat = await file.stat({ bigint: true });
    const now = Date.now();
    if (!stat.isFile()) return undefined;
    if (isBehindLink(root, path)) return failed(path, 'a link leads to it');
    const found = statSync(place, { bigint: true });
    if (found.ino !== stat.ino || found.dev !== stat.dev) {
      return failed(path, 'it was replaced while it was opened');
    }
    const version = fileVersion(stat);
    const most = largestSize(path, maxBytes);
    if (stat.size > BigInt(most)) {
      const problem = `expected at most ${most} bytes, got ${stat.size}: split it, or raise maxFileBytes`;
      return failed(path, problem, { version });
    }
    const data = await file.readFile();
    settled = isRacy(stat, now) ? {} : { version };
    const text = isBookName(path) ? await bookText(path, data, maxBytes) : decodeText(data);
    if (text === undefined) {
      return failed(path, 'it is no UTF-8: save it as UTF-8', settled);
    }
    return { path, text, hash: hashOf(data), ...settled };
  } catch (error) {
    if (isGone(error)) return undefined;
    if (RagError.isInstance(error)) return failedBook(path, error, settled);
    return failed(path, messageOf(error), { cause: error });
  } finally {
    await file?.close();
  }
}

function failed(
  path: string,
  reason: string,
  { version, cause }: { version?: string; cause?: unknown } = {},
): UnreadDocument {
  const message = `${path} cannot be indexed: ${reason}`;
  const problem = new IndexingError(message, { cause, context: { path } });
  return version === undefined ? { path, problem } : { path, problem, version };
}

/** A book that is damaged stays so; one whose reader is not installed may be read later. */
function failedBook(
  path: string,
  cause: RagError,
  settled: { readonly version?: string },
): UnreadDocument {
  const problem = new IndexingError(cause.message, { cause, context: { path } });
  return { path, problem, ...(cause.code === 'file-invalid' ? settled : {}) };
}

/** Where a document was replaced by a folder, or the folder above it by a file. */
function isGone(error: unknown): boolean {
  return hasCode(error, 'ENOENT', 'ENOTDIR', 'EISDIR');
}

function hashOf(data: Uint8Array): string {
  return createHash('sha256').update(data).digest('base64url').slice(0, 22);
}

/** Checks whether a name of a path below `root` is that of a symbolic link. */
function isBehindLink(root: string, path: string): boolean {
  let place = root;
  return path.split('/').some((name) => {
    place = join(place, name);
    return lstatSync(place).isSymbolicLink();
  });
}
