import type * as McpNode from '@modelcontextprotocol/node';
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

/** @throws PeerError if `@modelcontextprotocol/node` is not installed. */
export async function loadMcpNode(): Promise<typeof McpNode> {
  try {
    return await import('@modelcontextprotocol/node');
  } catch (error) {
    throw toPeerError(error, '@modelcontextprotocol/node');
  }
}

/**
 * The largest message, in bytes: a file of 10 MB as JSON, where an ASCII control character takes six.
 * A text that is too large for a file is then refused with words.
 */
export const MAX_MESSAGE_BYTES: number = 64 * 1024 * 1024;
