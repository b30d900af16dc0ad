import { resolve } from 'node:path';
import type { McpServer } from '@modelcontextprotocol/server';
import type { Logger } from '@vizprompt/providers';
import { silentLogger } from '@vizprompt/providers/internal';
import { packageVersion } from '@vizprompt/providers/serving/internal';
import type { MemoryStore } from '../memory-store.ts';
import { loadMcpServer } from './load-mcp.ts';
import type { ToolHost } from './tool-host.ts';

/** Options of {@link createMemoryMcpServer}. */
export interface MemoryMcpOptions {
  /** What the server is called. Default: `ptta`. */
  readonly name?: string | undefined;
  /** The folder that is meant where a call names none. Default: the current one. */
  readonly workspace?: string | undefined;
  /** Hears of calls that failed for no fault of the client. Default: says nothing. */
  readonly logger?: Logger | undefined;
}

const INSTRUCTIONS = `The memory of past sessions in this workspace, verbatim: messages, thoughts, why files were changed and how, tools that were run.
Before you work on something, recall what is known, search for it, and look at file_history before you change a file: what was tried, what failed, what was decided. Results are short; read the whole of what matters with get_events, and what happened around it with timeline. Cite event ids.
A search without hits does not mean that nothing is there: try other words.`;

/**
 * An MCP server with the tools of a memory. It serves one connection; the starters make one for each. The
 * store stays open when it closes.
 *
 * @throws PeerError if `@modelcontextprotocol/server` is not installed.
 */
export async function createMemoryMcpServer(
  store: MemoryStore,
  { name = 'ptta', workspace = '.', logger = silentLogger }: MemoryMcpOptions = {},
): Promise<McpServer> {
  const { McpServer: Server } = await loadMcpServer();
  const [recall, search, timeline, events, history, log, sessions] = await Promise.all([
    import('./recall-tool.ts'),
    import('./search-tool.ts'),
    import('./timeline-tool.ts'),
    import('./get-events-tool.ts'),
    import('./file-history-tool.ts'),
    import('./log-tool.ts'),
    import('./session-tools.ts'),
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
  recall.addRecallTool(server, host);
  search.addSearchTool(server, host);
  timeline.addTimelineTool(server, host);
  events.addGetEventsTool(server, host);
  history.addFileHistoryTool(server, host);
  log.addLogTool(server, host);
  sessions.addSessionTools(server, host);
  return server;
}
