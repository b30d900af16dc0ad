// Arguments of a text index that plain JavaScript can pass and TypeScript would not.
import { sqliteDatabase } from '@vizprompt/providers/node';
import { createTextIndex, type TextIndex } from '@vizprompt/providers/text';
import { expect, it, onTestFinished } from 'vitest';

async function openIndex(): Promise<TextIndex> {
  const database = sqliteDatabase({ path: ':memory:' });
  onTestFinished(() => database.close());
  await database.execute('CREATE TABLE note (id BIGINT PRIMARY KEY, body TEXT)');
  const fields = { body: 1 };
  return createTextIndex(database, { name: 'note_text', table: 'note', key: 'id', fields });
}

type Call = (index: TextIndex, bad: never) => unknown;

it.each<readonly [what: string, wrong: readonly unknown[], call: Call]>([
  ['snippet: text', [undefined, null, 5, {}], (index, bad) => index.snippet(bad, 'q')],
  ['snippet: query', [undefined, null, 5, {}], (index, bad) => index.snippet('a', bad)],
  [
    'put',
    [undefined, null, 5, 'a', {}, { id: 1 }, { id: 'a', fields: {} }, { id: 1, fields: null }],
    (index, bad) => index.put(bad),
  ],
  ['remove', [undefined, null, 'a', {}, Number.NaN], (index, bad) => index.remove(bad)],
  ['rebuild', [undefined, null, 5, 'a', {}, [undefined]], (index, bad) => index.rebuild(bad)],
])('%s refuses wrong arguments with a code', async (_, wrong, call) => {
  const index = await openIndex();
  for (const value of wrong) {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- plain JavaScript
    const bad = value as never;
    await expect((async () => call(index, bad))()).rejects.toMatchObject({ code: 'invalid-input' });
  }
});
