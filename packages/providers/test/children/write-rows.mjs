// Keeps a write transaction open until it gets a message; says when it has begun.
import { once } from 'node:events';
import { sqliteDatabase } from '@vizprompt/providers/node';

const [, , path] = process.argv;
const database = sqliteDatabase({ path });
await database.transaction(async (tx) => {
  await tx.execute("INSERT INTO note VALUES ('child')");
  const told = once(process, 'message');
  process.send('begun');
  await told;
});
await database.close();
process.disconnect();
