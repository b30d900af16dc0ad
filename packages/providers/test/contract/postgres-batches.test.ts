import { once } from 'node:events';
import { connect, createServer, type AddressInfo } from 'node:net';
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, inject, it } from 'vitest';
import type { Database, Storage } from '@vizprompt/providers';
import { postgresStorage } from '@vizprompt/providers/postgres';

const namespace = `batches_${randomBytes(4).toString('hex')}`;
/** Counts round trips: how often the server says that it is ready for the next. */
let trips = 0;
const server = createServer((client) => {
  const { hostname, port } = new URL(inject('databaseUrl'));
  const remote = connect(Number(port), hostname);
  let rest = Buffer.alloc(0);
  client.pipe(remote);
  remote.on('data', (data: Buffer) => {
    rest = Buffer.concat([rest, data]);
    while (rest.length >= 5 && rest.length > rest.readUInt32BE(1)) {
      if (rest.toString('latin1', 0, 1) === 'Z') trips++;
      rest = rest.subarray(rest.readUInt32BE(1) + 1);
    }
    client.write(data);
  });
  for (const socket of [client, remote]) {
    socket.on('error', () => undefined).on('close', () => void [client, remote].map(end));
  }
});
const end = (socket: { destroy(): unknown }): unknown => socket.destroy();

let storage: Storage;
let database: Database;
beforeAll(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = new URL(inject('databaseUrl'));
  url.hostname = '127.0.0.1';
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it listens to a port
  url.port = String((server.address() as AddressInfo).port);
  storage = await postgresStorage({ connectionString: url.href, namespace });
  ({ database } = storage);
  await database.execute('CREATE TABLE item (id BIGINT PRIMARY KEY, name TEXT NOT NULL)');
});
afterAll(async () => {
  await database.execute('DROP TABLE item');
  await storage.close();
  server.close();
});
beforeEach(async () => {
  await database.execute('DELETE FROM item');
  trips = 0;
});

const insert = 'INSERT INTO item (id, name) VALUES (?, ?)';

it.each([1, 2, 50, 200])('%i statements of a batch take three round trips', async (count) => {
  const all = Array.from({ length: count }, (_, id) => ({ sql: insert, params: [id, `猫 ${id}`] }));
  expect(await database.batch(all)).toEqual(all.map(() => 1));
  expect(trips).toBe(3);
});

it('each has its own result, whatever the one before gave', async () => {
  const rows = await database.batchRows([
    { sql: insert, params: [1, 'a'] },
    { sql: 'SELECT id, name FROM item' },
    { sql: 'SELECT name AS other FROM item WHERE id = 7' },
    { sql: `${insert} RETURNING name`, params: [2, 'b'] },
    { sql: 'DELETE FROM item' },
    { sql: 'SELECT COUNT(*) AS n FROM item' },
  ]);
  expect(rows).toEqual([[], [{ id: 1, name: 'a' }], [], [{ name: 'b' }], [], [{ n: 0 }]]);
});

it.each([0, 1, 250, 449])(
  'a failure names its own statement, and nothing is written (the one at %i)',
  async (wrong) => {
    const all = Array.from({ length: 450 }, (_, id) => ({
      sql: id === wrong ? `${insert} -- wrong` : `${insert} -- ${id}`,
      params: [id, id === wrong ? null : 'x'],
    }));
    await expect(database.batch(all)).rejects.toMatchObject({
      code: 'constraint',
      message: expect.stringContaining('-- wrong'),
    });
    expect(await database.query('SELECT id FROM item')).toEqual([]);
    expect(await database.batch([{ sql: insert, params: [1, 'x'] }])).toEqual([1]);
  },
);
