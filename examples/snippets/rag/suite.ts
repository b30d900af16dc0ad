// #region suite
import { describe, it } from 'node:test'; // or those of vitest
import { KeywordFlexBackend } from '@vizprompt/rag';
import { testSearchBackend } from '@vizprompt/rag/testing';

testSearchBackend({
  name: 'KeywordFlexBackend', // yours
  runner: { describe, it },
  open: async ({ analyzer, chunking }) => {
    const backend = await KeywordFlexBackend.open({ analyzer, chunking });
    return { backend, close: () => backend.close() };
  },
});
// #endregion suite
