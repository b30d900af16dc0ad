import { randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { startFakeLLM } from '@vizprompt/providers/testing';
import type { RunState, RunSummary } from '@vizprompt/workflow';
import { afterAll, beforeAll, expect, inject, it, onTestFinished } from 'vitest';
import { Background } from '../../../support/background.ts';
import { Place } from '../../../support/place.ts';
import { FLOWS, MODULE } from '../../../support/flows.ts';

declare module 'vitest' {
  interface ProvidedContext {
    databaseUrl: string;
  }
}

let place: Place;
beforeAll(async () => {
  place = await Place.make();
  await writeFile(join(place.cwd, 'flows.yaml'), FLOWS);
  await writeFile(join(place.cwd, 'steps.mjs'), MODULE);
});
afterAll(() => place[Symbol.asyncDispose]());

it('workers lead the runs that others start, and continue where one was killed', async () => {
  const llm = await startFakeLLM({ chunkSize: 2 });
  onTestFinished(() => llm.close());
  const env = { OLLAMA_HOST: llm.url };
  const where = [
    '--url',
    inject('databaseUrl'),
    '--namespace',
    `cli_${randomBytes(4).toString('hex')}`,
  ];
  const worker = (): Background =>
    Background.start(
      place,
      'vizprompt',
      [
        'workflow',
        'worker',
        ...where,
        '--module',
        'steps.mjs',
        '--lease-ms',
        '2000',
        '--poll-ms',
        '50',
      ],
      env,
    );
  const first = worker();
  await first.shows('working');
  // A process that starts a run needs neither models nor functions.
  const start = ['workflow', 'run', '--file', 'flows.yaml', '--quiet', ...where];
  const loud = await place.run('vizprompt', [...start, 'shout', 'abc']);
  expect(loud).toMatchObject({ code: 0, stdout: 'ABC\n' });
  await first.shows(/■ .* {2}done/);

  llm.answer('一つ目の答え', 'とても長い答え', '終わり');
  llm.fail([], { type: 'stall', afterChunks: 2 });
  const run = Background.start(place, 'vizprompt', [...start, 'story', '猫', '--id', 'story']);
  await expect.poll(() => llm.requests.length).toBe(2);
  expect(await first.end('SIGKILL')).toBe(null);
  const second = worker();
  expect(await run.end()).toBe(0);
  expect(run.stdout).toBe('終わり\n');
  expect(llm.requests).toHaveLength(3);
  const runs = await place.json<RunSummary[]>('vizprompt', ['workflow', 'list', ...where]);
  expect(runs.map(({ workflow, status }) => [workflow, status])).toEqual([
    ['story', 'done'],
    ['shout', 'done'],
  ]);
  const state = await place.json<RunState>('vizprompt', ['workflow', 'show', 'story', ...where]);
  expect(state.steps.map(({ path }) => path)).toEqual(['draft#1', 'review#1']);

  const asked = [...start, 'approval', '--input', '{"story": "猫"}', '--id', 'ask'];
  const nobody = await place.run('vizprompt', asked);
  expect(nobody.code).toBe(1);
  expect(nobody.stderr).toContain("vizprompt workflow answer ask 'ask#1' VALUE");
  const answer = ['workflow', 'answer', 'ask', 'ask', 'true', ...where];
  expect((await place.run('vizprompt', answer)).code).toBe(0);
  await second.shows(/■ ask {2}done/);
  const show = ['workflow', 'show', 'ask', ...where];
  expect(await place.json('vizprompt', show)).toMatchObject({ output: true });
  expect(await second.end('SIGTERM')).toBe(0);
});

it.each([
  [[], 2],
  [['--url', 'postgres://127.0.0.1:1/a', '--namespace', '日本'], 2],
  [['--url', 'postgres://127.0.0.1:1/a', '--runs', '0'], 2],
  [['--url', 'postgres://127.0.0.1:1/a', '--concurrency', 'ollama'], 2],
])('a worker with %j ends with %i', async (args, code) => {
  const run = await place.run('vizprompt', ['workflow', 'worker', ...args, '--json']);
  expect(run).toMatchObject({ code, stdout: '' });
  expect(JSON.parse(run.stderr)).toMatchObject({ error: { exitCode: code } });
});
