import { createMemoryApp } from '@vizprompt/memory/http';
import { expect, it } from 'vitest';
import { newStore } from '../../support/open-store.ts';

const HEADERS = { accept: 'text/event-stream', host: 'localhost' };

it('a stream gives an event of any size whole, in pieces of which it holds one', async () => {
  const store = await newStore();
  const { id } = await store.startSession({ workspace: '/w' });
  const contents = ['small', `大${'x😀'.repeat(150_000)}`, 'last'];
  for (const content of contents) await store.log(id, 'user_message', { content });
  const end = new AbortController();
  const app = await createMemoryApp(store, { signal: end.signal });
  const response = await app.request(`/api/sessions/${id}/events`, { headers: HEADERS });
  const found: string[] = [];
  const sizes: number[] = [];
  let text = '';
  const decoder = new TextDecoder();
  for await (const piece of response.body ?? []) {
    sizes.push(piece.length);
    text += decoder.decode(piece, { stream: true });
    if (!text.endsWith('\n\n')) continue;
    for (const message of text.split('\n\n').filter((part) => part.startsWith('id: '))) {
      const { data } = JSON.parse(message.slice(message.indexOf('data: ') + 6)) as {
        data: { content: string };
      };
      found.push(data.content);
    }
    text = '';
    if (found.length === contents.length) break;
  }
  end.abort();
  expect(found.map((one, at) => one === contents[at])).toEqual([true, true, true]);
  expect(Math.max(...sizes)).toBeLessThan(4 * 65_536);
});

it('a client that does not read makes its stream read nothing', async () => {
  const store = await newStore();
  const { id } = await store.startSession({ workspace: '/w' });
  for (let at = 0; at < 5; at++)
    await store.log(id, 'user_message', { content: 'x'.repeat(1 << 20) });
  const end = new AbortController();
  const app = await createMemoryApp(store, { signal: end.signal });
  const responses = await Promise.all(
    Array.from({ length: 5 }, async () =>
      app.request(`/api/sessions/${id}/events`, { headers: HEADERS }),
    ),
  );
  const reader = responses[0]?.body?.getReader();
  await reader?.read();
  await reader?.read();
  const third = await reader?.read();
  expect(third?.value?.length).toBeLessThanOrEqual(1 << 16);
  const page = await app.request(`/api/sessions/${id}/events`, { headers: { host: 'localhost' } });
  expect(page.status).toBe(200);
  end.abort();
  await Promise.all(
    responses.map(async ({ body }) => (body?.locked ? reader?.cancel() : body?.cancel())),
  );
});

it('one client has no more than its share of the streams', async () => {
  const store = await newStore();
  const { id } = await store.startSession({ workspace: '/w' });
  const end = new AbortController();
  const app = await createMemoryApp(store, { maxStreamsPerClient: 2, signal: end.signal });
  const ask = async (remoteAddress: string): Promise<Response> =>
    app.request(
      `/api/sessions/${id}/events`,
      { headers: HEADERS },
      { incoming: { socket: { remoteAddress } } },
    );
  const [first, second, third, other] = [
    await ask('a'),
    await ask('a'),
    await ask('a'),
    await ask('b'),
  ];
  expect([first, second, third, other].map(({ status }) => status)).toEqual([200, 200, 503, 200]);
  await first.body?.cancel();
  expect((await ask('a')).status).toBe(200);
  end.abort();
});
