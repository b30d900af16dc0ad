import { createModelRegistry } from '@vizprompt/providers/registry';
import { startFakeLLM } from '@vizprompt/providers/testing';
// #region scripted
import { testWorkflow } from '@vizprompt/workflow/testing';

const { status, output, prompts, calls } = await testWorkflow('flows.yaml', {
  input: 'a cat',
  answers: {
    writer: 'Once upon a time', // an agent, a step, or `step/agent`
    review: ({ prompt }) => `${prompt}, much better`,
  },
});
console.log(status, output);
console.log(prompts['review']); // what was sent
console.log(calls[0]?.system, calls[0]?.model);
// #endregion scripted

// #region simulate
const stormy = await testWorkflow('flows.yaml', {
  input: 'a cat',
  answers: { draft: 'a', review: { inOrder: ['b'] } },
  simulate: {
    latencyMs: [5, 50],
    failures: [{ at: 'critic', code: 'rate_limit', times: 1, retryAfterMs: 10 }],
    seed: 7, // the same seed, the same storm
  },
});
console.log(stormy.events.filter(({ type }) => type === 'step:retried').length);
// #endregion simulate

await using server = await startFakeLLM({ answer: ({ model }) => `${model} says yes` });
const models = createModelRegistry({ ollama: { baseURL: server.url } });

// #region cassettes
const flow = 'flows.yaml';
const recorded = await testWorkflow(flow, {
  input: 'a cat',
  models, // the real ones, once
  cassettes: { store: './cassettes', mode: 'record' },
});
const replayed = await testWorkflow(flow, {
  input: 'a cat',
  cassettes: { store: './cassettes' }, // from then on, offline
});
console.log(replayed.output === recorded.output);

const changed = await testWorkflow(flow, { input: 'a dog', cassettes: { store: './cassettes' } });
console.log(changed.error); // a diff: what was recorded, and what is asked now
// #endregion cassettes
