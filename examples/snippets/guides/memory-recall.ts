// #region program
import { MemoryStore } from '@vizprompt/memory';

await using memory = await MemoryStore.open({ path: './memory.db' });
const { text, tokens } = await memory.recall({
  query: 'stolen tokens',
  workspace: '.',
  budgetTokens: 500,
});
console.log(text);
console.log(tokens <= 500);
// #endregion program
