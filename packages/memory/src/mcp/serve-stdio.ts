import { once } from 'node:events';
import type { Readable, Writable } from 'node:stream';
import { messageOf, silentLogger } from '@vizprompt/providers';
import type { MemoryStore } from '../memory-store.ts';
import { createMemoryMcpServer, type MemoryMcpOptions } from './create-memory-mcp-server.ts';
import { loadMcpStdio } from './load-mcp.ts';

/** Options of {@link serveMemoryStdio}. */
export interface ServeMemoryStdioOptions extends MemoryMcpOptions {
  /** Default: `process.stdin`. */
  readonly input?: Readable;
  /** Nothing but messages goes there; a program that serves must print nothing to it. Default: `process.stdout`. */
  readonly output?: Writable;
}

/** A server on standard input and output. */
export interface MemoryStdioServer extends AsyncDisposable {
  /** Resolves when the client has hung up. */
  readonly closed: Promise<void>;
  close(): Promise<void>;
}

/** The largest message, in bytes: an event of 32 MiB as JSON, with room for what is escaped in it. */
const MAX_MESSAGE_BYTES = 64 * 1024 * 1024;

/**
 * Serves one client on standard input and output, of the protocol of 2026 or those before. The store
 * stays open.
 *
 * @throws PeerError if `@modelcontextprotocol/server` is not installed.
 * @example
 * ```ts
 * await using store = await MemoryStore.open();
 * await (await serveMemoryStdio(store)).closed;
 * ```
 */
export async function serveMemoryStdio(
  store: MemoryStore,
  { input = process.stdin, output = process.stdout, ...options }: ServeMemoryStdioOptions = {},
): Promise<MemoryStdioServer> {
  const { serveStdio, StdioServerTransport } = await loadMcpStdio();
  const { logger = silentLogger } = options;
  const transport = new StdioServerTransport(input, output, { maxBufferSize: MAX_MESSAGE_BYTES });
  const handle = serveStdio(() => createMemoryMcpServer(store, options), {
    transport,
    onerror: (error) => logger.warn('MCP', { error: messageOf(error) }),
  });
  // A client that is gone may leave either end open.
  const ended = Promise.race([once(input, 'end'), once(input, 'close'), once(output, 'close')]);
  const close = (): Promise<void> => handle.close();
  return { closed: ended.then(close, close), close, [Symbol.asyncDispose]: close };
}
