// Takes a lock, says so, and holds it until it is killed.
import { openStorage } from '@vizprompt/providers/node';

const [, , folder, name] = process.argv;
const storage = await openStorage(folder);
await storage.files.lock(name);
process.send('held');
setInterval(() => {}, 1000);
