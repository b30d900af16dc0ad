import { exportsOf } from '@vizprompt/providers/internal';
import { pipeline, type Readable, Transform } from 'node:stream';
import { crc32, createGunzip } from 'node:zlib';
import { messageOf } from '@vizprompt/providers';
import type { Entry, ZipFile } from 'yauzl';
import { VizPromptError } from '../errors.ts';
import type { ImportLimits } from '../limits.ts';

/** Smaller files may be compressed as much as they like: they do no harm. */
const HARMLESS_BYTES = 32 << 20;

/** The directory of an archive is read into memory before its files: its length is bounded. */
const MOST_FILES = 250_000;

/** Options for reading a source. */
export interface ReadOptions {
  readonly limits: ImportLimits;
  /** Stops between two pieces of a file, and between two names of a directory. */
  readonly signal?: AbortSignal | undefined;
}

/** A file of an archive or a folder. */
export interface PackedFile {
  readonly name: string;
  open(): Promise<Readable>;
}

/** The files of an archive. */
export interface Archive {
  readonly files: readonly PackedFile[];
  close(): void;
}

/** The error of a file of an archive whose bytes are damaged: the files next to it may be sound. */
export class DamagedFile extends VizPromptError {
  constructor(fileName: string, reason: string) {
    super('import-unreadable', `${fileName} is damaged: ${reason}; download the archive again`);
  }
}

/** Leaves out what is read of a damaged file. */
export function unlessDamaged(error: unknown): undefined {
  if (!(error instanceof DamagedFile)) throw error;
  return undefined;
}

/** Creates the error of a source that cannot be read. */
export function unreadable(message: string, cause?: unknown): VizPromptError {
  return new VizPromptError('import-unreadable', message, { cause });
}

/**
 * Opens a zip archive.
 *
 * @param source - Its path, or its bytes.
 * @param path - Its name in errors.
 * @throws VizPromptError with the code `import-unreadable` if it is not a zip archive; its files throw it where they
 * unpack to more than `limits.zipRatio` times their size, and as a DamagedFile where their bytes are wrong.
 */
export async function openArchive(
  source: string | Buffer,
  path: string,
  { limits, signal }: ReadOptions,
): Promise<Archive> {
  const { fromBufferPromise, openPromise } = exportsOf(await import('yauzl'));
  const opened =
    typeof source === 'string'
      ? openPromise(source, { autoClose: false })
      : fromBufferPromise(source, { autoClose: false });
  const zip: ZipFile = await opened.catch((cause: unknown) => {
    throw unreadable(`${path} is no zip archive: ${messageOf(cause)}`, cause);
  });
  try {
    if (zip.entryCount > MOST_FILES) throw tooMany(path, zip.entryCount);
    const files: PackedFile[] = [];
    const total = { compressedSize: zip.fileSize, uncompressedSize: 0 };
    for await (const entry of entriesOf(zip, path)) {
      signal?.throwIfAborted();
      if (entry.fileName.endsWith('/')) continue;
      files.push({
        name: entry.fileName,
        open: async () => {
          assertRatio(entry.fileName, entry, limits);
          // Entries may share their bytes.
          total.uncompressedSize += entry.uncompressedSize;
          assertRatio(path, total, limits);
          return openEntry(zip, entry);
        },
      });
    }
    return {
      files,
      close: () => {
        zip.close();
      },
    };
  } catch (error) {
    zip.close();
    throw error;
  }
}

/**
 * Returns the entries of the directory up to its end. The count in the archive is the least that there are: writers
 * without ZIP64 count 65,536 files as none.
 */
async function* entriesOf(zip: ZipFile, path: string): AsyncGenerator<Entry> {
  const counted = zip.entryCount;
  zip.entryCount = Number.MAX_SAFE_INTEGER;
  let place = zip.readEntryCursor;
  try {
    for await (const entry of zip.eachEntry()) {
      if (zip.entriesRead > MOST_FILES) throw tooMany(path, zip.entriesRead);
      place = zip.readEntryCursor;
      yield entry;
    }
  } catch (cause) {
    if (VizPromptError.isInstance(cause)) throw cause;
    // Where no entry begins, nothing is read.
    if (zip.entriesRead >= counted && zip.readEntryCursor === place) return;
    throw unreadable(`${path} is damaged: ${messageOf(cause)}`, cause);
  }
}

function tooMany(path: string, count: number): VizPromptError {
  return unreadable(
    `${path} has ${count} files, more than ${MOST_FILES}: unpack it yourself if you trust it`,
  );
}

async function openEntry(zip: ZipFile, entry: Entry): Promise<Readable> {
  const { fileName } = entry;
  if (entry.isEncrypted()) throw unreadable(`${fileName} is encrypted: unpack it yourself`);
  const content = await zip.openReadStreamPromise(entry).catch((cause: unknown) => {
    throw unreadable(`${fileName} cannot be unpacked: ${messageOf(cause)}`, cause);
  });
  return checked(content, entry);
}

/**
 * Passes a file on, and fails before its last piece if its bytes are not those of which the directory has the checksum:
 * nothing is read of a small file that is damaged.
 */
function checked(content: Readable, { fileName, crc32: expected }: Entry): Readable {
  let sum = 0;
  let last: Buffer | undefined;
  const check = new Transform({
    transform: (chunk: Buffer, _, done) => {
      sum = crc32(chunk, sum);
      done(null, last);
      last = chunk;
    },
    flush: (done) => {
      if (sum === expected) done(null, last);
      else done(new DamagedFile(fileName, 'its checksum is wrong'));
    },
  });
  content.on('error', (error) => {
    const isDamage = 'code' in error && /^Z_(?:DATA|BUF)_ERROR$/.test(String(error.code));
    check.destroy(isDamage ? new DamagedFile(fileName, error.message) : error);
  });
  return pipeline(content, check, () => {
    // Errors are those of what is returned.
  });
}

/** The size is that of the archive's directory; a stream that gives more than it says fails. */
function assertRatio(
  fileName: string,
  { compressedSize, uncompressedSize }: Pick<Entry, 'compressedSize' | 'uncompressedSize'>,
  { zipRatio }: ImportLimits,
): void {
  if (uncompressedSize <= Math.max(HARMLESS_BYTES, compressedSize * zipRatio)) return;
  throw unreadable(
    `${fileName} unpacks from ${compressedSize} to ${uncompressedSize} bytes, more than ${zipRatio} times: ` +
      'unpack it yourself if you trust it, or raise limits.zipRatio',
  );
}

/**
 * Unpacks gzip, whose size no directory says.
 *
 * @throws VizPromptError with the code `import-unreadable` where it unpacks to more than `limits.zipRatio` times its size.
 */
export async function* gunzip(
  content: Readable,
  fileName: string,
  limits: ImportLimits,
): AsyncGenerator<Buffer> {
  const unpacked = createGunzip();
  content.on('error', (error) => unpacked.destroy(error));
  let uncompressedSize = 0;
  try {
    for await (const chunk of content.pipe(unpacked)) {
      if (!Buffer.isBuffer(chunk)) continue;
      uncompressedSize += chunk.length;
      const { bytesWritten: compressedSize } = unpacked;
      assertRatio(fileName, { compressedSize, uncompressedSize }, limits);
      yield chunk;
    }
  } finally {
    content.destroy();
  }
}

/** Reads a stream whole; `undefined` if it is larger than a limit. */
export async function bytesOf(content: Readable, max: number): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of content) {
    if (!Buffer.isBuffer(chunk)) continue;
    size += chunk.length;
    if (size > max) {
      content.destroy();
      return undefined;
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
