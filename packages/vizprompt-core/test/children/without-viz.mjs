// Asks for a picture where an optional package is not installed, and reports what it fails with.
import { hidePackage } from './hide-package.mjs';

hidePackage('@viz-js/viz');
const { VizPrompt } = await import('@vizprompt/core');
const { PeerError } = await import('@vizprompt/providers');
const { inMemoryStorage } = await import('@vizprompt/providers/node');

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
