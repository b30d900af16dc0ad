// Makes a store of one kind in a folder, or opens what is there, reads it and searches in it. Says how it went in JSON.
import { join } from 'node:path';

const [, , kind, action, folder, way] = process.argv;
const WORD = 'lighthouse';

/** For each kind: makes a store with one text; opens it, and gives what is read and how much is found. */
const KINDS = {
  core: {
    async make() {
      const { VizPrompt } = await import('@vizprompt/core');
      const project = await VizPrompt.open(folder);
      await project.createNode({ prompt: WORD, response: 'r' });
      return project;
    },
    async read() {
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
    async make() {
      const { MemoryStore } = await import('@vizprompt/memory');
      const store = await MemoryStore.open({ path: join(folder, 'memory.db') });
      const { id } = await store.startSession({ id: 's', workspace: '/w' });
      await store.log(id, 'user_message', { content: WORD });
      return store;
    },
    async read() {
      const { MemoryStore } = await import('@vizprompt/memory');
      const store = await MemoryStore.open({ path: join(folder, 'memory.db') });
      const [hit] = await store.search(WORD);
      const { data } = await store.getEvent(hit.event.id);
      return { read: data.content, store };
    },
  },
  rag: {
    async make() {
      const { SegmentBackend } = await import('@vizprompt/rag');
      const index = await SegmentBackend.open({ folder });
      await index.updateFile({ novelId: 'n', filePath: 'a.md', text: `# a\n\n${WORD}` });
      return index;
    },
    async read() {
      const { SegmentBackend } = await import('@vizprompt/rag');
      const index = await SegmentBackend.open({ folder });
      const { hits } = await index.search(WORD);
      return { read: hits[0].content.includes(WORD) ? WORD : '', store: index };
    },
  },
  talktable: {
    async make() {
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
    async read() {
      const { ConversationLog } = await import('@vizprompt/talktable');
      const log = await ConversationLog.open(join(folder, 'talk.db'));
      const [talk] = await log.conversations();
      const text = JSON.stringify(await log.exportConversation(talk.id, 'json'));
      return { read: text.includes(WORD) ? WORD : '', store: log };
    },
  },
  workflow: {
    async make() {
      const { engine, storage } = await openEngine();
      const run = await engine.start('w', {});
      await run.result;
      return { close: () => engine.close().then(() => storage.close()) };
    },
    async read() {
      const { engine, storage } = await openEngine();
      const [summary] = await engine.runs();
      const run = await engine.run(summary.id);
      return {
        read: JSON.stringify(run).includes(WORD) ? WORD : '',
        store: { close: () => engine.close().then(() => storage.close()) },
      };
    },
  },
};

async function openEngine() {
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

try {
  if (action === 'make') {
    const store = await KINDS[kind].make();
    // A writer that dies leaves its log of SQLite.
    if (way === 'killed') process.kill(process.pid, 'SIGKILL');
    await store.close();
    console.log('{}');
  } else {
    const { read, store } = await KINDS[kind].read();
    await store.close();
    console.log(JSON.stringify({ read }));
  }
} catch (error) {
  const { name, code, message } = error;
  console.log(JSON.stringify({ name, code, message }));
}
