// Serves a memory over stdio, as an app would: `serve-mcp.mjs DATABASE WORKSPACE`.
import { MemoryStore } from '@vizprompt/memory';
import { serveMemoryStdio } from '@vizprompt/memory/mcp';

const [, , path, workspace] = process.argv;
const store = await MemoryStore.open({ path });
const server = await serveMemoryStdio(store, { workspace });
await server.closed;
await store.close();
console.error('the client has hung up');
