// #region imports
import { LLMError, textMessage, type ChatRequest } from '@vizprompt/providers';
import { defineTool, generateObject, runTools } from '@vizprompt/providers/generate';
import {
  budget,
  compose,
  createBudget,
  fallback,
  rateLimit,
  record,
  replay,
  retry,
  retryEmbeddings,
} from '@vizprompt/providers/middleware';
import { inMemoryStorage } from '@vizprompt/providers/node';
import { ollama } from '@vizprompt/providers/ollama';
import { openai, openaiEmbeddings, openaiResponses } from '@vizprompt/providers/openai';
import { createModelRegistry } from '@vizprompt/providers/registry';
import { startFakeLLM } from '@vizprompt/providers/testing';
import { z } from 'zod';
// #endregion imports
import { stdout } from 'node:process';

await using fake = await startFakeLLM({ answer: 'Yes, very much.' });
process.env['OPENAI_API_KEY'] = 'none';
process.env['OPENAI_BASE_URL'] = `${fake.url}/v1`;
process.env['OLLAMA_HOST'] = fake.url;

// #region chat
const model = ollama({ model: 'qwen3:8b', contextWindow: 16_384 });
const request: ChatRequest = { messages: [textMessage('user', 'Do you like cats?')] };

for await (const event of model.stream(request)) {
  if (event.type === 'text-delta') stdout.write(event.text);
}
const { text, usage, finishReason } = await model.generate(request);
// #endregion chat
console.log(text, usage, finishReason);

// #region responses
const researcher = openaiResponses({
  model: 'gpt-5',
  serverTools: [{ type: 'web_search' }],
});
const found = await researcher.generate({ ...request, reasoning: 'high' });
for (const part of found.parts) {
  if (part.type === 'source') console.log(part.title, part.url);
}
// #endregion responses

// #region list-models
const installed = (await model.listModels?.()) ?? [];
for (const { id, capabilities } of installed) console.log(id, capabilities.contextWindow);
// #endregion list-models

// #region registry
const registry = createModelRegistry(
  { house: { baseURL: 'https://llm.example.com/v1', apiKey: '...' } },
  { aliases: { fast: 'openai:gpt-5-mini' } },
);
registry.model('ollama:qwen3:8b');
registry.model('anthropic:claude-sonnet-5-5');
registry.model('gemini:gemini-3-flash');
registry.model('ai-sdk:@ai-sdk/mistral:mistral-large-latest');
registry.model('house:some-model');
const fast = registry.model('fast');
// #endregion registry

// #region compose
const careful = compose(
  fast,
  budget(createBudget({ tokens: 200_000 })),
  fallback(ollama({ model: 'qwen3:8b' })),
  retry({ retries: 3 }),
  rateLimit({ requestsPerMinute: 60, concurrency: 4 }),
);
try {
  await careful.generate({ ...request, timeout: { firstByteMs: 20_000, idleMs: 10_000 } });
} catch (error) {
  if (!LLMError.isInstance(error)) throw error;
  console.log(error.code, error.message, error.partial?.text);
}
// #endregion compose

// #region object
const schema = z.object({ names: z.array(z.string()).length(2) });
fake.answer('{"names":["Tama"]}', '{"names":["Tama","Mike"]}');
const { object, attempts } = await generateObject(openai({ model: 'gpt-5-mini' }), request, {
  schema,
});
// #endregion object
console.log(object, attempts);

// #region tools
const weather = defineTool({
  name: 'weather',
  description: 'The weather of a city',
  input: z.object({ city: z.string() }),
  execute: async ({ city }) => ({ city, sky: 'sunny' }),
});
const run = await runTools(model, request, [weather], { maxSteps: 5 });
console.log(run.text, run.messages.length, run.usage);
// #endregion tools

// #region picture
const picture = new Uint8Array([0x89, 0x50, 0x4e, 0x47]);
await model.generate({
  messages: [
    {
      role: 'user',
      parts: [
        { type: 'text', text: 'Which cat is this?' },
        { type: 'file', mediaType: 'image/png', data: picture },
      ],
    },
  ],
  reasoning: 'low',
  maxOutputTokens: 500,
});
// #endregion picture

// #region embeddings
const embeddings = retryEmbeddings(openaiEmbeddings({ model: 'text-embedding-3-small' }));
const { vectors } = await embeddings.embed({ values: ['a cat', 'a dog'], kind: 'document' });
// #endregion embeddings
console.log(vectors.length);

const { files } = await inMemoryStorage();
// #region replay
const recorded = compose(model, record({ store: files })); // once, against the real model
await recorded.generate(request);
const offline = compose(model, replay({ store: files })); // from then on, in tests
await offline.generate(request);
// #endregion replay

// #region fake
const llm = await startFakeLLM();
llm.answer('Yes.', [{ type: 'tool-call', id: '1', name: 'weather', input: { city: 'Kyoto' } }]);
llm.fail({ type: 'rate-limit', form: 'seconds', waitMs: 1000 }, { type: 'half-frame' });
const tested = openai({ model: 'any', baseURL: `${llm.url}/v1`, apiKey: 'none' });
// #endregion fake
console.log(await tested.generate(request).catch((error: unknown) => String(error)));
await llm.close();
