import { fileURLToPath } from 'node:url';
import { messageOf } from '@vizprompt/providers';
import type { ZipFile } from 'yauzl';
import { VizPromptError } from '../errors.ts';
import type { SourceFile } from './source-file.ts';

/** Opens the files of a zip archive whose names fit, one after the other, as streams. */
export async function* readZip(
  source: string | URL,
  fits: (name: string) => boolean,
): AsyncGenerator<SourceFile> {
  const path = source instanceof URL ? fileURLToPath(source) : source;
  const { openPromise } = await import('yauzl');
  const zip: ZipFile = await openPromise(path, { autoClose: false }).catch((cause: unknown) => {
    throw new VizPromptError(
      'import-unreadable',
      `${path} is no zip archive: ${messageOf(cause)}`,
      {
        cause,
      },
    );
  });
  try {
    let isEmpty = true;
    for await (const entry of zip.eachEntry()) {
      if (!fits(entry.fileName)) continue;
      isEmpty = false;
      yield { name: entry.fileName, content: await zip.openReadStreamPromise(entry) };
    }
    if (!isEmpty) return;
    throw new VizPromptError('import-unreadable', `there is no conversations.json in ${path}`);
  } finally {
    zip.close();
  }
}
