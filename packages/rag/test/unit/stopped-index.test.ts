import { PlainTextChunkingStrategy } from '@vizprompt/rag';
import { expect, it } from 'vitest';
import { openBackend } from '../support/search-index.ts';
import { documents, expectKeptWhenStopped } from '../support/stopped-index.ts';

it('what was analysed before a run is stopped is kept', async () => {
  await expect(expectKeptWhenStopped(false)).resolves.toBeUndefined();
});

it('documents that come before one that fails are kept', async () => {
  const backend = await openBackend({ mayFork: false });
  const wrong = [...documents, JSON.parse('null')];
  await expect(backend.index(wrong)).rejects.toMatchObject({
    code: 'invalid-input',
    message: 'a document: expected an object, got null',
  });
  expect(backend.documents().length).toBeGreaterThan(100);
});

it('a run that is stopped within one large document keeps what came before it', async () => {
  const stop = new AbortController();
  const whole = new PlainTextChunkingStrategy({ maxTokens: 40 });
  const backend = await openBackend({
    mayFork: false,
    chunking: {
      id: 'stopping',
      async chunk(document) {
        const chunks = await whole.chunk(document);
        // It runs in the first turn that the analysis of these chunks lets others have.
        if (document.filePath === 'large.md') setImmediate(() => stop.abort(new Error('enough')));
        return chunks;
      },
    },
  });
  const [first, second] = documents;
  if (!first || !second) throw new Error('there are documents');
  const large = {
    novelId: '灯台',
    filePath: 'large.md',
    text: '嵐の海で灯を守った。'.repeat(20_000),
  };
  const run = backend.index([first, second, large], { signal: stop.signal });
  await expect(run).rejects.toThrow('enough');
  expect(backend.documents().map(({ filePath }) => filePath)).toEqual(['0.md', '1.md']);
  expect((await backend.search('第1夜')).total).toBeGreaterThan(0);
  expect(await backend.index([first, second, large])).toEqual({ indexed: 1, unchanged: 2 });
});
