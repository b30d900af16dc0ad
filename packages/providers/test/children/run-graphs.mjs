// Runs graphs of LangGraph on a checkpointer until it is killed, and reports what ran and what was stored. It resumes
// the threads of its own name, and shares one thread with other processes.
import { setTimeout as sleep } from 'node:timers/promises';
import { Annotation, END, START, StateGraph } from '@langchain/langgraph';
import { langGraphSaver } from '@vizprompt/providers/langgraph';
import { openStorage } from '@vizprompt/providers/node';
import { postgresStorage } from '@vizprompt/providers/postgres';

const { name, shared, folder, connectionString, namespace, durability, dieAt } = JSON.parse(
  process.argv[2],
);
const storage = await (folder === undefined
  ? postgresStorage({ connectionString, namespace })
  : openStorage(folder));
const saver = await langGraphSaver(storage.database);
const LOOPS = 4;

const counts = { put: 0, putWrites: 0 };
const { put, putWrites } = saver;
saver.put = async (config, checkpoint, metadata, versions) => {
  const { thread_id: thread, checkpoint_id: parent = null } = config.configurable;
  // A channel that no step has written has no version, and begins with its default again.
  const written = Object.entries(checkpoint.channel_values).filter(([channel]) =>
    Object.hasOwn(checkpoint.channel_versions, channel),
  );
  const values = JSON.stringify(Object.fromEntries(written));
  const stored = await watched('put', () =>
    put.call(saver, config, checkpoint, metadata, versions),
  );
  process.send({ put: { thread, id: checkpoint.id, parent, values } });
  return stored;
};
saver.putWrites = async (config, writes, task, path) => {
  const { thread_id: thread, checkpoint_id: id } = config.configurable;
  const values = JSON.stringify(writes);
  await watched('putWrites', () => putWrites.call(saver, config, writes, task, path));
  process.send({ writes: { thread, id, task, values } });
};

/** Calls a function, and dies before, during or after the call that `dieAt` names. */
async function watched(call, run) {
  counts[call] += 1;
  const moment = dieAt?.call === call && dieAt.number === counts[call] ? dieAt.moment : undefined;
  if (moment === 'before') await die();
  const running = run();
  if (moment === 'during') setTimeout(() => void die(), Math.random() * 4);
  const value = await running;
  if (moment === 'after') await die();
  return value;
}

async function die() {
  process.kill(process.pid, 'SIGKILL');
  await sleep(60_000);
}

const State = Annotation.Root({
  log: Annotation({
    reducer: (before, after) => (after === null ? [] : [...before, ...after]),
    default: () => [],
  }),
  n: Annotation({ reducer: (_, after) => after, default: () => 0 }),
});

/** A node that says when it runs, and leaves a word of its own. */
const step =
  (node) =>
  async ({ n }, { configurable }) => {
    const word = `${n}/${node}`;
    process.send({ ran: { thread: configurable.thread_id, word } });
    await sleep(Math.random() * 4);
    return { log: [word], ...(node === 'join' && { n: n + 1 }) };
  };

const graph = new StateGraph(State)
  .addNode('fork', step('fork'))
  .addNode('a', step('a'))
  .addNode('b', step('b'))
  .addNode('join', step('join'))
  .addEdge(START, 'fork')
  .addEdge('fork', 'a')
  .addEdge('fork', 'b')
  .addEdge(['a', 'b'], 'join')
  .addConditionalEdges('join', ({ n }) => (n % LOOPS === 0 ? END : 'fork'))
  .compile({ checkpointer: saver });

/** Resumes the threads of its own, one after the other. */
async function resume() {
  for (let at = 0; ; at++) {
    const config = { configurable: { thread_id: `${name} ${at}` }, durability };
    const isKnown = (await saver.getTuple(config)) !== undefined;
    const { log } = await graph.invoke(isKnown ? null : { log: [] }, config);
    process.send({ ended: { thread: config.configurable.thread_id, log } });
  }
}

async function share() {
  for (;;) await graph.invoke({ log: null }, { configurable: { thread_id: shared }, durability });
}

process.send('open');
await Promise.all([resume(), share()]);
