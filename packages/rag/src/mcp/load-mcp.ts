import { importPeer } from '@vizprompt/providers';

/** @throws PeerError if `@modelcontextprotocol/server` is not installed. */
export function loadMcpServer(): Promise<typeof import('@modelcontextprotocol/server')> {
  return importPeer(
    '@modelcontextprotocol/server',
    () => import('@modelcontextprotocol/server'),
  );
}

/** @throws PeerError if `@modelcontextprotocol/server` is not installed. */
export function loadMcpStdio(): Promise<typeof import('@modelcontextprotocol/server/stdio')> {
  return importPeer(
    '@modelcontextprotocol/server',
    () => import('@modelcontextprotocol/server/stdio'),
  );
}

/** @throws PeerError if `@modelcontextprotocol/node` is not installed. */
export function loadMcpNode(): Promise<typeof import('@modelcontextprotocol/node')> {
  return importPeer('@modelcontextprotocol/node', () => import('@modelcontextprotocol/node'));
}
