// Serves a project where an optional package is not installed, and reports what it fails with.
import { hidePackage } from './hide-package.mjs';

hidePackage('ws');
const { VizPrompt } = await import('@vizprompt/core');
const { serveWebSocket } = await import('@vizprompt/core/websocket');
const { PeerError } = await import('@vizprompt/providers');
const { inMemoryStorage } = await import('@vizprompt/providers/node');

const vizprompt = await VizPrompt.open({ storage: await inMemoryStorage() });
const error = await serveWebSocket(vizprompt, { port: 0 }).then(
  () => new Error('it succeeded'),
  (failure) => failure,
);
process.send({ isPeerError: PeerError.isInstance(error), message: error.message });
await vizprompt.close();
process.disconnect();
