// Uses what needs optional packages where none of them is installed, and reports what it fails with.
import { register } from 'node:module';

const hook = `
  export async function resolve(specifier, context, next) {
    const [, name] = /^(hono|@modelcontextprotocol\\/server)(?:\\/|$)/.exec(specifier) ?? [];
    if (name === undefined) return next(specifier, context);
    const error = new Error("Cannot find package '" + name + "' imported from " + context.parentURL);
    throw Object.assign(error, { code: 'ERR_MODULE_NOT_FOUND' });
  }
`;
register(`data:text/javascript,${encodeURIComponent(hook)}`);

const { PeerError } = await import('@vizprompt/providers');
const { inMemoryStorage } = await import('@vizprompt/providers/node');
const { MemoryStore } = await import('@vizprompt/memory');
const { createMemoryApp } = await import('@vizprompt/memory/http');
const { createMemoryMcpServer, serveMemoryStdio } = await import('@vizprompt/memory/mcp');

const failureOf = async (work) => {
  const error = await work.then(
    () => new Error('it succeeded'),
    (failure) => failure,
  );
  return { isPeerError: PeerError.isInstance(error), message: error.message };
};
const storage = await inMemoryStorage();
const store = await MemoryStore.open({ storage });
const { id } = await store.startSession();
process.send({
  http: await failureOf(createMemoryApp(store)),
  mcp: await failureOf(createMemoryMcpServer(store)),
  stdio: await failureOf(serveMemoryStdio(store)),
  session: id,
});
await store.close();
await storage.close();
process.disconnect();
