import { mkdir, mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { VizPrompt } from '@vizprompt/core';
import { MemoryStore } from '@vizprompt/memory';
import { inMemoryStorage } from '@vizprompt/providers/node';
import { scriptedModel } from '@vizprompt/providers/testing';
import { loadRagConfig, NovelService, SegmentBackend, segmenterAnalyzer } from '@vizprompt/rag';
import { ConversationManager } from '@vizprompt/talktable';
import { WorkflowEngine } from '@vizprompt/workflow';
import { describe, expect, it } from 'vitest';

interface Emitter {
  on(name: string, listener: unknown): () => void;
  once?(name: string, listener: unknown): () => void;
}

const TALK = {
  topic: 'cats',
  participants: [
    { name: 'A', model: 'x:y' },
    { name: 'B', model: 'x:y' },
  ],
};

/** The emitters, each with an event that it has, a slip in its name, and the same as an option. */
const EMITTERS: readonly {
  readonly name: string;
  readonly known: string;
  readonly slip: string;
  open(this: void, on?: never): Promise<unknown>;
  readonly isOption?: boolean;
}[] = [
  {
    name: 'VizPrompt',
    known: 'node:created',
    slip: 'node:create',
    open: async (on) => VizPrompt.open({ storage: await inMemoryStorage(), on }),
    isOption: true,
  },
  {
    name: 'MemoryStore',
    known: 'event:logged',
    slip: 'event:log',
    open: async () => MemoryStore.open({ storage: await inMemoryStorage() }),
  },
  {
    name: 'NovelService',
    known: 'file:indexed',
    slip: 'file:index',
    open: async (on) => {
      const cwd = await mkdtemp(join(tmpdir(), 'n-'));
      await mkdir(join(cwd, 'novels'));
      const config = await loadRagConfig({ cwd, env: {} });
      const { events } = await NovelService.open({ config, analyzer: segmenterAnalyzer(), on });
      return events;
    },
    isOption: true,
  },
  {
    name: 'SegmentBackend',
    known: 'index:merged',
    slip: 'index:merge',
    open: async (on) => {
      const folder = await mkdtemp(join(tmpdir(), 'i-'));
      const { events } = await SegmentBackend.open({ folder, analyzer: segmenterAnalyzer(), on });
      return events;
    },
    isOption: true,
  },
  {
    name: 'WorkflowEngine',
    known: 'step:ended',
    slip: 'step_ended',
    open: async (listeners) =>
      WorkflowEngine.open({ storage: await inMemoryStorage(), files: [], listeners }),
    isOption: true,
  },
  {
    name: 'ConversationManager',
    known: 'turn:ended',
    slip: 'turn-ended',
    open: async () => {
      const registry = { specVersion: 1, model: () => scriptedModel([]) } as never;
      return ConversationManager.open(TALK, {
        storage: await inMemoryStorage(),
        registry,
      });
    },
  },
];

describe.each(EMITTERS)('the events of $name', ({ known, slip, open, isOption = false }) => {
  it('are known by their names, and a slip is answered by the nearest', async () => {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- called as plain JavaScript does
    const emitter = (await open()) as Emitter;
    expect(emitter.on(known, () => undefined)).toBeTypeOf('function');
    const refusal = { code: 'invalid-input', message: expect.stringContaining(`'${known}' meant`) };
    for (const method of ['on', 'once'] as const) {
      if (!(method in emitter)) continue;
      expect(errorOf(() => emitter[method]?.(slip, () => undefined))).toMatchObject(refusal);
      expect(errorOf(() => emitter[method]?.('nothing:like-it', () => undefined))).toMatchObject({
        code: 'invalid-input',
        message: expect.stringContaining(`'${known}'`),
      });
      expect(errorOf(() => emitter[method]?.(known, undefined))).toMatchObject({
        code: 'invalid-input',
        message: `the listener of '${known}': expected a function, got undefined`,
      });
    }
    if (!isOption) return;
    await expect(open({ [slip]: () => undefined } as never)).rejects.toMatchObject(refusal);
  });
});

function errorOf(call: () => unknown): unknown {
  try {
    call();
    return undefined;
  } catch (error) {
    return error;
  }
}
