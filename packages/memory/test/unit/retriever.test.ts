import { quantizedVectors } from '@vizprompt/providers/quantized';
import { hashEmbeddings, testRetriever } from '@vizprompt/providers/testing';
import { MemoryStore } from '@vizprompt/memory';
import { describe, it } from 'vitest';
import { newStorage } from '../support/open-store.ts';

for (const name of ['by words', 'by words and meaning'] as const) {
  testRetriever({
    name: `a memory, ${name}`,
    runner: { describe, it },
    open: async () => {
      const storage = await newStorage();
      const model = hashEmbeddings({ dimensions: 64 });
      const vectors = quantizedVectors({ database: storage.cache, dimensions: 64 });
      const store = await MemoryStore.open({
        storage,
        ...(name === 'by words' ? {} : { embeddings: { model, vectors } }),
      });
      const { id } = await store.startSession({ workspace: '/home/ann/app' });
      await store.log(id, 'user_message', { content: '認証機能を追加してください' });
      await store.log(id, 'thinking', { content: '認証にはJWTを使用する', context: 'why' });
      await store.log(id, 'file_edit', {
        action: 'create',
        file_path: 'src/認証.ts',
        new_content: 'export {};\n',
        success: true,
      });
      await store.log(id, 'assistant_message', { content: '猫' });
      // By meaning each event is near to some degree.
      const matches = name === 'by words' ? 3 : 4;
      if (matches === 4) await store.embedEvents();
      return {
        subject: { retriever: store.retriever(), query: '認証', matches },
        close: () => store.close(),
      };
    },
  });
}
