import { createModelRegistry } from '@vizprompt/providers/registry';
import { startFakeLLM } from '@vizprompt/providers/testing';
// #region scripted
import { testWorkflow } from '@vizprompt/workflow/testing';

const { status, output, prompts, calls } = await testWorkflow('flows.yaml', {
  input: '猫',
  answers: {
    writer: 'むかしむかし', // エージェント、ステップ、または `ステップ/エージェント`
    review: ({ prompt }) => `${prompt}（ずっと良くなった）`,
  },
});
console.log(status, output);
console.log(prompts['review']); // 送られたもの
console.log(calls[0]?.system, calls[0]?.model);
// #endregion scripted

// #region simulate
const stormy = await testWorkflow('flows.yaml', {
  input: '猫',
  answers: { draft: 'a', review: { inOrder: ['b'] } },
  simulate: {
    latencyMs: [5, 50],
    failures: [{ at: 'critic', code: 'rate_limit', times: 1, retryAfterMs: 10 }],
    seed: 7, // 同じ種なら、同じ嵐になる
  },
});
console.log(stormy.events.filter(({ type }) => type === 'step:retried').length);
// #endregion simulate

await using server = await startFakeLLM({ answer: ({ model }) => `${model} の答え` });
const models = createModelRegistry({ ollama: { baseURL: server.url } });

// #region cassettes
const flow = 'flows.yaml';
const recorded = await testWorkflow(flow, {
  input: '猫',
  models, // 一度だけ、本物で
  cassettes: { store: './cassettes', mode: 'record' },
});
const replayed = await testWorkflow(flow, {
  input: '猫',
  cassettes: { store: './cassettes' }, // その後はオフラインで
});
console.log(replayed.output === recorded.output);

const changed = await testWorkflow(flow, { input: '犬', cassettes: { store: './cassettes' } });
console.log(changed.error); // 差分。記録したものと、今尋ねているもの
// #endregion cassettes
