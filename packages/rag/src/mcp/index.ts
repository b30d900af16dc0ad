/**
 * An MCP server on novel projects: eleven tools and their files as resources, over stdio or
 * streamable HTTP. Needs `npm install @modelcontextprotocol/server @modelcontextprotocol/node`.
 *
 * @example
 * ```ts
 * await using novels = await NovelService.open({ config: await loadRagConfig() });
 * await using server = await serveNovelHttp(novels, { port: 3000 });
 * console.error(server.url);
 * ```
 *
 * @module @vizprompt/rag/mcp
 */
export { createNovelMcpServer, type NovelMcpOptions } from './create-novel-mcp-server.ts';
export { serveNovelHttp, type NovelHttpServer, type ServeNovelHttpOptions } from './serve-http.ts';
export { serveNovelStdio, type ServeNovelStdioOptions } from './serve-stdio.ts';
export type { StdioServer } from '@vizprompt/providers/serving';
export type { Logger } from '../index.ts';
