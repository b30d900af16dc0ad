// #region mcp
import { MemoryStore } from '@vizprompt/memory';
import { serveMemoryStdio } from '@vizprompt/memory/mcp';

await using store = await MemoryStore.open();
const server = await serveMemoryStdio(store, { workspace: process.cwd() });
await server.closed; // until the client hangs up
// #endregion mcp
