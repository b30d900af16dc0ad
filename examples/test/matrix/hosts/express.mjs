import express from 'express';
import { ask, close } from './ask.mjs';

const app = express();
app.post('/chat', express.text(), (request, response, next) => {
  const left = new AbortController();
  response.once('close', () => left.abort());
  void ask(request.body, left.signal).then((found) => response.json(found), next);
});

const server = app.listen(process.env.PORT, () => console.log('ready'));
process.once('SIGTERM', () => server.close(() => void close()));
