import {
  Annotation,
  Command,
  DeltaChannel,
  END,
  interrupt,
  MemorySaver,
  START,
  StateGraph,
  type BaseCheckpointSaver,
} from '@langchain/langgraph';
import type { Database, Passage, RetrieveOptions } from '@vizprompt/providers';
import { langChainRetriever, langGraphSaver } from '@vizprompt/providers/langgraph';
import fc from 'fast-check';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { onDisk, onPostgres } from '../../support/subjects.ts';

const Log = Annotation.Root({
  log: Annotation<readonly string[]>({
    reducer: (before, after) => [...before, ...after],
    default: () => [],
  }),
});

function asking(checkpointer: BaseCheckpointSaver) {
  return new StateGraph(Log)
    .addNode('a', () => ({ log: ['a'] }))
    .addNode('ask', () => ({ log: [`said ${String(interrupt('ok?'))}`] }))
    .addNode('b', () => ({ log: ['b'] }))
    .addEdge(START, 'a')
    .addEdge('a', 'ask')
    .addEdge('ask', 'b')
    .addEdge('b', END)
    .compile({ checkpointer });
}

/** Returns a step that repeats what it is given, in a channel that stores changes instead of values. */
function repeating(checkpointer: BaseCheckpointSaver) {
  const State = Annotation.Root({
    said: () =>
      new DeltaChannel<readonly string[], readonly string[]>(
        (before, writes) => [...before, ...writes.flat()],
        { initialValueFactory: () => [] },
      ),
    n: Annotation<number>,
  });
  return new StateGraph(State)
    .addNode('count', ({ n }) => ({ n: n + 1, said: [`step ${n}`] }))
    .addEdge(START, 'count')
    .addConditionalEdges('count', ({ n }) => (n % 3 === 0 ? END : 'count'))
    .compile({ checkpointer });
}

describe.each([
  ['SQLite', onDisk],
  ['PostgreSQL', onPostgres],
])('a checkpointer on %s', (_, open) => {
  const config = { configurable: { thread_id: 'スレッド 🐈' } };

  it('continues an interrupted run after a restart, and forks without the values of the other branch', async () => {
    const { storage, reopen, close } = await open();
    onTestFinished(close);
    await asking(await langGraphSaver(storage.database)).invoke({ log: ['start'] }, config);

    const graph = asking(await langGraphSaver((await reopen()).database));
    const said = await graph.invoke(new Command({ resume: 'yes' }), config);
    expect(said.log).toEqual(['start', 'a', 'said yes', 'b']);
    const history = [];
    for await (const state of graph.getStateHistory(config)) history.push(state);
    const before = history.find(({ next }) => next.includes('ask'));
    const fork = await graph.updateState(before?.config ?? config, { log: ['forked'] });
    await graph.invoke(null, fork);
    const other = await graph.invoke(new Command({ resume: 'no' }), config);
    expect(other.log).toEqual(['start', 'a', 'forked', 'said no', 'b']);
    const first = await graph.getState(history[0]?.config ?? config);
    expect(first.values).toEqual(said);
  });

  it('keeps branches of changes apart', async () => {
    const { storage, close } = await open();
    onTestFinished(close);
    const graph = repeating(await langGraphSaver(storage.database));
    const whole = await graph.invoke({ n: 0, said: ['begin'] }, config);
    expect(whole.said).toEqual(['begin', 'step 0', 'step 1', 'step 2']);
    const history = [];
    for await (const state of graph.getStateHistory(config)) history.push(state);
    const second = history.find(({ values }) => values.n === 1);
    const fork = await graph.updateState(second?.config ?? config, { said: ['forked'] }, 'count');
    const forked = await graph.invoke(null, fork);
    expect(forked.said).toEqual(['begin', 'step 0', 'forked', 'step 1', 'step 2']);
    expect((await graph.getState(history[0]?.config ?? config)).values.said).toEqual(whole.said);
  });

  it('gives what MemorySaver gives, whatever is run, asked, forked and deleted', async () => {
    const { storage, close } = await open();
    onTestFinished(close);
    const ours = await langGraphSaver(storage.database);
    await fc.assert(
      fc.asyncProperty(
        fc.uuid(),
        fc.array(fc.tuple(fc.nat(2), fc.nat(20), fc.string({ unit: 'grapheme', maxLength: 8 })), {
          minLength: 1,
          maxLength: 6,
        }),
        async (thread, actions) => {
          const [one, other] = await Promise.all(
            [new MemorySaver(), ours].map((saver) => play(asking(saver), thread, actions)),
          );
          expect(other).toEqual(one);
          await ours.deleteThread(thread);
          expect(await ours.getTuple({ configurable: { thread_id: thread } })).toBeUndefined();
        },
      ),
      { numRuns: 8 * Number(process.env['FUZZ_FACTOR'] ?? 1) },
    );
    expect(await rowsIn(storage.database)).toEqual([0, 0, 0]);
  });

  it('names the checkpoint that is damaged', async () => {
    const { storage, close } = await open();
    onTestFinished(close);
    const saver = await langGraphSaver(storage.database);
    const graph = asking(saver);
    await graph.invoke({ log: ['start'] }, config);
    await storage.database.execute('DELETE FROM langgraph_value WHERE channel = ?', ['log']);
    await expect(saver.getTuple(config)).rejects.toMatchObject({
      code: 'corrupt',
      context: { table: 'langgraph_checkpoint', field: 'places' },
    });
  });

  it('has no checkpoint of a thread that another process deletes while it is read', async () => {
    const { storage, reopen, close } = await open();
    onTestFinished(close);
    const saver = await langGraphSaver(storage.database);
    const other = await langGraphSaver((await reopen()).database);
    const query = storage.database.query.bind(storage.database);
    const deleteBeforeValues: typeof query = async (sql, params) => {
      if (sql.includes('FROM langgraph_value')) await other.deleteThread('スレッド 🐈');
      return query(sql, params);
    };
    for (const read of [() => saver.getTuple(config), () => listOf(saver.list(config))]) {
      await asking(saver).invoke({ log: ['start'] }, config);
      const spy = vi.spyOn(storage.database, 'query').mockImplementation(deleteBeforeValues);
      expect((await read()) ?? []).toEqual([]);
      expect(spy.mock.calls.flat().join()).toContain('FROM langgraph_value');
      spy.mockRestore();
    }
  });

  it('continues a run whose thread was deleted by another saver, and deletes by a number', async () => {
    const { storage, close } = await open();
    onTestFinished(close);
    const [saver, other] = [
      await langGraphSaver(storage.database),
      await langGraphSaver(storage.database),
    ];
    const numbered = { configurable: { thread_id: 42 } };
    const graph = new StateGraph(Log)
      .addNode('a', () => ({ log: ['a'] }))
      .addNode('b', async () => {
        await other.deleteThread('42');
        return { log: ['b'] };
      })
      .addNode('c', () => ({}))
      .addEdge(START, 'a')
      .addEdge('a', 'b')
      .addEdge('b', 'c')
      .addEdge('c', END)
      .compile({ checkpointer: saver });
    await graph.invoke({ log: ['start'] }, { ...numbered, durability: 'sync' });
    expect((await graph.getState(numbered)).values).toEqual({ log: ['start', 'a', 'b'] });
    // A program in JavaScript passes the number that it knows the thread by.
    await Reflect.apply(other.deleteThread, other, [42]);
    expect(await rowsIn(storage.database)).toEqual([0, 0, 0]);
  });

  it('refuses calls without a thread or a checkpoint', async () => {
    const { storage, close } = await open();
    onTestFinished(close);
    const saver = await langGraphSaver(storage.database);
    await expect(
      saver.putWrites({ configurable: { thread_id: 't' } }, [['a', 1]], 'task'),
    ).rejects.toThrow('putWrites: expected config.configurable.checkpoint_id');
  });
});

async function listOf<Value>(values: AsyncIterable<Value>): Promise<readonly Value[]> {
  const all: Value[] = [];
  for await (const value of values) all.push(value);
  return all;
}

/** Runs, answers and forks a graph, and returns the values of all states, the newest first. */
async function play(
  graph: ReturnType<typeof asking>,
  thread: string,
  actions: readonly (readonly [kind: number, at: number, text: string])[],
): Promise<readonly unknown[]> {
  const config = { configurable: { thread_id: thread } };
  const states = async (): Promise<Awaited<ReturnType<typeof graph.getState>>[]> => {
    const found = [];
    for await (const state of graph.getStateHistory(config)) found.push(state);
    return found;
  };
  for (const [kind, at, text] of actions) {
    const all = await states();
    const chosen = all[at % Math.max(1, all.length)]?.config;
    if (kind === 0) await graph.invoke({ log: [text] }, config);
    else if (kind === 1) await graph.invoke(new Command({ resume: text }), config);
    else if (chosen) await graph.updateState(chosen, { log: [text] }, 'a');
  }
  return (await states()).map(({ values, next, metadata, tasks }) => ({
    values,
    next,
    source: metadata?.source,
    tasks: tasks.map(({ name, interrupts }) => [name, interrupts.map(({ value }) => value)]),
  }));
}

async function rowsIn(database: Database): Promise<readonly number[]> {
  const tables = ['langgraph_checkpoint', 'langgraph_value', 'langgraph_write'];
  const counts = await Promise.all(
    tables.map((table) => database.query<{ n: number }>(`SELECT count(*) AS n FROM ${table}`)),
  );
  return counts.map(([row]) => row?.n ?? -1);
}

describe('a retriever of LangChain', () => {
  it('gives passages as documents, with their places', async () => {
    const asked: [string, RetrieveOptions | undefined][] = [];
    const passage: Passage = {
      id: 'p1',
      text: '猫が鳴いた。',
      score: 2,
      title: '第一章',
      source: { kind: 'document', uri: 'novel/01.md', start: 3, end: 4 },
      meta: { novelId: 'n' },
    };
    const retriever = await langChainRetriever(
      {
        specVersion: 1,
        retrieve: async (query, options) => {
          asked.push([query, options]);
          return [passage];
        },
      },
      { limit: 7, filter: { novelId: 'n' } },
    );
    expect(await retriever.invoke('鳴いた理由')).toEqual([
      {
        id: 'p1',
        pageContent: '猫が鳴いた。',
        metadata: {
          novelId: 'n',
          source: 'novel/01.md',
          kind: 'document',
          start: 3,
          end: 4,
          score: 2,
          title: '第一章',
        },
      },
    ]);
    expect(asked).toEqual([['鳴いた理由', { limit: 7, k: 7, filter: { novelId: 'n' } }]]);
  });

  it('stops with the signal of its call, and reports its runs', async () => {
    const signals: (AbortSignal | undefined)[] = [];
    const retriever = await langChainRetriever({
      specVersion: 1,
      async retrieve(query, { signal } = {}) {
        signals.push(signal);
        if (query === 'bad') throw new Error('no index');
        return [];
      },
    });
    const { signal } = new AbortController();
    const reports: string[] = [];
    const callbacks = [
      {
        handleRetrieverStart: () => void reports.push('start'),
        handleRetrieverEnd: () => void reports.push('end'),
        handleRetrieverError: (error: Error) => void reports.push(error.message),
      },
    ];
    await retriever.invoke('a', { signal, callbacks });
    await retriever.invoke('b');
    await expect(retriever.invoke('bad', { callbacks })).rejects.toThrow('no index');
    await expect(retriever.invoke('c', { signal: AbortSignal.abort() })).rejects.toThrow('abort');
    await expect.poll(() => reports).toEqual(['start', 'end', 'start', 'no index']);
    expect(signals).toEqual([signal, undefined, undefined]);
  });
});
