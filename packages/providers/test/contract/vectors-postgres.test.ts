import { quantizedVectors } from '@vizprompt/providers/quantized';
import { testVectorStore } from '@vizprompt/providers/testing';
import type { VectorStore } from '@vizprompt/providers';
import { describe, it } from 'vitest';
import { emptiedPostgres } from '../support/subjects.ts';

const openEmpty = emptiedPostgres();
const MADE = { dimensions: 8, model: 'suite' };

testVectorStore({
  name: 'quantized, on PostgreSQL',
  runner: { describe, it },
  open: async () => {
    const { storage, close } = await openEmpty();
    const open = (made = {}): VectorStore =>
      quantizedVectors({ ...MADE, ...made, database: storage.cache });
    return { subject: { store: open(), another: async (made) => open(made) }, close };
  },
});
