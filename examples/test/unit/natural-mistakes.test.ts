import { inspect } from 'node:util';
import { VizPrompt } from '@vizprompt/core';
import { MemoryStore } from '@vizprompt/memory';
import { CodedError } from '@vizprompt/providers';
import { inMemoryStorage } from '@vizprompt/providers/node';
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
])('%s is answered with what is right', async (_, owner, method, given, hint) => {
  const call: unknown = Reflect.get(owner(), method);
  if (typeof call !== 'function') throw new TypeError(`there is no ${method}`);
  const refused = await refusal(() => Reflect.apply(call, owner(), given));
  expect(refused).toContain('invalid-input: ');
  expect(refused).toContain(hint);
});

it('a session instead of its id is named', async () => {
  const session = await memory.startSession({ workspace: '.' });
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- plain JavaScript passes anything
  const refused = await refusal(() =>
    memory.log(session as never, 'user_message', { content: 'a' }),
  );
  expect(refused).toContain('expected its id, as session.id, got an object');
});
