import { connect, createServer, type AddressInfo } from 'node:net';
import { postgresStorage } from '@vizprompt/providers/postgres';
import { expect, inject, it, onTestFinished } from 'vitest';

/** That the server waits for a query: what it says at the end of every answer. */
const READY = 'Z\0\0\0\u0005I';
/** The error that a server sends to its connections when it is stopped. */
const FIELDS = ['SFATAL', 'C57P01', 'Mterminating connection due to administrator command', ''];

function terminating(): Buffer {
  const body = Buffer.from(FIELDS.map((field) => `${field}\0`).join(''));
  const head = Buffer.alloc(5, 'E');
  head.writeInt32BE(body.length + 4, 1);
  return Buffer.concat([head, body]);
}

/** Puts a server before that of the tests that ends its first connections right after an answer, in its packet. */
async function endingServer(
  isLast: (connection: number, answer: number) => boolean,
): Promise<string> {
  const url = new URL(inject('databaseUrl'));
  let connections = 0;
  const server = createServer((socket) => {
    const connection = connections++;
    let answers = 0;
    const behind = connect(Number(url.port), url.hostname);
    for (const end of [socket, behind]) end.on('error', () => undefined);
    socket.pipe(behind);
    behind.on('data', (data) => {
      if (!data.toString('latin1').endsWith(READY) || !isLast(connection, answers++))
        socket.write(data);
      else socket.end(Buffer.concat([data, terminating()]));
    });
    behind.on('close', () => socket.destroy());
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  return Object.assign(new URL(url), { host: `127.0.0.1:${port}` }).href;
}

it.each([0, 1, 2, 3])(
  'a server that is stopped with its answer number %i to a connection ends no process, and is asked again',
  async (last) => {
    const connectionString = await endingServer(
      (connection, answer) => connection < 4 && answer === last,
    );
    const namespace = `shutdown_${last}`;
    const open = async (): Promise<number> => {
      await using storage = await postgresStorage({ connectionString, namespace });
      const rows = await storage.database.query<{ n: number }>('SELECT 7 AS n');
      return Number(rows[0]?.n);
    };
    await expect.poll(() => open().catch(String), { timeout: 20_000 }).toBe(7);
  },
);
