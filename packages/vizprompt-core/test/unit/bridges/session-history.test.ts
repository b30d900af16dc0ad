// Changes of a session that newer versions of the OpenAI Agents SDK ask for, against a list in memory.
import fc from 'fast-check';
import { VizPrompt, VizPromptError } from '@vizprompt/core';
import {
  agentsSession,
  type AgentsSession,
  type HistoryTransaction,
} from '@vizprompt/core/openai-agents';
import { describe, expect, it } from 'vitest';
import { openProject, randomRuns, storageAt, testProject } from '../../support/open-project.ts';

interface Item {
  readonly type: 'message' | 'function_call';
  readonly callId?: string;
  readonly content: string;
}

const said = (content: string): Item => ({ type: 'message', content });
const called = (callId: string, content: string): Item => ({
  type: 'function_call',
  callId,
  content,
});

/** Returns an argument that plain JavaScript can pass. */
// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- plain JavaScript
const wrong = (value: unknown): never => value as never;

const item = fc.oneof(
  fc.string({ maxLength: 5, unit: 'binary' }).map(said),
  fc
    .tuple(fc.constantFrom('c1', 'c2'), fc.string({ maxLength: 3 }))
    .map(([id, text]) => called(id, text)),
);
const items = fc.array(item, { maxLength: 3 });
const step = fc.oneof(
  { weight: 3, arbitrary: fc.record({ type: fc.constant('add' as const), items }) },
  fc.record({ type: fc.constantFrom('pop' as const, 'clear' as const) }),
  fc.record({
    type: fc.constant('mutate' as const),
    callId: fc.constantFrom('c1', 'c2', 'c3'),
    item,
  }),
  {
    weight: 4,
    arbitrary: fc.record({
      type: fc.constant('transact' as const),
      operationId: fc.constantFrom('o1', 'o2', 'o3', 'o4', 'o5'),
      /** How many of the last items are replaced; none: items are appended. */
      last: fc.option(fc.nat(3), { nil: undefined }),
      isWrong: fc.integer({ min: 0, max: 4 }).map((value) => value === 0),
      items,
    }),
  },
);
type Step = typeof step extends fc.Arbitrary<infer Each> ? Each : never;

/** The same session as a list. */
class Model {
  items: readonly Item[] = [];
  readonly #applied = new Map<string, string>();

  transact(operationId: string, transaction: HistoryTransaction<Item>): boolean {
    const known = this.#applied.get(operationId);
    if (known !== undefined) return known === JSON.stringify(transaction);
    if (transaction.type === 'append_items') {
      this.items = [...this.items, ...transaction.items];
    } else {
      const { expectedSuffix, replacement } = transaction;
      const at = this.items.length - expectedSuffix.length;
      if (at < 0 || JSON.stringify(this.items.slice(at)) !== JSON.stringify(expectedSuffix))
        return false;
      this.items = [...this.items.slice(0, at), ...replacement];
    }
    this.#applied.set(operationId, JSON.stringify(transaction));
    return true;
  }

  mutate(callId: string, replacement: Item): void {
    const isCall = (each: Item): boolean => each.type === 'function_call' && each.callId === callId;
    const first = this.items.findIndex(isCall);
    this.items = this.items.flatMap((each, at) =>
      at === first ? [replacement] : isCall(each) ? [] : [each],
    );
  }
}

/** Takes a step in both, and returns what each says. */
async function take(
  given: Step,
  session: AgentsSession<Item>,
  model: Model,
): Promise<readonly [unknown, unknown]> {
  switch (given.type) {
    case 'add':
      model.items = [...model.items, ...given.items];
      return [await session.addItems(given.items), undefined];
    case 'pop': {
      const last = model.items.at(-1);
      model.items = model.items.slice(0, -1);
      return [await session.popItem(), last];
    }
    case 'clear':
      model.items = [];
      return [await session.clearSession(), undefined];
    case 'mutate': {
      const { callId, item: replacement } = given;
      model.mutate(callId, replacement);
      const mutations = [{ type: 'replace_function_call', callId, replacement }] as const;
      return [await session.applyHistoryMutations({ mutations }), undefined];
    }
    default: {
      const { operationId, last, isWrong, items: added } = given;
      const suffix = last === undefined || last === 0 ? [] : model.items.slice(-last);
      const expectedSuffix = isWrong ? [...suffix, said('other')] : suffix;
      const transaction: HistoryTransaction<Item> =
        last === undefined
          ? { type: 'append_items', items: added }
          : { type: 'replace_suffix', expectedSuffix, replacement: added };
      const isApplied = model.transact(operationId, transaction);
      const done = session.applyHistoryTransaction({ operationId, transaction });
      const outcome = await done.then(
        () => 'applied',
        (error: unknown) => (VizPromptError.isInstance(error) ? error.code : error),
      );
      return [outcome, isApplied ? 'applied' : 'conflict'];
    }
  }
}

describe('the history of a session', () => {
  it('changes as a list does, whatever is added, popped, cleared, replaced and tried again', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
        const vizprompt = await openProject();
        const session = agentsSession<Item>(vizprompt, { id: 's' });
        const model = new Model();
        for (const each of steps) {
          const [actual, expected] = await take(each, session, model);
          expect(actual).toEqual(expected);
          expect(await session.getItems()).toEqual(model.items);
        }
        expect((await vizprompt.check()).findings).toEqual([]);
      }),
      { numRuns: randomRuns(40) },
    );
  });

  it('takes a transaction once, from any process and after a restart', async () => {
    const { vizprompt, folder, reopen } = await testProject();
    await using storage = await storageAt(folder);
    await using other = await VizPrompt.open({ storage });
    const transaction = { type: 'append_items', items: [said('猫'), said('犬')] } as const;
    const apply = (project: VizPrompt): Promise<void> =>
      agentsSession<Item>(project, { id: 's' }).applyHistoryTransaction({
        operationId: 'run 1',
        transaction,
      });
    await Promise.all([apply(vizprompt), apply(other), apply(vizprompt), apply(other)]);
    await other.close();
    const again = await reopen();
    await apply(again);
    expect(await agentsSession<Item>(again, { id: 's' }).getItems()).toEqual(transaction.items);
  });

  it('is stored once where a mutation comes again', async () => {
    const vizprompt = await openProject();
    const session = agentsSession<object>(vizprompt, { id: 's' });
    await session.addItems([said('a'), called('c1', 'pay'), said('b')]);
    const count = async (): Promise<number> => {
      const [flow] = await vizprompt.listFlows();
      return (await vizprompt.readThread({ id: flow?.id ?? '' })).messages.length;
    };
    const replace = (replacement: object): Promise<void> =>
      session.applyHistoryMutations({
        mutations: [{ type: 'replace_function_call', callId: 'c1', replacement }],
      });
    await replace(called('c1', 'wait'));
    expect(await count()).toBe(5);
    await replace(called('c1', 'wait'));
    // The same item in another order, with a member that JSON leaves out.
    await replace({ name: undefined, content: 'wait', callId: 'c1', type: 'function_call' });
    expect(await count()).toBe(5);
    expect(await session.getItems()).toEqual([said('a'), called('c1', 'wait'), said('b')]);
  });

  it('refuses wrong arguments with a code', async () => {
    const vizprompt = await openProject();
    const session = agentsSession<Item>(vizprompt, { id: 's' });
    const type = 'replace_function_call';
    const mutations: readonly unknown[] = [
      undefined,
      null,
      5,
      {},
      { mutations: undefined },
      { mutations: 5 },
      { mutations: [5] },
      { mutations: [{}] },
      { mutations: [{ type, callId: 'c' }] },
    ];
    const transactions: readonly unknown[] = [
      undefined,
      null,
      5,
      {},
      { operationId: 'o' },
      { operationId: 'o', transaction: 5 },
      { operationId: 'o', transaction: {} },
      { operationId: 'o', transaction: { type: 'append_items' } },
      { operationId: 'o', transaction: { type: 'append_items', items: [5] } },
      { operationId: 'o', transaction: { type: 'replace_suffix', replacement: [] } },
      { transaction: { type: 'append_items', items: [] } },
    ];
    const calls = [
      ...mutations.map((args) => session.applyHistoryMutations(wrong(args))),
      ...transactions.map((args) => session.applyHistoryTransaction(wrong(args))),
      ...[undefined, 5, [5]].map((given) => session.addItems(wrong(given))),
    ];
    for (const call of calls) {
      await expect(call).rejects.toMatchObject({ name: 'VizPromptError', code: 'invalid-input' });
    }
    expect(await vizprompt.listFlows()).toEqual([]);
  });

  it('keeps what was replaced as a branch, and refuses what is no transaction', async () => {
    const vizprompt = await openProject();
    const session = agentsSession<Item>(vizprompt, { id: 's' });
    await session.addItems([said('a'), said('b')]);
    const transaction = {
      type: 'replace_suffix',
      expectedSuffix: [said('b')],
      replacement: [said('c')],
    } as const;
    await session.applyHistoryTransaction({ operationId: 'o', transaction });
    const [flow] = await vizprompt.listFlows();
    const { messages } = await vizprompt.readThread({ id: flow?.id ?? '' });
    expect(messages).toHaveLength(3);
    for (const operationId of ['', ' ']) {
      await expect(
        session.applyHistoryTransaction({ operationId, transaction }),
      ).rejects.toMatchObject({ code: 'invalid-input' });
    }
    expect(await session.getItems()).toEqual([said('a'), said('c')]);
  });
});
