// Uses vector stores where their packages are not installed, and reports what they fail with.
import { register } from 'node:module';

const hook = `
  export async function resolve(specifier, context, next) {
    if (!['sqlite-vec', '@qdrant/js-client-rest'].includes(specifier)) return next(specifier, context);
    const error = new Error("Cannot find package '" + specifier + "' imported from " + context.parentURL);
    throw Object.assign(error, { code: 'ERR_MODULE_NOT_FOUND' });
  }
`;
register(`data:text/javascript,${encodeURIComponent(hook)}`);

const { PeerError } = await import('@vizprompt/providers');
const { inMemoryStorage } = await import('@vizprompt/providers/node');
const { sqliteVecStore } = await import('@vizprompt/providers/sqlite-vec');
const { qdrantStore } = await import('@vizprompt/providers/qdrant');
const storage = await inMemoryStorage();
const stores = [
  sqliteVecStore({ database: storage.cache, dimensions: 2 }),
  qdrantStore({ collection: 'c', dimensions: 2 }),
];
const failures = [];
for (const store of stores) {
  const error = await store.count().catch((failure) => failure);
  failures.push({ isPeerError: PeerError.isInstance(error), message: String(error.message) });
}
await storage.close();
process.send(failures);
process.disconnect();
