// Writes single files, batches and database rows without end, and reports each one that is durable.
import { openStorage } from '@vizprompt/providers/node';

const [, , folder, run] = process.argv;
const storage = await openStorage(folder);
await storage.database.execute('CREATE TABLE IF NOT EXISTS done (label TEXT PRIMARY KEY)');
const body = (label) => `${label}\n`.repeat(200);

for (let round = 0; ; round++) {
  const label = `${run}-${round}`;
  await storage.files.write(`single/${label}.txt`, body(label));
  process.send({ files: [`single/${label}.txt`] });

  const keys = Array.from({ length: 40 }, (_, index) => `batch/${label}/${index}.txt`);
  await storage.files.writeMany(keys.map((key) => ({ key, content: body(label) })));
  process.send({ files: keys });

  await storage.files.append('log.txt', `${label}\n`);
  await storage.database.execute('INSERT INTO done VALUES (?)', [label]);
  process.send({ line: label, row: label });
}
