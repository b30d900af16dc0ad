/**
 * Tools of MCP servers for models, over connected clients of the official SDK: `npm install @modelcontextprotocol/client`.
 *
 * @module @vizprompt/providers/mcp
 */
export type { McpClient, McpProgress } from './mcp-client.ts';
export {
  mcpTools,
  type McpToolInfo,
  type McpToolProgress,
  type McpTools,
  type McpToolsOptions,
} from './mcp-tools.ts';
export type { JsonValue } from '../index.ts';
export type { RunnableTool } from '../generate/index.ts';
