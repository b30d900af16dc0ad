// A web chat whose branches are files that git can diff:
//   npm start -- [--folder DIR] [--model openai:gpt-5-mini] [--base-url URL] [--port 7781]
//
// Without --model a stand-in answers, so that no key is needed.
import { parseArgs } from 'node:util';
import { serve } from '@hono/node-server';
import { VizPrompt } from '@vizprompt/core';
import { createModelRegistry } from '@vizprompt/providers/registry';
import { createApp } from './app.ts';
import { standIn } from './stand-in.ts';

const { values } = parseArgs({
  options: {
    folder: { type: 'string', default: 'chat-app-data' },
    model: { type: 'string' },
    'base-url': { type: 'string' },
    port: { type: 'string', default: '7781' },
  },
});
const model =
  values.model === undefined
    ? standIn()
    : createModelRegistry().model(values.model, { baseURL: values['base-url'] });
const vizprompt = await VizPrompt.open(values.folder);
const server = serve(
  { fetch: createApp(vizprompt, model).fetch, hostname: '127.0.0.1', port: Number(values.port) },
  ({ port }) => console.log(`open http://127.0.0.1:${port}`),
);
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void end());

/** Answers that are on their way are stored as far as they have come. */
async function end(): Promise<void> {
  if ('closeAllConnections' in server) server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  await vizprompt.close();
}
