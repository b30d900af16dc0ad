// A fake server in a process of its own, so that its work is not measured: node fake-llm-server.mjs
import { startFakeLLM } from '@vizprompt/providers/testing';

const llm = await startFakeLLM({
  chunkSize: 4,
  answer: ({ body }) => {
    const text = JSON.stringify(body);
    return text.includes('long') ? '猫は静か'.repeat(3000) : 'はい。';
  },
});
process.send?.({ url: llm.url });
process.on('disconnect', () => process.exit());
