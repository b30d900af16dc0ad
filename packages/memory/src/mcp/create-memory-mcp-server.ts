import { resolve } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import type * as Mcp from '@modelcontextprotocol/server';
import type { McpServer } from '@modelcontextprotocol/server';
import type * as McpStdio from '@modelcontextprotocol/server/stdio';
import { type Logger, messageOf } from '@vizprompt/providers';
import { silentLogger, toPeerError } from '@vizprompt/providers/internal';
import { HeldInput, HeldOutput, type StdioServer } from '@vizprompt/providers/serving';
import { packageVersion, serveHeld } from '@vizprompt/providers/serving/internal';
import type { MemoryStore } from '../memory-store.ts';
import type { ToolHost } from './tool-host.ts';
import { checkOptions, checkArgument } from '../check-values.ts';
import { STORE } from '../model/input-kinds.ts';
import { LOGGER, TEXT, optional, type Kinds, OBJECT } from '@vizprompt/providers/config/internal';

/** Options of {@link createMemoryMcpServer}. */
export interface MemoryMcpOptions {
  /** The name of the server. Default: `ptta`. */
  readonly name?: string | undefined;
  /** The folder that is meant where a call names none. Default: the current one. */
  readonly workspace?: string | undefined;
  /** Receives calls that failed for no fault of the client. Default: says nothing. */
  readonly logger?: Logger | undefined;
}

const INSTRUCTIONS = `The memory of past sessions in this workspace, verbatim: messages, thoughts, why files were changed and how, tools that were run.
Before you work on something, recall what is known, search for it, and look at file_history before you change a file: what was tried, what failed, what was decided. Results are short; read the whole of what matters with get_events, and what happened around it with timeline. Cite event ids.
A search without hits does not mean that nothing is there: try other words.`;

const KINDS: Kinds<MemoryMcpOptions> = {
  name: optional(TEXT),
  workspace: optional(TEXT),
  logger: optional(LOGGER),
};

/**
 * Creates an MCP server with the tools of a memory, prompts for its users, and sessions and files as resources. It
 * serves one connection. The store stays open when it closes.
 *
 * @throws PeerError if `@modelcontextprotocol/server` is not installed.
 */
export async function createMemoryMcpServer(
  store: MemoryStore,
  options: MemoryMcpOptions = {},
): Promise<McpServer> {
  checkArgument('the store of createMemoryMcpServer', store, STORE);
  checkOptions('createMemoryMcpServer', options, KINDS);
  const { name = 'ptta', workspace = '.', logger = silentLogger } = options;
  const mcp = await loadMcpServer();
  const { McpServer: Server } = mcp;
  const [search, events, history, sessions, forget, prompts, resources] = await Promise.all([
    import('./search-tools.ts'),
    import('./event-tools.ts'),
    import('./file-history-tool.ts'),
    import('./session-tools.ts'),
    import('./forget-tool.ts'),
    import('./prompts.ts'),
    import('./resources.ts'),
  ]);
  const server = new Server(
    {
      name,
      title: 'Memory of agents',
      version: packageVersion('@vizprompt/memory', import.meta.url),
    },
    { instructions: INSTRUCTIONS },
  );
  const host: ToolHost = { store, workspace: resolve(workspace), logger };
  search.addRecallTool(server, host);
  search.addSearchTool(server, host);
  events.addTimelineTool(server, host);
  events.addGetEventsTool(server, host);
  history.addFileHistoryTool(server, host);
  events.addLogTool(server, host);
  sessions.addSessionTools(server, host);
  forget.addForgetTool(server, host);
  prompts.addPrompts(server, host);
  resources.addResources(server, host, mcp);
  return server;
}

/** Options of {@link serveMemoryStdio}. */
export interface ServeMemoryStdioOptions extends MemoryMcpOptions {
  /** Source of messages. Default: `process.stdin`. */
  readonly input?: Readable | undefined;
  /** Nothing but messages goes there; a program that serves must print nothing to it. Default: `process.stdout`. */
  readonly output?: Writable | undefined;
  /**
   * Time limit for pending requests after the input has ended, in milliseconds. Default: 30,000, as the
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
  checkArgument('the store of serveMemoryStdio', store, STORE);
  checkArgument('the options of serveMemoryStdio', given, OBJECT);
  const { input = process.stdin, output = process.stdout, patienceMs, ...options } = given;
  checkOptions('serveMemoryStdio', options, KINDS);
  const { serveStdio, StdioServerTransport } = await loadMcpStdio();
  const { logger = silentLogger } = options;
  const heldOutput = new HeldOutput(output);
  const held = new HeldInput(input, { patienceMs, output: heldOutput });
  const transport = new StdioServerTransport(held, heldOutput, {
    maxBufferSize: MAX_MESSAGE_BYTES,
  });
  const handle = serveStdio(() => createMemoryMcpServer(store, options), {
    transport,
    onerror: (error) => logger.warn('MCP', { error: messageOf(error) }),
  });
  held.follow(transport);
  return serveHeld(held, heldOutput, handle);
}

/** @throws PeerError if `@modelcontextprotocol/server` is not installed. */
async function loadMcpServer(): Promise<typeof Mcp> {
  try {
    return await import('@modelcontextprotocol/server');
  } catch (error) {
    throw toPeerError(error, '@modelcontextprotocol/server');
  }
}

/** @throws PeerError if `@modelcontextprotocol/server` is not installed. */
async function loadMcpStdio(): Promise<typeof McpStdio> {
  try {
    return await import('@modelcontextprotocol/server/stdio');
  } catch (error) {
    throw toPeerError(error, '@modelcontextprotocol/server');
  }
}
