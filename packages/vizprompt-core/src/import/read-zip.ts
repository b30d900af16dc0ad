import { fileURLToPath } from 'node:url';
import { messageOf } from '@vizprompt/providers';
import type { Entry, ZipFile } from 'yauzl';
import { VizPromptError } from '../errors.ts';
import type { ImportLimits } from '../limits.ts';
import type { SourceFile } from './source-file.ts';

/** Smaller files may be compressed as much as they like: they do no harm. */
const HARMLESS_BYTES = 32 << 20;

/**
 * Opens the files of a zip archive whose names fit, one after the other, as streams.
 *
 * @throws VizPromptError with the code `import-unreadable` if it is no zip archive, or one of those files
 * unpacks to more than `limits.zipRatio` times its size.
 */
export async function* readZip(
  source: string | URL,
  fits: (name: string) => boolean,
  limits: ImportLimits,
): AsyncGenerator<SourceFile> {
  const path = source instanceof URL ? fileURLToPath(source) : source;
  const { openPromise } = await import('yauzl');
  const zip: ZipFile = await openPromise(path, { autoClose: false }).catch((cause: unknown) => {
    throw unreadable(`${path} is no zip archive: ${messageOf(cause)}`, cause);
  });
  try {
    let isEmpty = true;
    const total = { compressedSize: zip.fileSize, uncompressedSize: 0 };
    for await (const entry of entriesOf(zip, path)) {
      const { fileName, uncompressedSize } = entry;
      if (!fits(fileName)) continue;
      isEmpty = false;
      assertRatio(fileName, entry, limits);
      // Entries may share their bytes.
      total.uncompressedSize += uncompressedSize;
      assertRatio(path, total, limits);
      yield { name: fileName, content: await openEntry(zip, entry) };
    }
    if (!isEmpty) return;
    throw unreadable(`there is no conversations.json in ${path}`);
  } finally {
    zip.close();
  }
}

async function* entriesOf(zip: ZipFile, path: string): AsyncGenerator<Entry> {
  try {
    yield* zip.eachEntry();
  } catch (cause) {
    throw unreadable(`${path} is damaged: ${messageOf(cause)}`, cause);
  }
}

async function openEntry(zip: ZipFile, entry: Entry): Promise<SourceFile['content']> {
  const { fileName } = entry;
  if (entry.isEncrypted()) throw unreadable(`${fileName} is encrypted: unpack it yourself`);
  return zip.openReadStreamPromise(entry).catch((cause: unknown) => {
    throw unreadable(`${fileName} cannot be unpacked: ${messageOf(cause)}`, cause);
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

function unreadable(message: string, cause?: unknown): VizPromptError {
  return new VizPromptError('import-unreadable', message, { cause });
}
