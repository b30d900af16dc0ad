import type { McpServer } from '@modelcontextprotocol/server';
import { type Logger } from '@vizprompt/providers';
import { silentLogger } from '@vizprompt/providers/internal';
import { packageVersion } from '@vizprompt/providers/serving/internal';
import { having, type Kinds, optional, TEXT } from '@vizprompt/providers/config/internal';
import type { NovelService } from '../project/novel-service.ts';
import { checkOptions, checkArgument } from '../check-options.ts';
import { loadMcpServer } from './load-mcp.ts';
import { OPTIONAL_LOGGER } from '../contract/backend-options.ts';

/** Options of {@link createNovelMcpServer}. */
export interface NovelMcpOptions {
  /** The name of the server. Default: `dialogoi`. */
  readonly name?: string | undefined;
  /** Receives calls that failed for no fault of the client. Default: says nothing. */
  readonly logger?: Logger | undefined;
}

const INSTRUCTIONS = `Novel projects: each has settings (characters, world, plans), content (the manuscript) and instructions of its author.
Begin with list_novel_projects and get_novel_instructions. To learn something, search in plain words first (search_novel_settings, search_novel_content) and cite file and lines; read around a hit with get_novel_settings or get_novel_content and startLine, endLine (startColumn, endColumn within a long line).
A search without hits does not mean that nothing is there: try other words, or the other search.`;

/**
 * Returns an MCP server with the eleven tools on projects, and their files as resources. It serves one
 * connection; the starters make one for each. The service stays open when it closes.
 *
 * @throws PeerError if `@modelcontextprotocol/server` is not installed.
 */
export async function createNovelMcpServer(
  service: NovelService,
  options: NovelMcpOptions = {},
): Promise<McpServer> {
  const { McpServer: Server } = await loadMcpServer();
  checkService(service);
  checkOptions('createNovelMcpServer', options, MCP_KINDS);
  const { name = 'dialogoi', logger = silentLogger } = options;
  const [lists, gets, searches, adds, resources] = await Promise.all([
    import('./list-tools.ts'),
    import('./get-tools.ts'),
    import('./search-tools.ts'),
    import('./add-tools.ts'),
    import('./resources.ts'),
  ]);
  const server = new Server(
    { name, title: 'Dialogoi', version: packageVersion('@vizprompt/rag', import.meta.url) },
    { instructions: INSTRUCTIONS },
  );
  const host = { service, logger };
  lists.addListTools(server, host);
  gets.addGetTools(server, host);
  searches.addSearchTools(server, host, service.searchLimits);
  adds.addWriteTools(server, host);
  await resources.addResources(server, host);
  return server;
}

export const MCP_KINDS: Kinds<NovelMcpOptions> = { name: optional(TEXT), logger: OPTIONAL_LOGGER };

const SERVICE = having('a NovelService (await NovelService.open(…))', 'search', 'list', 'read');

/** @throws RagError with the code `invalid-input`. */
export function checkService(service: unknown): void {
  checkArgument('the service', service, SERVICE);
}
