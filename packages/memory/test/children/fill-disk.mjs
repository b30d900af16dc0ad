// Logs until the disk is full, and reports how many events were acknowledged and what the error was.
import { MemoryStore } from '@vizprompt/memory';

// A file that grows beyond the limit raises this signal, which would end the process.
process.on('SIGXFSZ', () => undefined);
const store = await MemoryStore.open({ path: process.argv[2] });
await store.startSession({ id: 's', workspace: '/w' });
let logged = 0;
try {
  for (;;) {
    const noise = Array.from({ length: 40 }, () => Math.random().toString(36)).join(' ');
    await store.log('s', 'thinking', { content: noise });
    logged++;
  }
} catch (error) {
  const { name, code, message } = error;
  console.log(JSON.stringify({ logged, name, code, message }));
}
process.exit(0);
