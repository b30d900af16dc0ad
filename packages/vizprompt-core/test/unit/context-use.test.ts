import { textOf } from '@vizprompt/providers';
import { expect, it } from 'vitest';
import { openProject } from '../support/open-project.ts';

const CODE = Array.from({ length: 40 }, (_, at) => {
  return `export function f${at}(x: number) { return x + ${at}; }`;
}).join('\n');
const FACT = 'export function parseConfig(path: string) { return JSON.parse(read(path)); }';

it.each([3000, 4000, 6000])('uses %i tokens where the lines need few of them', async (budget) => {
  const vizprompt = await openProject();
  await vizprompt.createNode({ prompt: 'Write parseConfig', response: FACT });
  for (let at = 0; at < 24; at++)
    await vizprompt.createNode({ prompt: `Write module ${at}`, response: CODE });
  const plain = await vizprompt.buildContext({ prompt: 'Thanks!', budget });
  expect(plain.report.tokens).toBeLessThanOrEqual(budget);
  expect(plain.report.tokens / budget).toBeGreaterThan(0.38);
  // One rare word of a prompt is enough, whatever else the prompt wants.
  const { messages } = await vizprompt.buildContext({
    prompt: 'Add an error message to parseConfig',
    budget,
  });
  expect(messages.map((message) => textOf(message)).join('\n')).toContain(FACT);
});
