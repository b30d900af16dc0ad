import type * as Mcp from '@modelcontextprotocol/server';
import type * as McpStdio from '@modelcontextprotocol/server/stdio';
import { importPeer } from '@vizprompt/providers/internal';

/** @throws PeerError if `@modelcontextprotocol/server` is not installed. */
export function loadMcpServer(): Promise<typeof Mcp> {
  return importPeer('@modelcontextprotocol/server', () => import('@modelcontextprotocol/server'));
}

/** @throws PeerError if `@modelcontextprotocol/server` is not installed. */
export function loadMcpStdio(): Promise<typeof McpStdio> {
  return importPeer(
    '@modelcontextprotocol/server',
    () => import('@modelcontextprotocol/server/stdio'),
  );
}
