import type * as Mcp from '@modelcontextprotocol/server';
import type * as McpStdio from '@modelcontextprotocol/server/stdio';
import { toPeerError } from '@vizprompt/providers/internal';

/** @throws PeerError if `@modelcontextprotocol/server` is not installed. */
export async function loadMcpServer(): Promise<typeof Mcp> {
  try {
    return await import('@modelcontextprotocol/server');
  } catch (error) {
    throw toPeerError(error, '@modelcontextprotocol/server');
  }
}

/** @throws PeerError if `@modelcontextprotocol/server` is not installed. */
export async function loadMcpStdio(): Promise<typeof McpStdio> {
  try {
    return await import('@modelcontextprotocol/server/stdio');
  } catch (error) {
    throw toPeerError(error, '@modelcontextprotocol/server');
  }
}
