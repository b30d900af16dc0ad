import type Pg from 'pg';
import { isError } from '../errors.ts';

/**
 * Makes an answer that cannot be read an error of its query. `pg` reads answers in a listener of the socket: what
 * is thrown there, as for a value that is too long for a string, would end the process.
 *
 * Source: https://github.com/brianc/node-postgres/issues/2653.
 */
export function guardReading({ connection: { stream } }: Pg.Client): void {
  const listeners = stream.rawListeners('data');
  stream.removeAllListeners('data');
  stream.on('data', (bytes: Buffer) => {
    try {
      for (const listener of listeners) Reflect.apply(listener, stream, [bytes]);
    } catch (error) {
      stream.destroy(isError(error) ? error : new Error(String(error)));
    }
  });
}
