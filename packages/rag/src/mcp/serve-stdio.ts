import { once } from 'node:events';
import type { Readable, Writable } from 'node:stream';
import { messageOf, silentLogger } from '@vizprompt/providers';
import { having, type Kinds, optional } from '@vizprompt/providers/config';
import { checkOptions } from '../check-options.ts';
import type { NovelService } from '../project/novel-service.ts';
import { createNovelMcpServer, type NovelMcpOptions } from './create-novel-mcp-server.ts';
import { checkService, MCP_KINDS } from './check-service.ts';
import { loadMcpStdio } from './load-mcp.ts';
import { MAX_MESSAGE_BYTES } from './message-size.ts';

/** Options of {@link serveNovelStdio}. */
export interface ServeNovelStdioOptions extends NovelMcpOptions {
  /** Default: `process.stdin`. */
  readonly input?: Readable;
  /** Nothing but messages goes there; a program that serves must print nothing to it. Default: `process.stdout`. */
  readonly output?: Writable;
}

const KINDS: Kinds<ServeNovelStdioOptions> = {
  ...MCP_KINDS,
  input: optional(having('a readable stream', 'on', 'read')),
  output: optional(having('a writable stream', 'on', 'write')),
};

/** A server on standard input and output. */
export interface NovelStdioServer extends AsyncDisposable {
  /** Resolves when the client has hung up. */
  readonly closed: Promise<void>;
  close(): Promise<void>;
}

/**
 * Serves one client on standard input and output, of the protocol of 2026 or those before. The
 * service stays open.
 *
 * @throws PeerError if `@modelcontextprotocol/server` is not installed.
 * @example
 * ```ts
 * await using novels = await NovelService.open({ config: await loadRagConfig() });
 * await (await serveNovelStdio(novels)).closed;
 * ```
 */
export async function serveNovelStdio(
  service: NovelService,
  given: ServeNovelStdioOptions = {},
): Promise<NovelStdioServer> {
  const { serveStdio, StdioServerTransport } = await loadMcpStdio();
  checkService(service);
  checkOptions('serveNovelStdio', given, KINDS);
  const { input = process.stdin, output = process.stdout, ...options } = given;
  const { logger = silentLogger } = options;
  const transport = new StdioServerTransport(input, output, { maxBufferSize: MAX_MESSAGE_BYTES });
  const handle = serveStdio(() => createNovelMcpServer(service, options), {
    transport,
    onerror: (error) => logger.warn('MCP', { error: messageOf(error) }),
  });
  // A client that is gone may leave either end open.
  const ended = Promise.race([once(input, 'end'), once(input, 'close'), once(output, 'close')]);
  const close = (): Promise<void> => handle.close();
  return { closed: ended.then(close, close), close, [Symbol.asyncDispose]: close };
}
