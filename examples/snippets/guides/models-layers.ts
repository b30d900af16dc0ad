// #region program
import { textMessage } from '@vizprompt/providers';
import { budget, compose, createBudget, fallback, retry } from '@vizprompt/providers/middleware';
import { createModelRegistry } from '@vizprompt/providers/registry';
import { startFakeLLM } from '@vizprompt/providers/testing';

await using server = await startFakeLLM({
  answer: ({ model }) => `They are quiet, says ${model}.`,
});
const models = createModelRegistry({
  openai: { baseURL: `${server.url}/v1`, apiKey: 'none' }, // both lines are for the stand-in
  ollama: { baseURL: server.url },
});
const allowance = createBudget({ tokens: 3000 });
const model = compose(
  models.model('openai:gpt-5-mini'), // a name from a config file
  budget(allowance),
  fallback(models.model('ollama:qwen3:8b')),
  retry({
    retries: 3,
    onRetry: ({ error }) => console.log(`${error.code}: again, a little later`),
  }),
);
const request = { messages: [textMessage('user', 'Why cats?')] };

server.fail({ type: 'rate-limit', form: 'ms', waitMs: 20 }); // of the next request
console.log((await model.generate(request)).text);
server.fail({ type: 'quota' }); // no money there: waiting does not help
console.log((await model.generate(request)).text);
await model
  .generate({ ...request, maxOutputTokens: 5000 })
  .catch((error: unknown) => console.log(String(error)));
console.log(server.requests.length, 'requests were made');
// #endregion program
