// #region program
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { VizPrompt } from '@vizprompt/core';
import { scriptedModel } from '@vizprompt/providers/testing';

// Opened by the first request, once for all. A failure is tried again by the next one.
let opening: Promise<VizPrompt> | undefined;
function project(): Promise<VizPrompt> {
  opening ??= VizPrompt.open(process.env['DATA_FOLDER'] ?? './data', {
    model: scriptedModel(['Until the bell rings.']), // openai({ model: 'gpt-5-mini' })
  }).catch((error: unknown) => {
    opening = undefined;
    throw error;
  });
  return opening;
}

/** A route handler of Next, a handler of Hono, Bun and Deno; of others with what converts a request. */
export async function POST(request: Request): Promise<Response> {
  const prompt = await request.text();
  const node = await (await project()).chat({ prompt, signal: request.signal }).node();
  return Response.json({ answer: node.response });
}

// The same in Node alone. Written data is on the disk when the answer is; close lets go of the locks.
async function answer(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
  const body: Buffer[] = [];
  for await (const part of incoming) body.push(part);
  const request = new Request('http://localhost/', { method: 'POST', body: Buffer.concat(body) });
  const response = await POST(request);
  outgoing.writeHead(response.status, Object.fromEntries(response.headers));
  outgoing.end(await response.text());
}
const server = createServer((incoming, outgoing) => void answer(incoming, outgoing));
async function stop(): Promise<void> {
  server.close();
  await (await opening)?.close();
}
process.once('SIGTERM', () => void stop());

await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
const address = server.address();
const port = typeof address === 'object' ? address?.port : undefined;
const asked = await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', body: 'How long?' });
console.log(await asked.json());
await stop();
// #endregion program
