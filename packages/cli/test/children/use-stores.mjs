// Makes stores of some kinds, each in a folder of its own, or opens what is there, reads it and searches in it. Says in
// JSON how each went:
//   node use-stores.mjs make|read FOLDER WAY KIND…
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';

const [, , action, place, way, ...kinds] = process.argv;
const WORD = 'lighthouse';

/** For each kind: makes a store with one text; opens it, and gives what is read and how much is found. */
const KINDS = {
  core: {
    async make(folder) {
      const { VizPrompt } = await import('@vizprompt/core');
      const project = await VizPrompt.open(folder);
      await project.createNode({ prompt: WORD, response: 'r' });
      return project;
    },
    async read(folder) {
      const { VizPrompt } = await import('@vizprompt/core');
      const project = await VizPrompt.open(
        folder,
        way === 'read-only' ? { lock: 'read-only' } : {},
      );
      const [found] = await project.searchNodes({ text: WORD });
      return { read: (await project.getNode(found.id)).prompt, store: project };
    },
  },
  memory: {
    async make(folder) {
      const { MemoryStore } = await import('@vizprompt/memory');
      const store = await MemoryStore.open({ path: join(folder, 'memory.db') });
      const { id } = await store.startSession({ id: 's', workspace: '/w' });
      await store.log(id, 'user_message', { content: WORD });
      return store;
    },
    async read(folder) {
      const { MemoryStore } = await import('@vizprompt/memory');
      const store = await MemoryStore.open({ path: join(folder, 'memory.db') });
      const [hit] = await store.search(WORD);
      const { data } = await store.getEvent(hit.event.id);
      return { read: data.content, store };
    },
  },
  rag: {
    async make(folder) {
      const { SegmentBackend } = await import('@vizprompt/rag');
      const index = await SegmentBackend.open({ folder });
      await index.updateFile({ novelId: 'n', filePath: 'a.md', text: `# a\n\n${WORD}` });
      return index;
    },
    async read(folder) {
      const { SegmentBackend } = await import('@vizprompt/rag');
      const index = await SegmentBackend.open({ folder });
      const { hits } = await index.search(WORD);
      return { read: hits[0].content.includes(WORD) ? WORD : '', store: index };
    },
  },
  talktable: {
    async make(folder) {
      const { ConversationManager } = await import('@vizprompt/talktable');
      const { scriptedModel } = await import('@vizprompt/providers/testing');
      const model = scriptedModel(() => WORD);
      const manager = await ConversationManager.open({
        topic: 't',
        participants: [
          { name: 'A', model },
          { name: 'B', model },
        ],
        rounds: 1,
        logPath: join(folder, 'talk.db'),
      });
      await manager.start().result();
      return manager;
    },
    async read(folder) {
      const { ConversationLog } = await import('@vizprompt/talktable');
      const log = await ConversationLog.open(join(folder, 'talk.db'));
      const [talk] = await log.conversations();
      const text = JSON.stringify(await log.exportConversation(talk.id, 'json'));
      return { read: text.includes(WORD) ? WORD : '', store: log };
    },
  },
  workflow: {
    async make(folder) {
      const { engine, storage } = await openEngine(folder);
      const run = await engine.start('w', {});
      await run.result;
      return { close: () => engine.close().then(() => storage.close()) };
    },
    async read(folder) {
      const { engine, storage } = await openEngine(folder);
      const [summary] = await engine.runs();
      const run = await engine.run(summary.id);
      return {
        read: JSON.stringify(run).includes(WORD) ? WORD : '',
        store: { close: () => engine.close().then(() => storage.close()) },
      };
    },
  },
};

async function openEngine(folder) {
  const { WorkflowEngine } = await import('@vizprompt/workflow');
  const { openStorage } = await import('@vizprompt/providers/node');
  const { scriptedModel } = await import('@vizprompt/providers/testing');
  const storage = await openStorage(folder);
  const files = {
    agent_roles: { a: { system_prompt: 'say', model: 'm' } },
    prompts: { p: 'say' },
    workflows: {
      w: {
        steps: [
          {
            id: 's',
            type: 'agent_interaction',
            agent_id: 'a',
            prompt_id: 'p',
            input_variables: {},
            output_variable: 'said',
          },
        ],
      },
    },
  };
  const engine = await WorkflowEngine.open({
    files,
    storage,
    models: { m: scriptedModel(() => WORD) },
  });
  return { engine, storage };
}

/** Makes a store, or reads one: its content or its error. */
async function use(kind) {
  const folder = join(place, kind);
  try {
    if (action === 'make') {
      await mkdir(folder);
      const store = await KINDS[kind].make(folder);
      if (way !== 'killed') await store.close();
      return {};
    }
    const { read, store } = await KINDS[kind].read(folder);
    await store.close();
    return { read };
  } catch (error) {
    const { name, code, message } = error;
    return { name, code, message };
  }
}

const all = {};
for (const kind of kinds) all[kind] = await use(kind);
// A writer that dies leaves its log of SQLite.
if (way === 'killed') process.kill(process.pid, 'SIGKILL');
console.log(JSON.stringify(all));
