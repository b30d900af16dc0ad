// Logs messages as another process would: `log-events.mjs DATABASE SESSION COUNT`.
import { MemoryStore } from '@vizprompt/memory';

const [, , path, session, count] = process.argv;
const store = await MemoryStore.open({ path });
for (let at = 1; at <= Number(count); at++) {
  await store.log(session, 'user_message', { content: `から ${process.pid} ${at}` });
}
await store.close();
