// #region folder
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { SegmentBackend, type SourceDocument } from '@vizprompt/rag';

async function* documentsOf(novelId: string, folder: string): AsyncGenerator<SourceDocument> {
  for (const name of await readdir(folder, { recursive: true })) {
    if (!/\.(md|txt)$/.test(name)) continue;
    const filePath = name.replaceAll('\\', '/');
    yield { novelId, filePath, text: await readFile(join(folder, name), 'utf8') };
  }
}

await using backend = await SegmentBackend.open({ folder: './index' });
backend.events.on('index:progress', ({ done, chunks }) => console.log(done, 'files,', chunks));
const { indexed, unchanged } = await backend.index(documentsOf('灯台', 'novels/灯台'), {
  signal: AbortSignal.timeout(60_000),
});
console.log(indexed, 'files indexed,', unchanged, 'as they were');
// #endregion folder
