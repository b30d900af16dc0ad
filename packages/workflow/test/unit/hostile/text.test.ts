import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { textOf, type JsonValue } from '@vizprompt/providers';
import { openStorage } from '@vizprompt/providers/node';
import { WorkflowEngine } from '@vizprompt/workflow';
import { expect, it, onTestFinished } from 'vitest';
import { ask, fileOf, models } from '../../support/hostile-flow.ts';

const texts: readonly [string, string][] = [
  ['a high surrogate alone', 'a\uD83D'],
  ['a low surrogate alone', '\uDE00b'],
  ['surrogates in the wrong order', '\uDE00\uD83D'],
  ['NUL', 'a\u0000b\u0000'],
  ['right to left', 'שלום \u202Eabc\u202C عالم'],
  ['emoji', '👩‍👩‍👧‍👦🇯🇵👍🏽'],
  ['white space', '\u3000\u00A0\uFEFF\u2028a\u2029\r\n\t'],
  ['combining marks', 'か\u3099 が ｶﾞ e\u0301'],
  ['a mark alone', '。'],
  ['words of JSON', '"}]\\u0000\\'],
];

it.each(texts)('keeps %s through prompts, variables, the journal and a resume', async (_, text) => {
  const folder = await mkdtemp(join(tmpdir(), 'vizprompt-workflow-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const value: JsonValue = { [text]: [text], list: { text } };
  const file = fileOf(
    [
      ask('say', 'user_input', 'said'),
      { id: 'object', type: 'function', function: 'value', output_variable: 'value' },
      {
        id: 'person',
        type: 'human',
        prompt_id: 'q',
        input_variables: { v: 'said' },
        output_variable: 'person',
      },
      ask('again', 'said', 'again'),
    ],
    {},
    { q: '{{ v }}?' },
  );
  const { models: given, model } = models(({ messages }) => textOf(messages.at(-1)?.parts ?? []));
  const options = { files: file, models: given, functions: { value: () => value } };

  const first = await openStorage(folder);
  const engine = await WorkflowEngine.open({ ...options, storage: first });
  const run = await engine.start('main', text, { runId: 'r' });
  for await (const event of run) if (event.type === 'step:waiting') break;
  await engine.close();
  await first.close();

  await using storage = await openStorage(folder);
  await using other = await WorkflowEngine.open({ ...options, storage });
  const resumed = await other.resume('r');
  await other.answer('r', value);
  const { output, variables } = await resumed.result;
  expect(model.calls).toHaveLength(2);
  expect(JSON.stringify(output)).toBe(JSON.stringify(text));
  expect(JSON.stringify(variables['said'])).toBe(JSON.stringify(text));
  expect(JSON.stringify(variables['person'])).toBe(JSON.stringify(value));
  expect(JSON.stringify(variables['value'])).toBe(JSON.stringify(value));
  const sent = textOf(model.calls[1]?.messages.at(-1)?.parts ?? []);
  expect(JSON.stringify(sent)).toBe(JSON.stringify(text));
});
