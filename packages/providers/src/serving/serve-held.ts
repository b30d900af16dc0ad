import { once } from 'node:events';
import type { Writable } from 'node:stream';
import type { HeldInput } from './held-input.ts';

/** A server on standard input and output. */
export interface StdioServer extends AsyncDisposable {
  /** Resolves when the client has hung up, and all that it asked before is answered. */
  readonly closed: Promise<void>;
  close(): Promise<void>;
}

/**
 * Returns a server that lives as long as its client.
 *
 * @param handle - Answers; it is closed when the client has hung up, or before.
 */
export function serveHeld(
  held: HeldInput,
  output: Writable,
  handle: { close(): Promise<void> },
): StdioServer {
  // A client that is gone may leave either end open.
  const ended = Promise.race([once(held, 'end'), once(held, 'close'), once(output, 'close')]);
  const close = async (): Promise<void> => {
    await handle.close();
    held.release();
  };
  return { closed: ended.then(close, close), close, [Symbol.asyncDispose]: close };
}
