// #region program
import { MemoryStore } from '@vizprompt/memory';

await using memory = await MemoryStore.open({ path: './memory.db' });
const { text } = await memory.recall({
  query: 'トークンの期限',
  workspace: '.',
  budgetTokens: 500,
});
console.log(text);
// #endregion program
