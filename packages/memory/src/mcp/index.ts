/**
 * An MCP server on a memory: short results first, details on request. Needs
 * `npm install @modelcontextprotocol/server`.
 *
 * @module @vizprompt/memory/mcp
 */
export { createMemoryMcpServer, type MemoryMcpOptions } from './create-memory-mcp-server.ts';
export { serveMemoryStdio, type ServeMemoryStdioOptions } from './create-memory-mcp-server.ts';
export type { StdioServer } from '@vizprompt/providers/serving';
export type { Logger } from '../index.ts';
