// #region program
import { MemoryStore } from '@vizprompt/memory';

await using memory = await MemoryStore.open({ path: './memory.db' });
const { id: session } = await memory.startSession({ workspace: '.' });
await memory.log(session, 'user_message', { content: '認証トークンの期限が短いのはなぜ？' });
await memory.log(session, 'assistant_message', {
  content: '盗まれても被害が小さいからです。更新はリフレッシュトークンで行います。',
});
await memory.editFile({
  session,
  path: 'token.ts',
  newContent: 'export const MINUTES = 15;\n',
  reason: '盗まれたトークンを一時間以内に無効にしたい',
});
await memory.endSession(session);
// #endregion program
