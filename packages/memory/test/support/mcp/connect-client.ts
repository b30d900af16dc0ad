import { Client, InMemoryTransport, type CallToolResult } from '@modelcontextprotocol/client';
import type { MemoryStore } from '@vizprompt/memory';
import { createMemoryMcpServer, type MemoryMcpOptions } from '@vizprompt/memory/mcp';
import { onTestFinished } from 'vitest';

/** Where the tools of the tests work. */
export const WORKSPACE = '/home/me/アプリ';

/** Returns the official client, connected in memory. */
export async function connect(store: MemoryStore, options: MemoryMcpOptions = {}): Promise<Client> {
  const server = await createMemoryMcpServer(store, { workspace: WORKSPACE, ...options });
  const client = new Client({ name: 'test', version: '1.0.0' });
  const [near, far] = InMemoryTransport.createLinkedPair();
  await Promise.all([server.connect(far), client.connect(near)]);
  onTestFinished(async () => {
    await client.close();
    await server.close();
  });
  return client;
}

/** Calls a tool. */
export async function call(
  client: Client,
  name: string,
  args: Readonly<Record<string, unknown>> = {},
): Promise<CallToolResult> {
  return client.callTool({ name, arguments: { ...args } });
}

/** Calls a tool that must not fail, and gives its data. */
export async function dataOf(
  client: Client,
  name: string,
  args: Readonly<Record<string, unknown>> = {},
  // oxlint-disable-next-line typescript/no-explicit-any -- tests look into whatever comes
): Promise<any> {
  const result = await call(client, name, args);
  if (result.isError) throw new Error(textOf(result));
  return result.structuredContent;
}

/** Returns the text of a result. */
export function textOf({ content }: CallToolResult): string {
  return content.map((part) => (part.type === 'text' ? part.text : '')).join('');
}
