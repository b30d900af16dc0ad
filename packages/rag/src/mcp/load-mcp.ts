import type * as McpNode from '@modelcontextprotocol/node';
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

/** @throws PeerError if `@modelcontextprotocol/node` is not installed. */
export function loadMcpNode(): Promise<typeof McpNode> {
  return import('@modelcontextprotocol/node').catch(throwPeerError('@modelcontextprotocol/node'));
}

/**
 * The largest message, in bytes: a file of 10 MB as JSON, where an ASCII control character takes six.
 * What is too large for a file is then refused with words.
 */
export const MAX_MESSAGE_BYTES: number = 64 * 1024 * 1024;
