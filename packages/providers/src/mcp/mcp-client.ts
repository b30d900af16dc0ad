import { isRecord } from '../json/fields.ts';

/**
 * A connected client of an MCP server: `Client` of `@modelcontextprotocol/client` (2), or of `@modelcontextprotocol/sdk` (1).
 */
export interface McpClient {
  listTools(params?: { readonly cursor?: string }, options?: object): Promise<object>;
  /** Version 1 takes a schema before the options. */
  callTool(
    params: { readonly name: string; readonly arguments?: Record<string, unknown> },
    options?: object,
    more?: object,
  ): Promise<object>;
  getServerVersion(): { readonly name: string } | undefined;
  getServerCapabilities?(): object | undefined;
  getInstructions?(): string | undefined;
}

/** The progress of a call, as its server reports it. */
export interface McpProgress {
  /** Grows with each report. */
  readonly progress: number;
  /** The end of `progress`, if the server knows it. */
  readonly total?: number | undefined;
  readonly message?: string | undefined;
}

/** Options of one request, which both versions of the client know. */
export interface McpRequestOptions {
  readonly signal?: AbortSignal | undefined;
  readonly timeout?: number | undefined;
  readonly resetTimeoutOnProgress?: boolean | undefined;
  readonly onprogress?: ((progress: McpProgress) => void) | undefined;
}

/** Calls a tool with either version of the client. */
export function callTool(
  client: McpClient,
  name: string,
  input: Record<string, unknown>,
  options: McpRequestOptions,
): Promise<object> {
  const params = { name, arguments: input };
  // Version 1 declares a default for its second parameter, which ends the length of a function.
  const isFirst = !('getProtocolEra' in client) && client.callTool.length < 2;
  return isFirst ? client.callTool(params, undefined, options) : client.callTool(params, options);
}

const CHANGED = 'notifications/tools/list_changed';

/** The part of version 2 that reports changes; version 1 asks for a schema of its own package. */
interface ReportingClient {
  getProtocolEra(): string | undefined;
  setNotificationHandler(method: string, handler: () => void): void;
  removeNotificationHandler(method: string): void;
  /** Opens a stream of changes, on connections of the protocol from 2026-07-28 on. */
  listen(filter: { readonly toolsListChanged: true }): Promise<{ close(): Promise<void> }>;
}

/**
 * Reports when a server changes its list of tools. Version 1 of the client reports nothing here: its own option
 * `listChanged` does.
 *
 * @returns A function that ends it.
 */
export async function watchTools(
  client: McpClient,
  onChange: () => void,
): Promise<() => Promise<void>> {
  if (!changesTools(client) || !isReporting(client)) return async () => {};
  client.setNotificationHandler(CHANGED, onChange);
  const isModern = client.getProtocolEra() === 'modern';
  const stream = isModern ? await client.listen({ toolsListChanged: true }) : undefined;
  return async () => {
    client.removeNotificationHandler(CHANGED);
    await stream?.close();
  };
}

/** Checks whether a server has tools, as far as the client knows. */
export function hasTools(client: McpClient): boolean {
  const capabilities = client.getServerCapabilities?.();
  return !isRecord(capabilities) || capabilities['tools'] !== undefined;
}

function changesTools(client: McpClient): boolean {
  const capabilities = client.getServerCapabilities?.();
  const tools = isRecord(capabilities) ? capabilities['tools'] : undefined;
  return isRecord(tools) && tools['listChanged'] === true;
}

function isReporting(client: McpClient): client is McpClient & ReportingClient {
  return 'getProtocolEra' in client && 'setNotificationHandler' in client;
}
