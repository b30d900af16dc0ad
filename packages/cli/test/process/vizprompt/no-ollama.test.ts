import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { startFakeLLM } from '@vizprompt/providers/testing';
import { expect, it, onTestFinished } from 'vitest';
import { Place } from '../../support/place.ts';
import { testProject } from '../../support/project.ts';
import { FLOWS } from '../../support/flows.ts';

const NODE_OPTIONS = `--import=${import.meta.resolve('../../support/hide-ollama.mjs')}`;

it('vizprompt chat writes no prompt where an optional package is missing', async () => {
  const llm = await startFakeLLM();
  onTestFinished(() => llm.close());
  const { place, json } = await testProject();
  const words = ['chat', '--model', 'ollama:m', '--base-url', llm.url];
  for (let time = 0; time < 2; time++) {
    const input = '猫は？\n';
    const chat = await place.spawn('vizprompt', words, { input, env: { NODE_OPTIONS } });
    expect([chat.code, chat.stdout]).toEqual([6, '']);
    expect(chat.stderr).toMatch(/nothing was written: .*npm install ollama/);
  }
  expect(await json(['flow', 'list'])).toEqual([]);
  expect(llm.requests).toEqual([]);
});

it('vizprompt workflow run and resume end with 6 where an optional package is missing', async () => {
  const place = await Place.make();
  onTestFinished(() => place[Symbol.asyncDispose]());
  await writeFile(join(place.cwd, 'flows.yaml'), FLOWS);
  const workflow = (...words: readonly string[]): ReturnType<Place['spawn']> =>
    place.spawn('vizprompt', ['workflow', ...words], { env: { NODE_OPTIONS } });
  const missing = await workflow('run', 'story', '猫', '--id', 'first', '--file', 'flows.yaml');
  expect(missing.code).toBe(6);
  expect(missing.stderr).toContain('npm install ollama');
  const again = await workflow('resume', 'first', '--json');
  expect(again.code).toBe(6);
  expect(JSON.parse(again.stderr)).toMatchObject({
    error: { code: 'step-failed', exitCode: 6 },
  });
});
