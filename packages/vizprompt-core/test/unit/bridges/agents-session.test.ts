import {
  Agent,
  type AgentInputItem,
  type AgentOutputItem,
  MemorySession,
  type Model,
  type ModelResponse,
  Runner,
  type Session,
  setTracingDisabled,
  tool,
  Usage,
} from '@openai/agents-core';
import { VizPrompt } from '@vizprompt/core';
import { agentsSession } from '@vizprompt/core/openai-agents';
import { inMemoryStorage, localFileStore } from '@vizprompt/providers/node';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { openProject, storageAt, testProject } from '../../support/open-project.ts';

setTracingDisabled(true);

/** A model that calls a tool when it is asked for the weather, and says otherwise how many items it saw. */
class FakeModel implements Model {
  #calls = 0;

  async getResponse({ input }: Parameters<Model['getResponse']>[0]): Promise<ModelResponse> {
    const call = ++this.#calls;
    const items = typeof input === 'string' ? [] : input;
    const last = items.at(-1);
    const isAsked =
      last !== undefined && 'role' in last && JSON.stringify(last).includes('weather');
    const asked: AgentOutputItem = {
      type: 'function_call',
      callId: `c${call}`,
      id: `f${call}`,
      name: 'weather',
      arguments: '{"city":"東京"}',
      status: 'completed',
    };
    const said: AgentOutputItem = {
      type: 'message',
      role: 'assistant',
      id: `a${call}`,
      status: 'completed',
      content: [{ type: 'output_text', text: `answer ${call} of ${items.length}` }],
    };
    return { usage: new Usage(), output: [isAsked ? asked : said], responseId: `r${call}` };
  }

  getStreamedResponse(): never {
    throw new Error('nothing is streamed');
  }
}

async function lead(session: Session): Promise<unknown[]> {
  const weather = tool({
    name: 'weather',
    description: 'The weather',
    parameters: z.object({ city: z.string() }),
    execute: async ({ city }) => ({ city, degrees: 20 }),
  });
  const agent = new Agent({ name: 'a', model: new FakeModel(), tools: [weather] });
  const runner = new Runner({ tracingDisabled: true });
  const answers: unknown[] = [];
  for (const question of ['hello', 'weather please', 'thanks']) {
    answers.push((await runner.run(agent, question, { session })).finalOutput);
  }
  return answers;
}

const json = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

describe('a session of the OpenAI Agents SDK', () => {
  it('is the same as the one in memory, turn by turn and item by item', async () => {
    const vizprompt = await openProject();
    const own = agentsSession<AgentInputItem>(vizprompt, { id: 's 1' });
    const other = new MemorySession({ sessionId: 's 1' });
    expect(await own.getSessionId()).toBe(await other.getSessionId());
    expect(await own.getItems()).toEqual([]);
    expect(await own.popItem()).toBeUndefined();
    expect(await lead(own)).toEqual(await lead(other));
    for (const limit of [undefined, 0, -1, 1, 1.5, 3, 100]) {
      expect(json(await own.getItems(limit))).toEqual(json(await other.getItems(limit)));
    }
    const [hit] = await vizprompt.searchNodes({ text: 'weather please' });
    expect(hit).toBeDefined();
    for (;;) {
      const [mine, theirs] = [await own.popItem(), await other.popItem()];
      expect(json([mine])).toEqual(json([theirs]));
      if (mine === undefined) break;
    }
    expect((await vizprompt.check()).findings).toEqual([]);
  });

  // Version 0.20 has it, which the matrix runs.
  const apply: unknown = Reflect.get(MemorySession.prototype, 'applyHistoryTransaction');
  it.skipIf(typeof apply !== 'function')(
    'takes the transactions that the one in memory takes',
    async () => {
      const own = agentsSession<AgentInputItem>(await openProject(), { id: 's' });
      const other = new MemorySession({ sessionId: 's' });
      const transact = (session: object, args: object): Promise<string> =>
        Promise.resolve(Reflect.get(session, 'applyHistoryTransaction').call(session, args)).then(
          () => 'applied',
          () => 'refused',
        );
      const [a, b, c] = ['a', 'b', 'c'].map((content) => ({ role: 'user', content }));
      const replace = (expectedSuffix: unknown, replacement: unknown): object => ({
        type: 'replace_suffix',
        expectedSuffix,
        replacement,
      });
      const append = { type: 'append_items', items: [a, b] };
      const outcomes: string[] = [];
      for (const [operationId, transaction] of [
        ['1', append],
        ['1', append],
        ['1', { ...append, items: [a] }],
        ['2', replace([c], [])],
        ['2', replace([b], [c, c])],
        ['3', replace([a, c, c], [])],
        ['3', replace([a, c, c], [])],
        ['1', append],
        ['4', replace([], [b])],
        ['5', replace([a, b], [])],
      ] as const) {
        const args = { operationId, transaction };
        const [mine, theirs] = [await transact(own, args), await transact(other, args)];
        expect(mine).toBe(theirs);
        expect(json(await own.getItems())).toEqual(json(await other.getItems()));
        outcomes.push(mine);
      }
      expect(outcomes.filter((outcome) => outcome === 'refused')).toHaveLength(3);
    },
  );

  it('continues after a restart, and keeps what was cleared as a branch', async () => {
    const project = await testProject();
    const items: AgentInputItem[] = [
      { role: 'user', content: '一つ目' },
      { role: 'system', content: 'be brief' },
      {
        type: 'reasoning',
        content: [{ type: 'input_text', text: 'hm' }],
        providerData: { x: [1] },
      },
    ];
    await agentsSession<AgentInputItem>(project.vizprompt, { id: 's', owner: 'ann' }).addItems(
      items,
    );
    const again = await project.reopen();
    const session = agentsSession<AgentInputItem>(again, { id: 's' });
    expect(await session.getItems()).toEqual(items);
    await session.clearSession();
    expect(await session.getItems()).toEqual([]);
    await session.addItems([{ role: 'user', content: 'anew' }]);
    expect(await session.getItems()).toEqual([{ role: 'user', content: 'anew' }]);
    const [flow] = await again.listFlows({ owner: 'ann' });
    const { messages } = await again.readThread({ id: flow?.id ?? '' });
    expect(messages).toHaveLength(4);
    expect(messages.filter(({ parentId }) => parentId === null)).toHaveLength(2);
  });

  it('is not changed by what a caller does with its items, under any id', async () => {
    const vizprompt = await openProject();
    for (const id of ['', ' ', '猫']) {
      const session = agentsSession<AgentInputItem>(vizprompt, { id });
      await session.addItems([{ role: 'user', content: 'kept', providerData: { n: 1 } }]);
      const [item] = await session.getItems();
      Object.assign(item ?? {}, { content: 'changed' });
      Object.assign(item?.providerData ?? {}, { n: 2 });
      expect(await session.getItems()).toEqual([
        { role: 'user', content: 'kept', providerData: { n: 1 } },
      ]);
    }
    expect(await vizprompt.listFlows()).toHaveLength(3);
  });

  it('has one flow, however many begin it at once', async () => {
    const { vizprompt, folder } = await testProject();
    await using storage = await storageAt(folder);
    await using other = await VizPrompt.open({ storage });
    const add = (project: VizPrompt, content: string): Promise<void> =>
      agentsSession<AgentInputItem>(project, { id: 's' }).addItems([{ role: 'user', content }]);
    await Promise.all([add(vizprompt, 'a'), add(other, 'b'), add(vizprompt, 'c')]);
    expect(await vizprompt.listFlows()).toHaveLength(1);
    expect(await agentsSession(vizprompt, { id: 's' }).getItems()).toHaveLength(3);
  });

  it('continues after an item of a process that died before it indexed it', async () => {
    const { vizprompt, folder } = await testProject();
    const item = (content: string): AgentInputItem => ({ role: 'user', content });
    await agentsSession<AgentInputItem>(vizprompt, { id: 's' }).addItems([item('a')]);
    await using rest = await inMemoryStorage();
    // Only the files are shared, as if the index had never received the next item.
    await using other = await VizPrompt.open({
      storage: { ...rest, files: await localFileStore(folder) },
    });
    await agentsSession<AgentInputItem>(vizprompt, { id: 's' }).addItems([item('b')]);
    const session = agentsSession<AgentInputItem>(other, { id: 's' });
    await session.addItems([item('c')]);
    expect(await session.getItems()).toEqual([item('a'), item('b'), item('c')]);
  });
});
