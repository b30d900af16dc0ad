import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { IngestReport, MemoryEvent } from '@vizprompt/memory';
import { expect, it } from 'vitest';
import { timelineOf } from '../../support/open-place.ts';
import { Place } from '../../support/place.ts';
import { binOf } from '../../support/run.ts';

const ROUNDS = Number(process.env['SOAK_ROUNDS'] ?? 12);

/** Runs a command, and kills it after a while. Returns true if it had ended well before. */
async function killed(place: Place, args: readonly string[], input: string, afterMs: number) {
  const child = spawn(process.execPath, [binOf('ptta'), ...args], {
    cwd: place.cwd,
    env: { PATH: process.env['PATH'], HOME: place.home },
    stdio: ['pipe', 'ignore', 'inherit'],
  });
  child.stdin.on('error', () => {});
  child.stdin.end(input);
  const timer = setTimeout(() => child.kill('SIGKILL'), afterMs);
  const [code] = await once(child, 'close');
  clearTimeout(timer);
  return code === 0;
}

it('stores each call of a hook once, whichever process is killed', async () => {
  await using place = await Place.make();
  const prompts: string[] = [];
  const ended: string[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const words = `round ${round}`;
    prompts.push(words);
    const input = JSON.stringify({
      hook_event_name: 'UserPromptSubmit',
      session_id: 'hooked',
      cwd: place.cwd,
      prompt: words,
    });
    // Some die before they have written the call, some while they write it, and some do not.
    const afterMs = round % 3 === 0 ? 60_000 : Math.random() * 200;
    if (await killed(place, ['hook'], input, afterMs)) ended.push(words);
    if (round % 2 === 0) await killed(place, ['hooks:ingest'], '', Math.random() * 800);
  }
  const { failed, waiting } = await place.json<IngestReport>('ptta', ['hooks:ingest']);
  expect([failed, waiting]).toEqual([0, 0]);
  const said = (await timelineOf(place)).map(({ data }: MemoryEvent) =>
    'content' in data ? data.content : '',
  );
  expect(new Set(said).size).toBe(said.length);
  expect(said).toEqual(expect.arrayContaining(ended));
  expect(prompts.filter((words) => said.includes(words))).toEqual(said);
});
