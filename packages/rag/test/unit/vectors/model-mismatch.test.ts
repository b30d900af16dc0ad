import type { EmbeddingModel } from '@vizprompt/providers';
import { sqliteDatabase } from '@vizprompt/providers/node';
import { quantizedVectors } from '@vizprompt/providers/quantized';
import { expect, it, onTestFinished } from 'vitest';
import { VectorBackend } from '../../../src/index.ts';
import { paragraphs } from '../../../src/testing/index.ts';
import { wordEmbeddings } from '../../support/word-embeddings.ts';

const document = { novelId: '灯台', filePath: 'a.md', text: '灯台の朝' };

it('says which model an index was made with, which one it is opened with, and what to do', async () => {
  const database = sqliteDatabase({ path: ':memory:' });
  onTestFinished(() => database.close());
  const open = (embeddings: EmbeddingModel, dimensions: number): Promise<VectorBackend> => {
    const store = quantizedVectors({ database, dimensions, name: `store_${dimensions}` });
    return VectorBackend.open({ database, store, embeddings, chunking: paragraphs });
  };
  await (await open(wordEmbeddings(16), 16)).close();
  await expect(open(wordEmbeddings(32), 32)).rejects.toMatchObject({
    code: 'model-mismatch',
    message:
      "the index 'rag_vectors' was made with the model test:words (16 dimensions), and is opened with the " +
      'model test:words (32 dimensions): open it as it was made, or under another ' +
      "'name' with a vector store of its own, and index the documents into that",
  });
  const differ =
    'the model test:words makes vectors of 32 dimensions, and the vector store is for 16: open a new ' +
    'store with dimensions: 32, or take the model that this one was made for';
  await expect(open(wordEmbeddings(32), 16)).rejects.toMatchObject({
    code: 'model-mismatch',
    message: differ,
  });
  // A model that does not say how long its vectors are is found out by the first one.
  const { dimensions: _unknown, ...silent } = wordEmbeddings(32);
  const backend = await open(silent, 16);
  onTestFinished(() => backend.close());
  await expect(backend.updateFile(document)).rejects.toMatchObject({
    code: 'model-mismatch',
    message: differ,
  });
  expect((await backend.stats()).chunks).toBe(0);
});
