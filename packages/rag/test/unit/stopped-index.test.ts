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
    message: 'a document must be an object, not null',
  });
  expect(backend.documents().length).toBeGreaterThan(100);
});
