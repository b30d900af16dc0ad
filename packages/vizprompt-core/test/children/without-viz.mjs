// Asks for a picture where an optional package is not installed, and reports what it fails with.
import { register } from 'node:module';

const [, , name] = process.argv;
const hook = `
  export async function resolve(specifier, context, next) {
    if (specifier !== ${JSON.stringify(name)}) return next(specifier, context);
    const error = new Error("Cannot find package '" + specifier + "' imported from " + context.parentURL);
    throw Object.assign(error, { code: 'ERR_MODULE_NOT_FOUND' });
  }
`;
register(`data:text/javascript,${encodeURIComponent(hook)}`);

const { VizPrompt } = await import('@vizprompt/core');
const { inMemoryStorage, PeerError } = await import('@vizprompt/providers/node').then(
  async (node) => ({ ...node, ...(await import('@vizprompt/providers')) }),
);
const vizprompt = await VizPrompt.open({ storage: await inMemoryStorage() });
await vizprompt.createNode({ prompt: 'x' });
await vizprompt.exportFlow('main', { format: 'dot' });
const error = await vizprompt.exportFlow('main', { format: 'svg' }).then(
  () => new Error('it succeeded'),
  (failure) => failure,
);
process.send({ isPeerError: PeerError.isInstance(error), message: error.message });
await vizprompt.close();
process.disconnect();
