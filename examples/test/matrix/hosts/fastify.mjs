import Fastify from 'fastify';
import { ask, close } from './ask.mjs';

const app = Fastify();
app.post('/chat', async (request, reply) => {
  const left = new AbortController();
  reply.raw.once('close', () => left.abort());
  return ask(request.body, left.signal);
});
app.addHook('onClose', close);

await app.listen({ port: Number(process.env.PORT) });
console.log('ready');
process.once('SIGTERM', () => void app.close());
