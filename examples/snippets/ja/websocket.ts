import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

process.chdir(await mkdtemp(join(tmpdir(), 'vizprompt-websocket-')));

// #region serve
import { VizPrompt } from '@vizprompt/core';
import { serveWebSocket } from '@vizprompt/core/websocket';
import { scriptedModel } from '@vizprompt/providers/testing';

const model = scriptedModel(['30分です。']); // または ollama({ model: 'qwen3:8b' })
const vizprompt = await VizPrompt.open('./my-project', { model });
const server = await serveWebSocket(vizprompt, { port: 0 }); // default: 8080; 0: one that is free
console.log(server.url); // ws://127.0.0.1:49152/
// #endregion serve

// #region client
import { WebSocket } from 'ws'; // Node 22 以上とブラウザーでは要らない

const socket = new WebSocket(server.url); // the same in a browser
const send = (message: object): void => socket.send(JSON.stringify(message));
socket.addEventListener('open', () => {
  send({ action: 'subscribe', data: { event: 'flow_updated', flow_id: 'main' } });
  send({ action: 'create_node', data: { prompt: '質問内容', response: '回答内容' } });
  send({ id: 'why', action: 'chat', data: { prompt: '期限は何分？' } });
});
socket.addEventListener('message', ({ data }) => {
  const { id, status, event, ...message } = JSON.parse(data as string);
  if (event === 'chat_delta') process.stdout.write(message.data.text);
  if (status === 'error') console.error(message.error.code, message.error.message);
  if (id === 'why' && status !== undefined) socket.close();
});
// #endregion client

await new Promise((resolve) => socket.addEventListener('close', resolve));
const { nodes } = await vizprompt.getFlow();
console.log(`\n${nodes.length} nodes`);

// #region close
await server.close(); // first this: answers that are in progress are kept
await vizprompt.close();
// #endregion close
