import { createRequire } from 'node:module';
import { join } from 'node:path';
import { AIMessage, HumanMessage } from '@langchain/core/messages';
import {
  END,
  MemorySaver,
  MessagesAnnotation,
  MessagesDeltaValue,
  START,
  StateGraph,
  StateSchema,
} from '@langchain/langgraph';
import { SqliteSaver } from '@langchain/langgraph-checkpoint-sqlite';
import { halves, newTurn } from './turn.mjs';

// The SQLite that core itself has: the one beside LangGraph is not built.
const Database = createRequire(import.meta.resolve('@vizprompt/core'))('better-sqlite3');

/** Checkpoints in memory. */
export const openLangGraphMemory = (given) => openThreads({ ...given, saver: new MemorySaver() });

/** Checkpoints in SQLite, each with all messages; a commit is fsynced. */
export const openLangGraphSqlite = (given) => openSqlite(given, MessagesAnnotation);

/** The same, with the channel that keeps what was added only; it is a beta. */
export const openLangGraphDelta = (given) =>
  openSqlite(given, new StateSchema({ messages: MessagesDeltaValue }));

async function openSqlite(given, state) {
  const file = join(given.folder, 'checkpoints.db');
  const open = () => {
    const database = new Database(file);
    database.pragma('synchronous = FULL');
    return { database, saver: new SqliteSaver(database) };
  };
  const { database, saver } = open();
  const thread = await openThreads({ ...given, saver, state });
  const level = database.pragma('synchronous', { simple: true });
  if (level !== 2) throw new Error(`SQLite is not synchronous: ${level}`);
  return {
    ...thread,
    async load() {
      const again = open();
      const { values } = await compile(again.saver, state).getState(CHAIN);
      again.database.close();
      return values.messages;
    },
    close: () => database.close(),
  };
}

const CHAIN = { configurable: { thread_id: 'chain' } };
const FORKED = { configurable: { thread_id: 'forked' } };
const NODE = 'answer';

function compile(saver, state = MessagesAnnotation) {
  const graph = new StateGraph(state).addNode(NODE, () => ({}));
  return graph.addEdge(START, NODE).addEdge(NODE, END).compile({ checkpointer: saver });
}

/**
 * Two threads of the conversation, so that what is added at the end of one does not count as a fork
 * of the other. Their halves are a checkpoint each: one for each turn would be gigabytes.
 */
async function openThreads({ conversation, saver, state }) {
  const graph = compile(saver, state);
  const add = (config, messages) => graph.updateState(config, { messages }, NODE);
  const [first, second] = halves(conversation);
  const fill = async (thread) => {
    const half = await add(thread, first.map(toMessage));
    await add(thread, second.map(toMessage));
    return half;
  };
  await fill(CHAIN);
  const middle = await fill(FORKED);
  let branch = middle;

  return {
    async branch(name) {
      branch = await add(middle, turn(name));
    },
    async branches() {
      const found = [];
      for await (const { config, parentConfig } of graph.getStateHistory(FORKED)) {
        const parent = parentConfig?.configurable.checkpoint_id;
        if (parent === middle.configurable.checkpoint_id) found.push(config);
      }
      return found;
    },
    async append(name) {
      await add(CHAIN, turn(name));
    },
    async edit(name) {
      const content = newTurn(name).response + name;
      await add(CHAIN, [new AIMessage({ id: first.at(-1).uuid, content })]);
    },
    path: async () => (await graph.getState(branch)).values.messages,
    count: (value) => value.length,
    close() {},
  };
}

function toMessage({ uuid, sender, text }) {
  const fields = { id: uuid, content: text };
  return sender === 'human' ? new HumanMessage(fields) : new AIMessage(fields);
}

function turn(name) {
  const { prompt, response } = newTurn(name);
  return [
    new HumanMessage({ id: `q${name}`, content: prompt }),
    new AIMessage({ id: `a${name}`, content: response }),
  ];
}
