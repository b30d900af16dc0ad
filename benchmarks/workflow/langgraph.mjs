import { createRequire } from 'node:module';
import { join } from 'node:path';
import { Annotation, END, START, StateGraph } from '@langchain/langgraph';
import { ANSWER, STEPS_OF_SHORT_RUN } from './work.mjs';

/** A chain of nodes; each commit of the checkpoints in SQLite is fsynced. */
export async function open({ folder, steps }) {
  const chains = { long: chain(steps), short: chain(STEPS_OF_SHORT_RUN) };
  const { saver, close } = folder === undefined ? {} : await openSaver(folder);
  const compiled = Object.fromEntries(
    Object.entries(chains).map(([name, graph]) => [
      name,
      graph.compile(saver ? { checkpointer: saver } : {}),
    ]),
  );
  let thread = 0;
  return {
    async run(name) {
      const config = {
        recursionLimit: steps + 1,
        configurable: { thread_id: `${++thread}` },
        // Each superstep is written before the next begins, as in a journal.
        ...(saver ? { durability: 'sync' } : {}),
      };
      const { text } = await compiled[name].invoke({ text: '' }, config);
      if (text !== ANSWER) throw new Error(`the run gave '${String(text)}'`);
    },
    close: close ?? (async () => {}),
  };
}

function chain(steps) {
  const graph = new StateGraph(Annotation.Root({ text: Annotation() }));
  for (let at = 0; at < steps; at++) {
    graph.addNode(`step${at}`, async () => ({ text: ANSWER }));
    graph.addEdge(at === 0 ? START : `step${at - 1}`, `step${at}`);
  }
  graph.addEdge(`step${steps - 1}`, END);
  return graph;
}

async function openSaver(folder) {
  const { SqliteSaver } = await import('@langchain/langgraph-checkpoint-sqlite');
  // The SQLite that workflow itself has: the one beside LangGraph is not built.
  const Database = createRequire(import.meta.resolve('@vizprompt/workflow'))('better-sqlite3');
  const database = new Database(join(folder, 'checkpoints.db'));
  const saver = new SqliteSaver(database);
  database.pragma('journal_mode = WAL');
  database.pragma('synchronous = FULL');
  return { saver, close: async () => database.close() };
}
