// A hook as Claude Code runs it: the input comes on standard input.
import { runHook } from '@vizprompt/memory/hooks';

const [, , folder] = process.argv;
await runHook(
  async () => {
    const { MemoryStore } = await import('@vizprompt/memory');
    return MemoryStore.open({ path: `${folder}/memory.db` });
  },
  {
    stateFolder: `${folder}/state`,
    logFile: `${folder}/hooks.log`,
    // A hook gives up after two seconds, which a busy machine needs to start it.
    timeoutMs: 60_000,
    recall: async (store, { workspace, source }) => {
      const sessions = await store.listSessions({ workspace });
      return `${source}: ${sessions.length}`;
    },
  },
);
