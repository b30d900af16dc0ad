import { Client, InMemoryTransport } from '@modelcontextprotocol/client';
import { createMemoryMcpServer } from '@vizprompt/memory/mcp';
import { MemoryStore } from '@vizprompt/memory';
import { textMessage } from '@vizprompt/providers';
import { runTools } from '@vizprompt/providers/generate';
import { mcpTools } from '@vizprompt/providers/mcp';
import { scriptedModel } from '@vizprompt/providers/testing';

await using store = await MemoryStore.open({ path: ':memory:' });
const server = await createMemoryMcpServer(store);
const [near, transport] = InMemoryTransport.createLinkedPair();
await server.connect(near);
const model = scriptedModel(['まだ何もありません。']);
const request = { messages: [textMessage('user', '昨日は何をした？')] };

// #region tools
const client = new Client({ name: 'my-app', version: '1.0.0' });
await client.connect(transport);
await using mcp = await mcpTools(client);
const { text } = await runTools(model, request, mcp.tools, { maxSteps: 5 });
// #endregion tools

console.log(text, mcp.tools.length > 0);
await client.close();
