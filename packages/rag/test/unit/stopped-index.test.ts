import { expect, it } from 'vitest';
import { segmenterAnalyzer, type SourceDocument } from '../../src/index.ts';
import { openBackend } from '../support/support.ts';

const FILES = 300;
const documents: readonly SourceDocument[] = Array.from({ length: FILES }, (_, at) => ({
  novelId: '灯台',
  filePath: `${at}.md`,
  text: `第${at}夜。${'嵐の海で灯台守の娘が灯を守った。'.repeat(60)}`,
}));

it.each([true, false])(
  'what was analysed before a run was stopped is kept, however little it is (in a process of its own: %s)',
  async (mayFork) => {
    const backend = await openBackend({ analyzer: segmenterAnalyzer(), mayFork });
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
  },
);

it('documents that come before one that fails are kept', async () => {
  const backend = await openBackend({ analyzer: segmenterAnalyzer(), mayFork: false });
  const wrong = [...documents, JSON.parse('null')];
  await expect(backend.index(wrong)).rejects.toMatchObject({
    code: 'invalid-input',
    message: 'a document must be an object, not null',
  });
  expect(backend.documents().length).toBeGreaterThan(100);
});
