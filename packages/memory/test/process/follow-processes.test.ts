import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { MemoryEvent } from '@vizprompt/memory';
import { expect, it } from 'vitest';
import { newStore, temporaryFolder } from '../support/open-store.ts';
import { serveStore } from '../support/http/serve-store.ts';

it('a session that is followed gives what processes log at once, each event once, over HTTP too', async () => {
  const path = join(await temporaryFolder(), 'memory.db');
  const store = await newStore({ path });
  const { url } = await serveStore({}, store);
  const { id } = await store.startSession({ workspace: '/a' });
  const seen: MemoryEvent[] = [];
  const read = async (): Promise<void> => {
    for await (const event of store.follow(id, { pollMs: 10 })) seen.push(event);
  };
  const ended = read();
  const headers = { Accept: 'text/event-stream' };
  const { body } = await fetch(`${url}/api/sessions/${id}/events`, { headers });
  let sent = '';
  const reading = (async (): Promise<void> => {
    for await (const piece of body?.pipeThrough(new TextDecoderStream()) ?? []) sent += piece;
  })();

  const program = fileURLToPath(new URL('../children/log-events.mjs', import.meta.url));
  const children = [1, 2].map(() => spawn(process.execPath, [program, path, id, '20']));
  const exits = await Promise.all(children.map((child) => once(child, 'exit')));
  expect(exits).toEqual([
    [0, null],
    [0, null],
  ]);
  const all = Array.from({ length: 40 }, (_, at) => at + 1);
  await expect.poll(() => seen.map(({ sequence }) => sequence)).toEqual(all);
  await expect
    .poll(() => [...sent.matchAll(/^id: (\d+)$/gm)].map(([, at]) => Number(at)))
    .toEqual(all);
  const pids = [...sent.matchAll(/^data: (.*)$/gm)].flatMap(([, data = '']) => {
    return (
      / (\d+)/.exec(
        (JSON.parse(data) as { data?: { content?: string } }).data?.content ?? '',
      )?.[1] ?? []
    );
  });
  expect(new Set(pids)).toEqual(new Set(children.map(({ pid }) => String(pid))));
  await store.deleteSession(id);
  await Promise.all([ended, reading]);
});
