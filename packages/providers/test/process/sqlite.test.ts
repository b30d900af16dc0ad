import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { sqliteDatabase } from '@vizprompt/providers/node';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { kill, nextMessage, startChild } from '../support/children.ts';
import { temporaryFolder } from '../support/subjects.ts';

let folder: string;
let remove: () => Promise<void>;
beforeEach(async () => ({ path: folder, remove } = await temporaryFolder()));
afterEach(() => remove());

describe('a SQLite database that two processes use', () => {
  it('waits for a process that writes without blocking the event loop', async () => {
    const path = join(folder, 'shared.db');
    const database = sqliteDatabase({ path, busyTimeoutMs: 60_000 });
    await database.execute('CREATE TABLE note (text TEXT)');
    const child = startChild('write-rows', [path]);
    await nextMessage(child);
    const writing = database.execute("INSERT INTO note VALUES ('parent')");
    // The other process continues when timers of this one have fired several times.
    for (let tick = 0; tick < 5; tick++) await sleep(1);
    child.send('go on');
    await writing;
    const rows = await database.query<{ text: string }>('SELECT text FROM note ORDER BY rowid');
    expect(rows.map(({ text }) => text)).toEqual(['child', 'parent']);
    await database.close();
  });

  it('reads while another process writes, and gives up writing after the given time', async () => {
    const path = join(folder, 'shared.db');
    const database = sqliteDatabase({ path, busyTimeoutMs: 50 });
    await database.execute('CREATE TABLE note (text TEXT)');
    const child = startChild('write-rows', [path]);
    await nextMessage(child);
    expect(await database.query('SELECT * FROM note')).toEqual([]);
    const writing = database.execute("INSERT INTO note VALUES ('parent')");
    await expect(writing).rejects.toMatchObject({ code: 'busy' });
    await kill(child);
    await database.execute("INSERT INTO note VALUES ('parent')");
    expect(await database.query('SELECT text FROM note')).toEqual([{ text: 'parent' }]);
    await database.close();
  });
});
