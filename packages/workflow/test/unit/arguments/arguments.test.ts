import { inMemoryStorage } from '@vizprompt/providers/node';
import { scriptedModel } from '@vizprompt/providers/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as workflow from '../../../src/index.ts';
import * as evaluation from '../../../src/evaluation/index.ts';
import * as http from '../../../src/http/index.ts';
import * as testing from '../../../src/testing/index.ts';

/** As plain JavaScript calls them: with anything. */
type Loose = (...given: unknown[]) => unknown;
const loose = (owner: object, name: string): Loose => {
  const found: unknown = Reflect.get(owner, name);
  if (typeof found !== 'function') throw new TypeError(`there is no ${name}`);
  return (...given) => Reflect.apply(found, owner, given);
};
const { WorkflowEngine, WorkflowError } = workflow;
const open = loose(WorkflowEngine, 'open');
const lint = loose(workflow, 'lint');
const dryRun = loose(workflow, 'dryRun');
const toMermaid = loose(workflow, 'toMermaid');
const define = loose(workflow, 'defineWorkflow');
const test = loose(testing, 'testWorkflow');

const files = { workflows: { 話: { steps: [{ id: 'a', type: 'sleep' as const, duration: 1 }] } } };

async function refusal(call: () => unknown): Promise<string> {
  try {
    await call();
  } catch (error) {
    if (WorkflowError.isInstance(error)) return `${error.code}: ${error.message}`;
    throw error;
  }
  return 'nothing was refused';
}

describe('arguments of plain JavaScript', () => {
  it.each<[string, unknown, string]>([
    ['nothing', undefined, 'the options of WorkflowEngine.open: expected an object, got undefined'],
    ['a path alone', 'flows.yaml', 'the options of WorkflowEngine.open: expected an object'],
    ['no files', {}, "the option 'files' of WorkflowEngine.open: expected a path"],
    ['a list of numbers', { files: [1] }, 'got an array'],
    [
      'a mistyped storage',
      { files, storrage: {} },
      "has no option 'storrage': is 'storage' meant?",
    ],
    [
      'a folder as storage',
      { files, storage: './data' },
      'await openStorage(folder), got "./data"',
    ],
    ['a promise', { files, storage: inMemoryStorage() }, 'got a promise: await it'],
    [
      'one model',
      { files, models: scriptedModel([]) },
      'a registry, such as createModelRegistry()',
    ],
    [
      'a name as model',
      { files, models: { big: 'ollama:a' } },
      "'big' of models: expected a ChatModel",
    ],
    [
      'no function',
      { files, functions: { 足す: 1 } },
      "'足す' of functions: expected a function, got 1",
    ],
    [
      'tools by name',
      { files, tools: { add: 1 } },
      "'tools' of WorkflowEngine.open: expected an array of tools",
    ],
    [
      'activities by name',
      { files, activities: {} },
      "'activities' of WorkflowEngine.open: expected",
    ],
    ['no retriever', { files, retrievers: { a: {} } }, "'a' of retrievers: expected a Retriever"],
    ['no recorder', { files, recorders: [1] }, 'expected an array of recorders'],
    ['no layer', { files, middleware: [1] }, 'expected an array of layers, or a function'],
    ['no calls at a time', { files, concurrency: { total: 0 } }, 'expected a whole number from 1'],
    ['a price alone', { files, prices: { m: 1 } }, "'m' of prices: expected an object, got 1"],
    [
      'half a price',
      { files, prices: { m: { inputPerMillion: 1 } } },
      'a number from 0, got undef',
    ],
    ['no activity', { files, activities: [{ name: 'x' }] }, 'got one that holds something else'],
    ['mistyped total', { files, concurrency: { totl: 1 } }, "is 'total' meant?"],
    ['a text', { files, concurrency: { providers: { ollama: '2' } } }, "'ollama' of concurrency"],
    ['no age', { files, retention: { maxAge: '30 days' } }, "'30 days' is no length of time"],
    ['less than none', { files, retention: { keepLast: -1 } }, "'keepLast' of 'retention'"],
  ])('open refuses %s', async (_what, options, message) => {
    const refused = await refusal(async () => open(options));
    expect(refused).toContain(message);
    expect(refused).toContain('invalid-input: ');
  });

  it.each<[string, () => unknown, string]>([
    ['lint of nothing', () => lint(), 'the files: expected a path'],
    ['a language', () => lint(files, { language: 'jp' }), "expected 'en' or 'ja', got \"jp\""],
    ['an option of lint', () => lint(files, { lang: 'ja' }), "lint has no option 'lang'"],
    ['dryRun of a path', () => dryRun('flows.yaml', '話', 1), 'the options of dryRun: expected'],
    ['prices', () => dryRun({ files }, '話', 1, { price: {} }), "is 'prices' meant?"],
    ['a diagram of a name', () => toMermaid('話'), 'the workflow: expected the definition of one'],
    ['a direction', () => toMermaid(files.workflows.話, { direction: 'XX' }), "'TD' or 'LR'"],
    ['no run', () => toMermaid(files.workflows.話, { run: 5 }), 'the events of a run'],
    ['no workflow', () => define(), 'the workflow: expected an object'],
    [
      'no name',
      () => define({ steps: [] }),
      "the option 'name' of defineWorkflow: expected a string",
    ],
    ['a test of nothing', () => test(files), 'the options of testWorkflow: expected an object'],
    ['answers', () => test(files, { input: 1, answer: {} }), "is 'answers' meant?"],
    ['a mode', () => test(files, { input: 1, cassettes: { store: 'c', mode: 'rec' } }), "'record'"],
    ['half a price', () => dryRun({ files }, '話', 1, { prices: { m: {} } }), 'a number from 0'],
    ['no input', () => dryRun({ files }, '話', undefined), 'the input is no JSON'],
    [
      'no code',
      () => test(files, { input: 1, simulate: { failures: [{ code: 'ratelimit' }] } }),
      "expected 'aborted' or",
    ],
    ['a latency', () => test(files, { input: 1, simulate: { latency: 1 } }), "'latencyMs' meant?"],
    ['people', () => test(files, { input: 1, people: { ask: true } }), "'ask' of people: expected"],
  ])('refuses %s', async (_what, call, message) => {
    const refused = await refusal(call);
    expect(refused).toContain(message);
    expect(refused).toContain('invalid-input: ');
  });
});

describe('arguments of an engine', () => {
  let engine: workflow.WorkflowEngine;
  beforeAll(async () => (engine = await WorkflowEngine.open({ files })));
  afterAll(async () => engine.close());

  it.each<[string, string, unknown[], string]>([
    ['no workflow', 'start', [], 'the workflow: expected its name, or what defineWorkflow() made'],
    ['a mistyped key', 'start', ['話', 1, { promptset: 'x' }], "is 'promptSet' meant?"],
    ['a number as budget', 'start', ['話', 1, { budget: 100 }], 'such as createBudget({ tokens })'],
    ['limits as budget', 'start', ['話', 1, { budget: { tokens: 1 } }], 'createBudget'],
    ['no signal', 'start', ['話', 1, { signal: 5 }], 'expected an AbortSignal, got 5'],
    ['NaN', 'start', ['話', Number.NaN], 'NaN is no number that JSON has'],
    ['a map within', 'start', ['話', { a: [new Map()] }], "a Map at '0' has no JSON"],
    ['no run', 'resume', [], 'the id of a run: expected a string, got undefined'],
    ['an option of resume', 'resume', ['r', { sginal: 1 }], "is 'signal' meant?"],
    ['changes', 'fork', ['r', 'a#1', { prompt: {} }], "is 'prompts' meant?"],
    ['an option of fork', 'fork', ['r', 'a#1', {}, { runid: 'x' }], "is 'runId' meant?"],
    ['a status', 'runs', [{ status: 'runing' }], "expected 'running' or 'waiting'"],
    ['a text as query', 'runs', ['running'], 'the options of runs: expected an object'],
    ['an option of answer', 'answer', ['r', 1, { pth: 'x' }], "is 'path' meant?"],
    ['an option of toMermaid', 'toMermaid', ['話', { runn: 'x' }], "is 'run' meant?"],
  ])('%s', async (_what, method, given, message) => {
    const refused = await refusal(async () => loose(engine, method)(...given));
    expect(refused).toContain(message);
    expect(refused).toContain('invalid-input: ');
  });

  it('names the workflow that may be meant', async () => {
    const refused = await refusal(async () => engine.start('話話', 1));
    expect(refused).toContain("not-found: there is no workflow '話話'");
  });

  it('names the function that a step needs before anything is paid for', async () => {
    const step = { id: 'sum', type: 'function' as const, function: '足し算' };
    const needy = await WorkflowEngine.open({
      files: { workflows: { 計算: { steps: [step] } } },
      functions: { 足し算す: () => 1 },
    });
    expect(await refusal(async () => needy.start('計算', 1))).toBe(
      "not-found: the step 'sum' of '計算' needs the function '足し算', which the engine does not have: is '足し算す' meant? its functions are 足し算す",
    );
    await needy.close();
  });

  it('says which file is not there', async () => {
    expect(await refusal(async () => WorkflowEngine.open({ files: '無い.yaml' }))).toContain(
      'definition-invalid: 無い.yaml: it cannot be read: there is no such file',
    );
  });

  it('takes inputs whose classes say what their JSON is', async () => {
    const at = loose(engine, 'start')('話', { at: new Date(0), left: undefined });
    expect(await at).toBeInstanceOf(workflow.WorkflowRun);
  });
});

describe('what HTTP serves', () => {
  it('is an engine, and a handler', async () => {
    const handler = loose(http, 'createWorkflowHandler');
    expect(await refusal(() => handler())).toContain(
      'the engine of createWorkflowHandler: expected an engine: await WorkflowEngine.open({ files })',
    );
    const listener = loose(http, 'toNodeListener');
    expect(await refusal(() => listener())).toContain(
      'the handler of toNodeListener: expected a function, got undefined',
    );
  });

  it('and a file of cases that is missing says so once', async () => {
    const evaluate = loose(evaluation, 'evaluateWorkflow');
    const judges = { contains: evaluation.contains };
    const call = (): unknown =>
      evaluate({ files, workflow: '話', dataset: './none.jsonl', judges });
    expect(await refusal(call)).toBe(
      'invalid-input: ./none.jsonl cannot be read: there is no such file',
    );
  });
});
