import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { Place } from '../../../support/place.ts';
import { startServer } from '../../../support/start-server.ts';
import { FLOWS, MODULE } from '../../../support/flows.ts';

it('serves runs over HTTP and follows the schedules of the files', async () => {
  const place = await Place.make();
  onTestFinished(() => place[Symbol.asyncDispose]());
  const schedules = "schedules: { yearly: { workflow: shout, cron: '0 0 1 1 *', input: x } }\n";
  await writeFile(join(place.cwd, 'flows.yaml'), FLOWS + schedules);
  await writeFile(join(place.cwd, 'steps.mjs'), MODULE);
  const words = [
    'workflow',
    'serve',
    '--port',
    '0',
    '--file',
    'flows.yaml',
    '--module',
    'steps.mjs',
  ];
  const server = await startServer(place, 'vizprompt', words);
  onTestFinished(() => server[Symbol.asyncDispose]());
  const response = await fetch(`${server.url}/workflows/shout`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'idempotency-key': '1' },
    body: '"abc"',
  });
  expect([response.status, await response.json()]).toEqual([202, { runId: 'shout@1' }]);
  const events = await (await fetch(`${server.url}/runs/shout@1/events`)).text();
  expect(events).toContain('event: run:ended');
  expect(await (await fetch(`${server.url}/runs/shout@1`)).json()).toMatchObject({
    status: 'done',
    output: 'ABC',
  });
});
