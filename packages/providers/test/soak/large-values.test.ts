import { constants } from 'node:buffer';
import { localFileStore, sqliteDatabase } from '@vizprompt/providers/node';
import { expect, it } from 'vitest';
import { writeLargeFile } from '../support/large-file.ts';
import { inMemory, onPostgres, temporaryFolder } from '../support/subjects.ts';

it.each([
  ['PostgreSQL', onPostgres, 270_000_001],
  ['memory', inMemory, 70_000_001],
])('writes and reads a large file in %s', async (_, open, length) => {
  const { written, read } = await writeLargeFile(open, length);
  expect(read).toBe(written);
});

it('reads a file of PostgreSQL as one version while others replace it', async () => {
  const { storage, reopen, close } = await onPostgres();
  const another = await reopen();
  const versions = [1, 2].map((number) => Buffer.alloc(70_000_000, number));
  await storage.files.write('large.bin', versions[0] ?? '');
  const writing = (async () => {
    for (const version of [1, 0, 1])
      await another.files.write('large.bin', versions[version] ?? '');
  })();
  for (let round = 0; round < 3; round++) {
    const data = (await storage.files.read('large.bin'))?.data ?? new Uint8Array();
    const whole = versions.find((version) => version[0] === data[0]);
    expect(Buffer.compare(data, whole ?? Buffer.of())).toBe(0);
  }
  await writing;
  await close();
});

it('fails a query of PostgreSQL whose value is too long, and continues', async () => {
  const { storage, close } = await onPostgres();
  const { database } = storage;
  await database.execute('CREATE TABLE blob (data BYTEA)');
  const beyond = new Uint8Array(270_000_000);
  const writing = database.execute('INSERT INTO blob VALUES (?)', [beyond]);
  await expect(writing).rejects.toMatchObject({ code: 'too-large' });
  // The result of an expression, or a value of another program.
  const reading = database.query("SELECT repeat('b', 550000000) AS text");
  await expect(reading).rejects.toMatchObject({ code: 'too-large' });
  await expect(reading).rejects.toThrow('substr(column, from, count)');
  expect(await database.query('SELECT count(*) AS n FROM blob')).toEqual([{ n: 0 }]);
  await close();
});

it('reads the longest text that PostgreSQL takes', async () => {
  const text = '猫'.repeat(Math.floor(constants.MAX_STRING_LENGTH / 3));
  const { storage, close } = await onPostgres();
  const { database } = storage;
  await database.execute('CREATE TABLE note (text TEXT)');
  await database.execute('INSERT INTO note VALUES (?)', [text]);
  const [row] = await database.query<{ text: string }>('SELECT text FROM note');
  expect(row?.text === text).toBe(true);
  await close();
});

it('reads the longest text that SQLite takes', async () => {
  // 2^29 bytes are too many for it.
  const text = '猫'.repeat(178_000_000);
  const database = sqliteDatabase({ path: ':memory:' });
  await database.execute('CREATE TABLE note (text TEXT)');
  await database.execute('INSERT INTO note VALUES (?)', [text]);
  const [row] = await database.query<{ text: string }>('SELECT text FROM note');
  expect(row?.text === text).toBe(true);
  await database.close();
});

it('reads text of more bytes than a string has units', async () => {
  const folder = await temporaryFolder();
  await using files = await localFileStore(folder.path);
  const text = 'あ'.repeat(200_000_000);
  await files.write('large.txt', text);
  const file = await files.read('large.txt');
  expect(file?.data.length).toBe(600_000_000);
  expect(file?.text === text).toBe(true);
  await files.write('latin.txt', Buffer.alloc(constants.MAX_STRING_LENGTH + 1, 'a'));
  const latin = await files.read('latin.txt');
  expect(() => latin?.text).toThrow("read 'data' instead of 'text'");
  await folder.remove();
});
