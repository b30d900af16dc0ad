// Opens a memory whose file and folder cannot be written, as a user without rights.
import { chmodSync, chownSync } from 'node:fs';
import { dirname } from 'node:path';
import { MemoryStore } from '@vizprompt/memory';

const [, , path] = process.argv;
// SQLite and Node have loaded what they need before the rights are given up.
await MemoryStore.open({ path: ':memory:' }).catch(() => undefined);
const NOBODY = 65534;
if (process.getuid() === 0) {
  for (let folder = dirname(path); folder !== '/tmp' && folder !== '/'; folder = dirname(folder)) {
    chmodSync(folder, 0o755);
  }
  chownSync(path, 0, 0);
}
chmodSync(path, 0o444);
chmodSync(dirname(path), 0o555);
if (process.getuid() === 0) process.setuid(NOBODY);
try {
  const store = await MemoryStore.open({ path });
  await store.startSession({ workspace: '/w' });
  console.log(JSON.stringify({ name: 'none', code: 'it was written' }));
} catch ({ name, code, message }) {
  console.log(JSON.stringify({ name, code, message }));
}
