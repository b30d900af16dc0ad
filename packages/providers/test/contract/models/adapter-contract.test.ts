import { startFakeLLM, testChatModel, testEmbeddingModel } from '@vizprompt/providers/testing';
import { describe, it } from 'vitest';
import { adapters } from '../../support/models/adapters.ts';

const runner = { describe, it };

for (const [name, adapter] of Object.entries(adapters)) {
  testChatModel({
    name,
    runner,
    open: async () => {
      const llm = await startFakeLLM({ chunkDelayMs: 2 });
      return { subject: { model: adapter.model(llm.url) }, close: () => llm.close() };
    },
  });
  const { embeddings } = adapter;
  if (!embeddings) continue;
  testEmbeddingModel({
    name,
    runner,
    open: async () => {
      const llm = await startFakeLLM();
      return { subject: embeddings(llm.url), close: () => llm.close() };
    },
  });
}
