import type { Readable, Writable } from 'node:stream';
import { messageOf } from '@vizprompt/providers';
import { HeldInput, HeldOutput, type StdioServer } from '@vizprompt/providers/serving';
import { silentLogger } from '@vizprompt/providers/internal';
import { AMOUNT, having, type Kinds, optional } from '@vizprompt/providers/config/internal';
import { serveHeld } from '@vizprompt/providers/serving/internal';
import { checkOptions } from '../check-options.ts';
import type { NovelService } from '../project/novel-service.ts';
import {
  createNovelMcpServer,
  type NovelMcpOptions,
  checkService,
  MCP_KINDS,
} from './create-novel-mcp-server.ts';
import { loadMcpStdio, MAX_MESSAGE_BYTES } from './load-mcp.ts';

/** Options of {@link serveNovelStdio}. */
export interface ServeNovelStdioOptions extends NovelMcpOptions {
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

const KINDS: Kinds<ServeNovelStdioOptions> = {
  ...MCP_KINDS,
  input: optional(having('a readable stream', 'on', 'read')),
  output: optional(having('a writable stream', 'on', 'write')),
  patienceMs: optional(AMOUNT),
};

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
): Promise<StdioServer> {
  const { serveStdio, StdioServerTransport } = await loadMcpStdio();
  checkService(service);
  checkOptions('serveNovelStdio', given, KINDS);
  const { input = process.stdin, output = process.stdout, patienceMs, ...options } = given;
  const { logger = silentLogger } = options;
  const heldOutput = new HeldOutput(output);
  const held = new HeldInput(input, { patienceMs, output: heldOutput });
  const transport = new StdioServerTransport(held, heldOutput, {
    maxBufferSize: MAX_MESSAGE_BYTES,
  });
  const handle = serveStdio(() => createNovelMcpServer(service, options), {
    transport,
    onerror: (error) => logger.warn('MCP', { error: messageOf(error) }),
  });
  held.follow(transport);
  return serveHeld(held, heldOutput, handle);
}
