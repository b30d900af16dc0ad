import type * as Mcp from '@modelcontextprotocol/server';
import type * as McpStdio from '@modelcontextprotocol/server/stdio';
import { throwPeerError } from '@vizprompt/providers/internal';

/** @throws PeerError if `@modelcontextprotocol/server` is not installed. */
export function loadMcpServer(): Promise<typeof Mcp> {
  return import('@modelcontextprotocol/server').catch(
    throwPeerError('@modelcontextprotocol/server'),
  );
}

/** @throws PeerError if `@modelcontextprotocol/server` is not installed. */
export function loadMcpStdio(): Promise<typeof McpStdio> {
  return import('@modelcontextprotocol/server/stdio').catch(
    throwPeerError('@modelcontextprotocol/server'),
  );
}
