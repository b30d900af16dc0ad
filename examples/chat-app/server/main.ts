// A web chat whose branches are files that git can diff:
//   npm start -- [--folder DIR] [--model openai:gpt-5-mini] [--base-url URL] [--port 7781] [--delay MS]
//
// Without --model a stand-in answers, so that no key is needed; --delay is its pause between pieces of an answer.
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
    delay: { type: 'string', default: '15' },
  },
});
const model =
  values.model === undefined
    ? standIn(Number(values.delay))
    : createModelRegistry().model(values.model, { baseURL: values['base-url'] });
const vizprompt = await VizPrompt.open(values.folder);
const app = createApp(vizprompt, model);
const server = serve(
  { fetch: app.fetch, hostname: '127.0.0.1', port: Number(values.port) },
  ({ port }) => console.log(`open http://127.0.0.1:${port}`),
);
// tsx passes on a signal that the terminal has sent as well.
let ended: Promise<void> | undefined;
const stop = (): void => void (ended ??= end());
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, stop);

/** Answers that are on their way are stored as far as they have come. */
async function end(): Promise<void> {
  await app.stop();
  // Requests that are being answered come to their end.
  await new Promise((resolve) => server.close(resolve));
  await vizprompt.close();
}
