// #region program
import { MemoryStore } from '@vizprompt/memory';

await using memory = await MemoryStore.open({ path: './memory.db' });
const { id: session } = await memory.startSession({ workspace: '.' });
const token = `ghp_${'a1B2c3'.repeat(6)}`; // of the form of those of GitHub
const { id, data, redactions } = await memory.log(session, 'user_message', {
  content: `Use ${token}. <private>My sister is called Mia.</private> Then push.`,
});
console.log(data.content);
console.log(redactions);

await memory.forget({ event: id }); // nothing of it remains in the file
console.log((await memory.search('push')).length);
// #endregion program
