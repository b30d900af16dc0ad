// Waits for a lock, says that it has it, and holds it until it is killed or asked to release it.
import { postgresStorage } from '@vizprompt/providers/postgres';

const [, , connectionString, namespace, name] = process.argv;
const storage = await postgresStorage({ connectionString, namespace });
const lock = await storage.files.lock(name, { timeoutMs: 60_000 });
process.on('message', () => {
  void lock.release().then(() => process.send('released'));
});
process.send('held');
