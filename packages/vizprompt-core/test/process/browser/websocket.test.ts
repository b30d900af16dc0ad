import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { scriptedModel } from '@vizprompt/providers/testing';
import { expect, it, onTestFinished } from 'vitest';
import {
  CHROMIUM,
  NO_CHROMIUM,
  openInChromium,
} from '../../../../providers/test/support/chromium.ts';
import { temporaryFolder } from '../../support/open-project.ts';
import { serveProject } from '../../support/websocket/serve-project.ts';

/** Serves an empty page, and gives its address. */
async function servePage(host: string): Promise<string> {
  const server = createServer((_request, response) => {
    response.writeHead(200, { 'Content-Type': 'text/html' }).end('<!doctype html><title>x</title>');
  });
  server.listen(0, host);
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const { port } = server.address() as { readonly port: number };
  return `http://localhost:${port}/`;
}

/** How a connection of a page ends that is not let in. */
function endOf(url: string, protocols: readonly string[] = []): string {
  return `new Promise((resolve) => {
    const socket = new WebSocket(${JSON.stringify(url)}, ${JSON.stringify(protocols)});
    socket.onopen = () => resolve('open ' + socket.protocol);
    socket.onclose = ({ code }) => resolve(code);
  })`;
}

it('a page talks to the server with the WebSocket of its browser', async ({ skip }) => {
  skip(CHROMIUM === undefined, NO_CHROMIUM);
  const model = scriptedModel(['はい、とても好きです。😀']);
  const address = await servePage('127.0.0.1');
  const allowedOrigins = [new URL(address).origin];
  const { server, vizprompt } = await serveProject({ allowedOrigins }, { model });
  const page = await openInChromium(address);
  const heard = await page.evaluate(`new Promise((resolve, reject) => {
    const socket = new WebSocket(${JSON.stringify(server.url)});
    const heard = [];
    const send = (message) => socket.send(JSON.stringify(message));
    socket.onopen = () => {
      send({ action: 'subscribe', data: { event: 'flow_updated', flow_id: 'main' } });
      send({ action: 'create_node', data: { prompt: '質問内容', response: '回答内容' } });
      send({ id: 'chat', action: 'chat', data: { prompt: '猫は好き？ \\ud800' } });
    };
    socket.onmessage = ({ data }) => {
      const message = JSON.parse(data);
      heard.push(message);
      if (message.id === 'chat' && message.status) socket.close(1000);
    };
    socket.onclose = ({ code }) => resolve({ code, heard });
    socket.onerror = () => reject(new Error('it failed'));
  })`);
  const { nodes } = await vizprompt.getFlow();
  expect(heard).toMatchObject({
    code: 1000,
    heard: [
      { status: 'success', data: { subscriptions: 1 } },
      { event: 'flow_updated', data: { flow: { head: nodes[0]?.id } } },
      { status: 'success', node_id: nodes[0]?.id },
      { event: 'flow_updated', data: { flow: { head: nodes[1]?.id } } },
      { id: 'chat', event: 'chat_asked', data: { node: { prompt: '猫は好き？ \ud800' } } },
      { id: 'chat', event: 'chat_delta', data: { text: 'はい、とても好き' } },
      { id: 'chat', event: 'chat_delta', data: { text: 'です。😀' } },
      { id: 'chat', status: 'success', node_id: nodes[1]?.id },
    ],
  });
  expect(page.failures).toEqual([]);
  await expect.poll(() => server.clients).toBe(0);
});

it('a page of another program of this machine is not let in', async ({ skip }) => {
  skip(CHROMIUM === undefined, NO_CHROMIUM);
  const { server, vizprompt } = await serveProject();
  const page = await openInChromium(await servePage('127.0.0.1'));
  expect(await page.evaluate(endOf(server.url))).toBe(1006);
  expect(server.clients).toBe(0);
  expect(await vizprompt.searchNodes({})).toEqual([]);
});

it('a page brings the token as a subprotocol', async ({ skip }) => {
  skip(CHROMIUM === undefined, NO_CHROMIUM);
  const address = await servePage('127.0.0.1');
  const allowedOrigins = [new URL(address).origin];
  const { server } = await serveProject({ token: 'a token/of some=length', allowedOrigins });
  const page = await openInChromium(address);
  const right = `token.${encodeURIComponent('a token/of some=length')}`;
  expect(await page.evaluate(endOf(server.url, ['vizprompt.v1', right]))).toBe('open vizprompt.v1');
  expect(await page.evaluate(endOf(server.url, ['vizprompt.v1', 'token.other']))).toBe(1006);
  expect(await page.evaluate(endOf(server.url))).toBe(1006);
});

it('a page from a file, which has no origin, is let in where it is allowed', async ({ skip }) => {
  skip(CHROMIUM === undefined, NO_CHROMIUM);
  const { server } = await serveProject();
  const other = await serveProject({ allowedOrigins: ['null'] });
  const file = join(await temporaryFolder(), 'page.html');
  await writeFile(file, '<!doctype html><title>x</title>');
  const page = await openInChromium(pathToFileURL(file).href);
  expect(await page.evaluate(endOf(server.url))).toBe(1006);
  expect(await page.evaluate(endOf(other.server.url))).toBe('open ');
  expect(server.clients).toBe(0);
});
