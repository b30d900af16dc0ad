// #region storage
import { openStorage } from '@vizprompt/providers/node';

await using storage = await openStorage('./data');

// Files: plain, atomic, durable; a version for compare-and-set.
const { version } = await storage.files.write('notes/a.md', 'First draft', { ifVersion: null });
await storage.files.write('notes/a.md', 'Second draft', { ifVersion: version });

// A database: one writer, readers next to it, the same SQL on SQLite and PostgreSQL.
await storage.database.migrate('note', [
  {
    version: 1,
    name: 'notes',
    up: async (tx) => {
      await tx.execute('CREATE TABLE note (id BIGINT PRIMARY KEY, body TEXT NOT NULL)');
    },
  },
]);
// #endregion storage

// #region text
import { createTextIndex } from '@vizprompt/providers/text';

const index = await createTextIndex(storage.database, {
  name: 'note_text',
  table: 'note',
  key: 'id',
  fields: { body: 1 },
});
if (index.isStale) await index.rebuild([]);
const body = '認証にはJWTを使用し、authMiddleware で検証する。';
await storage.database.batch([
  { sql: 'INSERT INTO note VALUES (?, ?)', params: [1, body] },
  ...index.put({ id: 1, fields: { body } }),
]);
const [hit] = await index.search('認証 middleware');
console.log(hit?.id, index.snippet(body, '認証 middleware').highlights);
// #endregion text

// #region scripted
import { scriptedModel } from '@vizprompt/providers/testing';

const model = scriptedModel(['Yes, a cat.']); // a real one: ollama({ model: 'qwen3:8b' }) of '@vizprompt/providers/ollama'
for await (const event of model.stream('Is it a cat?')) {
  if (event.type === 'text-delta') process.stdout.write(event.text);
}
console.log('', model.calls.length); // Yes, a cat. 1
// #endregion scripted
