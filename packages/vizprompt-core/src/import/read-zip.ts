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
    for await (const entry of zip.eachEntry()) {
      if (!fits(entry.fileName)) continue;
      isEmpty = false;
      assertRatio(entry, limits);
      yield { name: entry.fileName, content: await zip.openReadStreamPromise(entry) };
    }
    if (!isEmpty) return;
    throw unreadable(`there is no conversations.json in ${path}`);
  } finally {
    zip.close();
  }
}

/** The size is that of the archive's directory; a stream that gives more than it says fails. */
function assertRatio(entry: Entry, { zipRatio }: ImportLimits): void {
  const { fileName, compressedSize, uncompressedSize } = entry;
  if (uncompressedSize <= Math.max(HARMLESS_BYTES, compressedSize * zipRatio)) return;
  throw unreadable(
    `${fileName} unpacks from ${compressedSize} to ${uncompressedSize} bytes, more than ${zipRatio} times: ` +
      'unpack it yourself if you trust it, or raise limits.zipRatio',
  );
}

function unreadable(message: string, cause?: unknown): VizPromptError {
  return new VizPromptError('import-unreadable', message, { cause });
}
