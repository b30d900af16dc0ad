import { serve } from '@hono/node-server';
import { Hono } from 'hono';
import { ask, close } from './ask.mjs';

const app = new Hono();
app.post('/chat', async (context) =>
  context.json(await ask(await context.req.text(), context.req.raw.signal)),
);

const port = Number(process.env.PORT);
const server = serve({ fetch: app.fetch, port }, () => console.log('ready'));
process.once('SIGTERM', () => server.close(() => void close()));
