// Logs events without end, or so often, and reports each one that is durable.
import { MemoryStore } from '@vizprompt/memory';

const [, , path, name, rounds = 'Infinity'] = process.argv;
const store = await MemoryStore.open({ path });
const shared = await store.startSession({ id: 'shared', workspace: '/w', ifExists: 'keep' });
const own = await store.startSession({ workspace: '/w' });
const tell = (events) =>
  process.send(events.map(({ id, sequence, session_id: session }) => ({ id, sequence, session })));
tell([]);
for (let round = 0; round < Number(rounds); round++) {
  tell([await store.log(shared.id, 'user_message', { content: `${name} 認証 ${round}` })]);
  tell(
    await store.logMany(own.id, [
      { type: 'thinking', data: { content: `${name} 考え ${round}` } },
      {
        type: 'code_intention',
        data: {
          action: 'edit',
          file_path: 'a.ts',
          reason: 'r',
          old_content: `o${round}`,
          new_content: `n${round}`,
        },
      },
      {
        type: 'tool_use',
        data: { tool: 'Bash', parameters: { command: 'x'.repeat(round % 5000) } },
      },
    ]),
  );
}
await store.close();
process.disconnect();
