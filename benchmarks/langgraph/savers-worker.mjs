// Runs a graph on our checkpointer and on that of LangGraph for the same database, and lists its checkpoints, in pairs
// whose order changes; prints what it measured as JSON.
//   node savers-worker.mjs sqlite FOLDER | node savers-worker.mjs postgres URL
import { randomBytes } from 'node:crypto';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { Annotation, END, START, StateGraph } from '@langchain/langgraph';
import { langGraphSaver } from '@vizprompt/providers/langgraph';

const STEPS = 120;
const PAIRS = { least: 3, most: 9, ms: 30_000 };
const [, , database, place] = process.argv;

const State = Annotation.Root({
  n: Annotation(),
  log: Annotation({ reducer: (before, after) => [...before, ...after], default: () => [] }),
});
const builder = new StateGraph(State)
  .addNode('step', ({ n }) => ({ n: n + 1, log: ['猫は静かに眠る。'.repeat(25)] }))
  .addEdge(START, 'step')
  .addConditionalEdges('step', ({ n }) => (n < STEPS ? 'step' : END));

const { ours, theirs, close } = await (database === 'sqlite' ? openSqlite() : openPostgres());

/** Both write each commit to the disk before the next step begins. */
async function openSqlite() {
  const { openStorage } = await import('@vizprompt/providers/node');
  const { SqliteSaver } = await import('@langchain/langgraph-checkpoint-sqlite');
  // The SQLite that the SDK itself has: the one of LangGraph is not built.
  const Database = createRequire(import.meta.resolve('@vizprompt/providers'))('better-sqlite3');
  const storage = await openStorage(place);
  const file = new Database(join(place, 'checkpoints.db'));
  file.pragma('journal_mode = WAL');
  file.pragma('synchronous = FULL');
  return {
    ours: await langGraphSaver(storage.database),
    theirs: new SqliteSaver(file),
    async close() {
      file.close();
      await storage.close();
    },
  };
}

async function openPostgres() {
  const { postgresStorage } = await import('@vizprompt/providers/postgres');
  const { PostgresSaver } = await import('@langchain/langgraph-checkpoint-postgres');
  const { default: pg } = await import('pg');
  // The database may be a given one, with what an earlier run left in it.
  const name = `bench_langgraph_${randomBytes(4).toString('hex')}`;
  const [namespace, schema] = [`${name}_ours`, `${name}_theirs`];
  const storage = await postgresStorage({ connectionString: place, namespace });
  const saver = PostgresSaver.fromConnString(place, { schema });
  await saver.setup();
  return {
    ours: await langGraphSaver(storage.database),
    theirs: saver,
    async close() {
      await saver.end();
      await storage.close();
      const client = new pg.Client({ connectionString: place });
      await client.connect();
      await client.query(
        `DROP SCHEMA IF EXISTS "${namespace}", "${namespace}.cache", "${schema}" CASCADE`,
      );
      await client.end();
    },
  };
}

async function run(saver, thread) {
  const config = {
    configurable: { thread_id: thread },
    recursionLimit: STEPS + 2,
    durability: 'sync',
  };
  const graph = builder.compile({ checkpointer: saver });
  const { log } = await graph.invoke({ n: 0, log: [] }, config);
  if (log.length !== STEPS) throw new Error(`${thread}: ${log.length} of ${STEPS} steps`);
  return log.length;
}

async function list(saver) {
  const found = [];
  for await (const tuple of saver.list({ configurable: { thread_id: '0' } })) found.push(tuple);
  return found.length;
}

/** Measures an operation, in milliseconds by the clock and of the processor; the first pair warms up. */
async function measure(name, operation) {
  const pairs = [];
  const start = performance.now();
  for (let round = -1; round < PAIRS.most; round++) {
    if (round >= PAIRS.least && performance.now() - start > PAIRS.ms) break;
    const pair = {};
    const counts = new Set();
    for (const side of round % 2 === 0 ? ['ours', 'theirs'] : ['theirs', 'ours']) {
      globalThis.gc();
      const cpu = process.cpuUsage();
      const began = performance.now();
      counts.add(await operation({ ours, theirs }[side], String(round)));
      const ms = performance.now() - began;
      const { user, system } = process.cpuUsage(cpu);
      pair[side] = { ms, cpu: (user + system) / 1000 };
    }
    if (counts.size > 1) throw new Error(`${name}: ${[...counts].join(' and ')} differ`);
    if (round >= 0) pairs.push(pair);
  }
  return pairs;
}

try {
  const measured = { run: await measure('run', run), list: await measure('list', list) };
  console.log(JSON.stringify(measured));
} finally {
  await close();
}
process.exit();
