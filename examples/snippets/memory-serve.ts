import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

process.chdir(await mkdtemp(join(tmpdir(), 'vizprompt-memory-serve-')));
process.env['HOME'] = process.cwd();

// #region http
import { serve } from '@hono/node-server';
import { MemoryStore } from '@vizprompt/memory';
import { createMemoryApp } from '@vizprompt/memory/http';

const store = await MemoryStore.open();
const ending = new AbortController();
const app = await createMemoryApp(store, { signal: ending.signal });
const server = serve({ fetch: app.fetch, hostname: '127.0.0.1', port: 7737 });
process.once('SIGTERM', () => {
  ending.abort(); // ends the streams: without it the server waits for those who follow
  server.close(() => void store.close());
});
// #endregion http
const post = (path: string, body: object): Promise<Response> =>
  fetch(`http://127.0.0.1:7737${path}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });
const started = await post('/api/sessions', { workspace_path: process.cwd() });
// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the API says so
const session = (await started.json()) as { readonly id: string };
await post('/api/events', {
  session_id: session.id,
  type: 'user_message',
  data: { content: '認証機能を追加してください' },
});

// #region live
const [newest] = await store.listSessions({ limit: 1 });
const timeline = `http://127.0.0.1:7737/api/sessions/${newest?.id}/events`;
const response = await fetch(timeline, { headers: { Accept: 'text/event-stream' } });
for await (const piece of response.body!.pipeThrough(new TextDecoderStream())) {
  process.stdout.write(piece); // id: 1, data: {"id": …, "type": "user_message", …}
  if (piece.includes('user_message')) break;
}
// #endregion live
server.close();

// #region html
import { writeFile } from 'node:fs/promises';

await writeFile('timeline.html', store.exportHtml({ workspace: '.' }));
// #endregion html
await store.close();
