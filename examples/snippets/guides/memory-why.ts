// #region program
import { MemoryStore } from '@vizprompt/memory';

await using memory = await MemoryStore.open({ path: './memory.db' });
const { id: session } = await memory.startSession({ workspace: '.' });
await memory.editFile({
  session,
  path: 'token.ts',
  edit: { old: 'MINUTES = 15', new: 'MINUTES = 5' },
  reason: 'The bank asks for five minutes',
});
await memory.endSession(session);

const history = await memory.fileHistory('token.ts'); // the newest first
for (const { intention, edit } of history) {
  console.log(edit?.data.diff.match(/^[+-]\w.*/gm), intention?.data.reason);
}
const { content } = await memory.fileAt('token.ts', { event: history[1]?.edit?.id ?? '' });
console.log(content);
// #endregion program
