import { createServer, type Socket } from 'node:net';
import { PGlite } from '@electric-sql/pglite';
import { vector } from '@electric-sql/pglite-pgvector';

/** A PostgreSQL with pgvector for one file of tests. */
export interface PgliteServer {
  readonly connectionString: string;
  close(): Promise<void>;
}

/** The messages that `pg` may send before it waits for an answer. */
const SYNC = 'S'.charCodeAt(0);
const QUERY = 'Q'.charCodeAt(0);

/**
 * PGlite (PostgreSQL compiled to WebAssembly) on a socket, so that the real client and the real pool
 * talk to it in the wire protocol. It has one session: connections take turns, and one that is in a
 * transaction keeps its turn.
 */
export async function startPglite(): Promise<PgliteServer> {
  const database = await PGlite.create({ extensions: { vector } });
  const sockets = new Set<Socket>();
  let turn: Promise<void> = Promise.resolve();

  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    let pending = Buffer.alloc(0);
    let isStarted = false;
    let leave: (() => void) | undefined;

    const enter = (): Promise<void> => {
      const before = turn;
      turn = new Promise((resolve) => (leave = resolve));
      return before;
    };
    const handle = async (): Promise<void> => {
      for (let message = take(); message; message = take()) {
        if (!leave) await enter();
        const answer = await database.execProtocolRaw(message);
        socket.write(answer);
        // The last byte of ReadyForQuery: `I` outside of a transaction.
        if (answer.at(-1) === 'I'.charCodeAt(0)) {
          leave?.();
          leave = undefined;
        }
      }
    };
    /** Collects a message that is answered with ReadyForQuery. */
    const take = (): Uint8Array | undefined => {
      let end = 0;
      for (let at = 0; at + 5 <= pending.length;) {
        const type = isStarted ? pending[at] : undefined;
        const length = pending.readInt32BE(isStarted ? at + 1 : at) + (isStarted ? 1 : 0);
        if (at + length > pending.length) break;
        at += length;
        if (type === undefined || type === SYNC || type === QUERY) {
          isStarted = true;
          end = at;
          break;
        }
      }
      if (end === 0) return undefined;
      const message = new Uint8Array(pending.subarray(0, end));
      pending = pending.subarray(end);
      return message;
    };
    let work: Promise<void> = Promise.resolve();
    socket.on('data', (bytes: Buffer) => {
      pending = Buffer.concat([pending, bytes]);
      work = work.then(handle, handle);
    });
    socket.on('close', () => {
      sockets.delete(socket);
      void work.finally(() => leave?.());
    });
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  return {
    connectionString: `postgres://postgres@127.0.0.1:${port}/postgres?sslmode=disable`,
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => void server.close(resolve));
      await database.close();
    },
  };
}
