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

/** As plain JavaScript calls it: with anything. */
type Loose = (...given: unknown[]) => unknown;

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

it.each<
  [
    string,
    (owners: { memory: Record<string, Loose>; project: Record<string, Loose> }) => unknown,
    string,
  ]
>([
  ['a text to chat', (o) => o.project['chat']?.('猫'), "such as { prompt: '…' }"],
  ['a text to createNode', (o) => o.project['createNode']?.('猫'), "such as { prompt: '…' }"],
  ['a text to searchNodes', (o) => o.project['searchNodes']?.('猫'), "such as { text: '…' }"],
  [
    'a query to searchNodes',
    (o) => o.project['searchNodes']?.({ query: '猫' }),
    "is 'text' meant?",
  ],
  [
    'maxTokens of a context',
    (o) => o.project['buildContext']?.({ prompt: 'a', maxTokens: 9 }),
    "is 'budgetTokens' meant?",
  ],
  ['a text to recall', (o) => o.memory['recall']?.('猫'), "such as { query: '…' }"],
  [
    'maxTokens of recall',
    (o) => o.memory['recall']?.({ workspace: '.', maxTokens: 9 }),
    "is 'budgetTokens' meant?",
  ],
  ['topK of search', (o) => o.memory['search']?.('猫', { topK: 3 }), "is 'limit' meant?"],
])('%s is answered with what is right', async (_, call, hint) => {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- plain JavaScript passes anything
  const owners = { memory, project } as never;
  const bound = new Proxy(owners, {
    get: (target, owner) =>
      new Proxy(Reflect.get(target, owner), {
        get: (object, method) => Reflect.get(object, method).bind(object),
      }),
  });
  const refused = await refusal(() => call(bound));
  expect(refused).toContain('invalid-input: ');
  expect(refused).toContain(hint);
});

it('a session in the place of its id is named', async () => {
  const session = await memory.startSession({ workspace: '.' });
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- plain JavaScript passes anything
  const refused = await refusal(() =>
    memory.log(session as never, 'user_message', { content: 'a' }),
  );
  expect(refused).toContain('expected its id, as session.id, got an object');
});
