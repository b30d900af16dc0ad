// #region program
import { MemoryStore } from '@vizprompt/memory';

await using memory = await MemoryStore.open({ path: './memory.db' });
const { id: session } = await memory.startSession({ workspace: '.' });
await memory.log(session, 'user_message', { content: 'Why do tokens expire so soon?' });
await memory.log(session, 'assistant_message', {
  content: 'Because a stolen one is then worth little. A refresh token renews them.',
});
const { edit } = await memory.editFile({
  session,
  path: 'token.ts',
  newContent: 'export const MINUTES = 15;\n',
  reason: 'Ann wants stolen tokens to be useless within the hour',
});
await memory.endSession(session);
console.log(edit.sequence, edit.type, edit.data.success);
// #endregion program
