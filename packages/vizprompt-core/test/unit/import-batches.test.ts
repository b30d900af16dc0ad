import { VizPrompt } from '@vizprompt/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { inMemoryStorage } from '@vizprompt/providers/node';
import { openProject, randomRuns, record } from '../support/open-project.ts';

interface Message {
  readonly role: string;
  readonly content: string;
}

/** A conversation as ChatGPT exports it, in a row. */
function conversation(id: string, turns: number, size = 1): object {
  const mapping: Record<string, object> = {};
  for (let at = 0; at < 2 * turns; at++) {
    const name = `${id}-${at}`;
    mapping[name] = {
      id: name,
      parent: at === 0 ? null : `${id}-${at - 1}`,
      children: at === 2 * turns - 1 ? [] : [`${id}-${at + 1}`],
      message: {
        id: name,
        author: { role: at % 2 === 0 ? 'user' : 'assistant' },
        content: { content_type: 'text', parts: [`${name} 猫`.repeat(size)] },
      },
    };
  }
  return { conversation_id: id, title: id, create_time: 1_700_000_000, mapping };
}

/** Messages without an id: the conversation is called by its content, and one that is longer continues it. */
function messages(turns: number): { readonly messages: readonly Message[] } {
  return {
    messages: Array.from({ length: 2 * turns }, (_, at) => ({
      role: at % 2 === 0 ? 'user' : 'assistant',
      content: `turn ${at}`,
    })),
  };
}

const entry = fc.oneof(
  fc
    .tuple(fc.constantFrom('a', 'b', 'c', 'd'), fc.integer({ min: 1, max: 5 }))
    .map(([id, turns]) => {
      return conversation(id, turns);
    }),
  fc.integer({ min: 1, max: 4 }).map(messages),
  fc.constant({ nothing: true }),
);

describe('conversations of one source', () => {
  it('become what they become one after the other', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(entry, { minLength: 1, maxLength: 8 }), async (entries) => {
        const isAny = entries.some((one) => !('nothing' in one));
        fc.pre(isAny);
        await using first = await inMemoryStorage();
        await using second = await inMemoryStorage();
        await using together = await VizPrompt.open({ storage: first });
        await using alone = await VizPrompt.open({ storage: second });
        const report = await together.importConversations(entries);
        const flows = [];
        let created = 0;
        for (const one of entries) {
          if ('nothing' in one) continue;
          const single = await alone.importConversations([one]);
          flows.push(...single.flows);
          created += single.nodes.created;
        }
        expect(report.flows).toEqual(flows);
        expect(report.nodes.created).toBe(created);
        expect(report.skipped).toHaveLength(entries.filter((one) => 'nothing' in one).length);
        expect(await contentOf(together)).toEqual(await contentOf(alone));
        expect(await together.problems()).toEqual([]);
      }),
      { numRuns: randomRuns(8) },
    );
  });

  it('are imported without those that are too large, which are named', async () => {
    const vizprompt = await openProject({ limits: { nodeBytes: 4000 } });
    const report = await vizprompt.importConversations([
      conversation('a', 2),
      conversation('large', 1, 1000),
      conversation('b', 300),
      conversation('c', 1),
    ]);
    expect(report.flows.map(({ name }) => name)).toEqual(['a', 'b', 'c']);
    expect(report.skipped).toEqual([
      { entry: 'entry 2', reason: expect.stringContaining('expected at most 4000') },
    ]);
    expect(report.nodes.created).toBe(303);
  });

  it.each([
    ['a batch that cannot be written', 3, Infinity, undefined, 'full 3', 2],
    ['one that could not once', 3, 3, undefined, 'full 3', 2],
    ['an abort', 4, Infinity, 'ended', 'ended', 3],
  ])('end with %s, and with its error', async (_, from, to, reason, message, flows) => {
    await using storage = await inMemoryStorage();
    let batch = 0;
    const writeMany: typeof storage.files.writeMany = async (changes) => {
      batch++;
      if (batch >= from && batch <= to) throw new Error(`full ${batch}`);
      return storage.files.writeMany(changes);
    };
    await using vizprompt = await VizPrompt.open({ storage });
    await using failing = await VizPrompt.open({
      storage: { ...storage, files: { ...storage.files, writeMany } },
    });
    const end = new AbortController();
    const last = {
      ...conversation('last', 1),
      get mapping() {
        end.abort(new Error(reason));
        return {};
      },
    };
    const all = Array.from({ length: 8 }, (_each, at) => conversation(`c${at}`, 256));
    const entries = reason === undefined ? all : [...all.slice(0, 3), conversation('c3', 1), last];
    await expect(failing.importConversations(entries, { signal: end.signal })).rejects.toThrow(
      message,
    );
    await vizprompt.refresh();
    const names = (await vizprompt.listFlows()).map(({ name }) => name);
    expect(names.toSorted()).toEqual(['c0', 'c1', 'c2'].slice(0, flows));
    batch = -Infinity;
    await failing.importConversations(all);
    expect(await failing.listFlows()).toHaveLength(8);
  });

  it('are written while the next ones are read', async () => {
    await using storage = await inMemoryStorage();
    let tell = (): void => {};
    const isRead = new Promise<void>((resolve) => void (tell = resolve));
    const writeMany: typeof storage.files.writeMany = async (changes) => {
      await isRead;
      return storage.files.writeMany(changes);
    };
    await using vizprompt = await VizPrompt.open({
      storage: { ...storage, files: { ...storage.files, writeMany } },
    });
    const next = conversation('next', 1);
    const { created } = (
      await vizprompt.importConversations([
        conversation('first', 256),
        {
          ...next,
          get mapping() {
            tell();
            return 'mapping' in next ? next.mapping : {};
          },
        },
      ])
    ).nodes;
    expect(created).toBe(257);
  });

  it('stay as far as they were read when the import is left, and are reported in order', async () => {
    const { heard, on } = record();
    const vizprompt = await openProject({ on });
    const controller = new AbortController();
    vizprompt.on('import:skipped', () => controller.abort(new Error('enough')));
    const entries = [
      conversation('a', 1),
      conversation('b', 1),
      { nothing: true },
      conversation('c', 1),
    ];
    const { signal } = controller;
    await expect(vizprompt.importConversations(entries, { signal })).rejects.toThrow('enough');
    expect((await vizprompt.listFlows()).map(({ name }) => name)).toEqual(['a', 'b']);
    const progress = heard.filter(([name]) => name === 'import:progress');
    expect(progress.map(([, payload]) => payload)).toEqual([
      { done: 1, nodes: 1 },
      { done: 2, nodes: 2 },
      { done: 3, nodes: 2 },
    ]);
  });

  it('stay as far as they were read when too many are left out', async () => {
    const vizprompt = await openProject({ limits: { skippedEntries: 1 } });
    const many = { messages: 'none', nothing: true };
    const entries = [conversation('a', 1), conversation('b', 1), many, many];
    await expect(vizprompt.importConversations(entries)).rejects.toMatchObject({
      code: 'import-unreadable',
    });
    expect((await vizprompt.listFlows()).map(({ name }) => name)).toEqual(['a', 'b']);
  });
});

async function contentOf(vizprompt: VizPrompt): Promise<unknown> {
  const flows = [];
  for (const { id } of await vizprompt.listFlows()) {
    const json: unknown = JSON.parse(await vizprompt.exportFlow(id, { format: 'json' }));
    flows.push(JSON.stringify(json).replaceAll(/"(?:created|updated)":"[^"]*"/g, ''));
  }
  return flows;
}
