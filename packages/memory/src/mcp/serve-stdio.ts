import type { Readable, Writable } from 'node:stream';
import { messageOf } from '@vizprompt/providers';
import { silentLogger } from '@vizprompt/providers/internal';
import { HeldInput, type StdioServer } from '@vizprompt/providers/serving';
import { serveHeld } from '@vizprompt/providers/serving/internal';
import type { MemoryStore } from '../memory-store.ts';
import { createMemoryMcpServer, type MemoryMcpOptions } from './create-memory-mcp-server.ts';
import { loadMcpStdio } from './load-mcp.ts';

/** Options of {@link serveMemoryStdio}. */
export interface ServeMemoryStdioOptions extends MemoryMcpOptions {
  /** Where messages come from. Default: `process.stdin`. */
  readonly input?: Readable | undefined;
  /** Nothing but messages goes there; a program that serves must print nothing to it. Default: `process.stdout`. */
  readonly output?: Writable | undefined;
  /**
   * How long to work on what was asked after the input has ended, in milliseconds. Default: 30,000, as the
   * input of `echo REQUEST | server` ends at once.
   */
  readonly patienceMs?: number | undefined;
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
  given: ServeMemoryStdioOptions = {},
): Promise<StdioServer> {
  const { input = process.stdin, output = process.stdout, patienceMs, ...options } = given;
  const { serveStdio, StdioServerTransport } = await loadMcpStdio();
  const { logger = silentLogger } = options;
  const held = new HeldInput(input, { patienceMs });
  const transport = new StdioServerTransport(held, output, { maxBufferSize: MAX_MESSAGE_BYTES });
  const handle = serveStdio(() => createMemoryMcpServer(store, options), {
    transport,
    onerror: (error) => logger.warn('MCP', { error: messageOf(error) }),
  });
  held.follow(transport);
  return serveHeld(held, output, handle);
}
