import { inspect } from 'node:util';
import { FlowGraph, VizPrompt } from '@vizprompt/core';
import { MemoryStore } from '@vizprompt/memory';
import { CodedError } from '@vizprompt/providers';
import { anthropic } from '@vizprompt/providers/anthropic';
import { gemini, geminiEmbeddings } from '@vizprompt/providers/gemini';
import { generateObject, runTools } from '@vizprompt/providers/generate';
import { budget, compose, createBudget, rateLimit, retry } from '@vizprompt/providers/middleware';
import { inMemoryStorage, openStorage } from '@vizprompt/providers/node';
import { ollama, ollamaEmbeddings } from '@vizprompt/providers/ollama';
import { openai, openaiEmbeddings, openaiResponses } from '@vizprompt/providers/openai';
import { scriptedModel } from '@vizprompt/providers/testing';
import {
  HybridBackend,
  KeywordFlexBackend,
  NovelService,
  SegmentBackend,
  SqlBackend,
  SqliteFtsBackend,
  VectorBackend,
} from '@vizprompt/rag';
import { ConversationManager } from '@vizprompt/talktable';
import { WorkflowEngine } from '@vizprompt/workflow';
import { afterAll, beforeAll, expect, it } from 'vitest';

let memory: MemoryStore;
let project: VizPrompt;
beforeAll(async () => {
  memory = await MemoryStore.open({ path: ':memory:' });
  project = await VizPrompt.open({ storage: await inMemoryStorage() });
});
afterAll(async () => {
  await memory.close();
  await project.close();
});

async function refusal(call: () => unknown): Promise<string> {
  try {
    await call();
  } catch (error) {
    if (error instanceof CodedError) return `${error.code}: ${error.message}`;
    throw error;
  }
  return 'nothing was refused';
}

it.each([
  VizPrompt,
  MemoryStore,
  NovelService,
  SegmentBackend,
  HybridBackend,
  VectorBackend,
  KeywordFlexBackend,
  SqlBackend,
  SqliteFtsBackend,
  ConversationManager,
  WorkflowEngine,
])('%o is opened, not constructed', async (type) => {
  for (const given of [
    [],
    [{}],
    ['folder'],
    [{ path: 'a', folder: 'a', database: {} }, {}, {}, {}],
  ]) {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- plain JavaScript knows no private constructors
    const refused = await refusal(() => Reflect.construct(type as never, given));
    expect(refused).toBe(
      `invalid-input: ${type.name} has no public constructor: call 'await ${refused.split("'await ")[1]}`,
    );
    expect(refused).toContain(`await ${type.name}.open(`);
  }
});

it('classes print the names by which they are imported', () => {
  expect(inspect(memory)).toMatch(/^MemoryStore /);
  expect(inspect(project)).toMatch(/^VizPrompt /);
  for (const type of [NovelService, SegmentBackend, ConversationManager, WorkflowEngine]) {
    expect(type.name).not.toMatch(/^_/);
  }
});

it.each<[what: string, owner: () => object, method: string, given: unknown[], hint: string]>([
  ['a text to chat', () => project, 'chat', ['猫'], "such as { prompt: '…' }"],
  ['a text to createNode', () => project, 'createNode', ['猫'], "such as { prompt: '…' }"],
  ['a text to searchNodes', () => project, 'searchNodes', ['猫'], "such as { text: '…' }"],
  ['a query to searchNodes', () => project, 'searchNodes', [{ query: '猫' }], "is 'text' meant?"],
  [
    'maxTokens of a context',
    () => project,
    'buildContext',
    [{ prompt: 'a', maxTokens: 9 }],
    "is 'budgetTokens' meant?",
  ],
  ['a text to recall', () => memory, 'recall', ['猫'], "such as { query: '…' }"],
  [
    'maxTokens of recall',
    () => memory,
    'recall',
    [{ workspace: '.', maxTokens: 9 }],
    "is 'budgetTokens' meant?",
  ],
  ['topK of search', () => memory, 'search', ['猫', { topK: 3 }], "is 'limit' meant?"],
  ['a text to startSession', () => memory, 'startSession', ['.'], "such as { workspace: '…' }"],
  ['a date to fileAt', () => memory, 'fileAt', ['a', { time: new Date(0) }], 'toISOString()'],
  ['a node for its id', () => project, 'getNode', [{ id: '1' }], "is its 'id' meant?"],
  ['a format to exportFlow', () => project, 'exportFlow', ['main', 'html'], "{ format: '…' }"],
])('%s is answered with what is right', async (_, owner, method, given, hint) => {
  const call: unknown = Reflect.get(owner(), method);
  if (typeof call !== 'function') throw new TypeError(`there is no ${method}`);
  const refused = await refusal(() => Reflect.apply(call, owner(), given));
  expect(refused).toContain('invalid-input: ');
  expect(refused).toContain(hint);
});

const model = scriptedModel(['Yes.']);
it.each<[what: string, called: unknown, given: unknown[], hint: string]>([
  ...[openai, openaiResponses, openaiEmbeddings, anthropic, gemini, geminiEmbeddings].flatMap(
    (adapter): [string, unknown, unknown[], string][] => [
      [
        `baseUrl of ${adapter.name}`,
        adapter,
        [{ model: 'a', baseUrl: 'b' }],
        "is 'baseURL' meant?",
      ],
      [`a name to ${adapter.name}`, adapter, ['a'], "such as { model: '…' }"],
      [`nothing to ${adapter.name}`, adapter, [], 'expected an object, got undefined'],
    ],
  ),
  ['a name to ollama', ollama, ['qwen3'], "such as { model: '…' }"],
  ['num_ctx of ollama', ollama, [{ model: 'a', num_ctx: 9 }], "has no option 'num_ctx'"],
  [
    'no model of ollamaEmbeddings',
    ollamaEmbeddings,
    [{}],
    "the option 'model' of ollamaEmbeddings",
  ],
  ['maxRetries of retry', retry, [{ maxRetries: 3 }], "has no option 'maxRetries'"],
  ['rpm of rateLimit', rateLimit, [{ rpm: 60 }], "has no option 'rpm'"],
  ['a mistyped limit of createBudget', createBudget, [{ token: 9 }], "is 'tokens' meant?"],
  ['limits instead of a budget', budget, [{ tokens: 9 }], 'such as createBudget({ tokens })'],
  ['a layer that was not called', compose, [model, retry], 'such as retry(), got a function'],
  ['a text as a script', scriptedModel, ['Yes.'], 'expected an array, or a function'],
  ['no options of generateObject', generateObject, [model, 'a'], 'the options of generateObject'],
  ['a name as a schema', generateObject, [model, 'a', { schema: 'b' }], 'or a JSON Schema'],
  ['tools by their names', runTools, [model, 'a', { b: 1 }], 'expected an array of tools'],
  ['no tools', runTools, [model, 'a'], 'expected an array of tools'],
  ['no folder for openStorage', openStorage, [], "such as './data'"],
  ['another name for the folder', openStorage, [{ folder: 'a' }], "such as './data'"],
])('%s is refused before anything is sent', async (_, called, given, hint) => {
  if (typeof called !== 'function') throw new TypeError('it is no function');
  expect(await refusal(() => Reflect.apply(called, undefined, given))).toContain(hint);
});

it('the name of a flow is no graph', async () => {
  const refused = await refusal(() => Reflect.construct(FlowGraph, ['main']));
  expect(refused).toContain('invalid-input: new FlowGraph: expected a flow, such as await');
});

it('a session instead of its id is named', async () => {
  const session = await memory.startSession({ workspace: '.' });
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- plain JavaScript passes anything
  const refused = await refusal(() =>
    memory.log(session as never, 'user_message', { content: 'a' }),
  );
  expect(refused).toContain('expected its id, as session.id, got an object');
});
