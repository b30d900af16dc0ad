import { expect } from 'vitest';
import type { SourceDocument } from '../../src/index.ts';
import { openBackend } from './search-index.ts';

const FILES = 300;

/** Enough characters that they do not wait for each other. */
export const documents: readonly SourceDocument[] = Array.from({ length: FILES }, (_, at) => ({
  novelId: '灯台',
  filePath: `${at}.md`,
  text: `第${at}夜。${'嵐の海で灯台守の娘が灯を守った。'.repeat(60)}`,
}));

/** Checks that an index keeps what it has analysed before its run is stopped. */
export async function expectKeptWhenStopped(mayFork: boolean): Promise<void> {
  const backend = await openBackend({ mayFork });
  const stop = new AbortController();
  async function* stopping(): AsyncGenerator<SourceDocument> {
    for (const [at, document] of documents.entries()) {
      if (at === FILES - 5) stop.abort(new Error('enough'));
      yield document;
    }
  }
  await expect(backend.index(stopping(), { signal: stop.signal })).rejects.toThrow('enough');
  const kept = backend.documents().length;
  expect(kept).toBeGreaterThan(100);
  expect((await backend.search('第3夜')).total).toBeGreaterThan(0);
  expect(await backend.index(documents)).toEqual({ indexed: FILES - kept, unchanged: kept });
}
