import express from 'express';
import { ask, close } from './ask.mjs';

const app = express();
// oxlint-disable-next-line oxc/no-async-endpoint-handlers -- Express 5 takes what they throw
app.post('/chat', express.text(), async (request, response) => {
  const left = new AbortController();
  response.once('close', () => left.abort());
  response.json(await ask(request.body, left.signal));
});

const server = app.listen(process.env.PORT, () => console.log('ready'));
process.once('SIGTERM', () => server.close(() => void close()));
