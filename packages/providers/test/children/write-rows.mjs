// Keeps a write transaction open for a given time, says when it has begun.
import { setTimeout as sleep } from 'node:timers/promises';
import { sqliteDatabase } from '@vizprompt/providers/node';

const [, , path, holdMs] = process.argv;
const database = sqliteDatabase({ path });
await database.transaction(async (tx) => {
  await tx.execute("INSERT INTO note VALUES ('child')");
  process.send('begun');
  await sleep(Number(holdMs));
});
await database.close();
process.disconnect();
