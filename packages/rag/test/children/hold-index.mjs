// Keeps the lock of an index until it is killed.
import { localFileStore } from '@vizprompt/providers/node';

const store = await localFileStore(process.argv[2]);
await store.lock('index');
process.send('held');
setInterval(() => {}, 1000);
