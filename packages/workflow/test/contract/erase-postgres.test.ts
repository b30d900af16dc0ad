import { randomBytes } from 'node:crypto';
import { postgresStorage } from '@vizprompt/providers/postgres';
import { eraseSpeaker, WorkflowEngine } from '@vizprompt/workflow';
import { expect, inject, it, onTestFinished } from 'vitest';
import { findWordsInSchema } from '../../../providers/test/support/find-words.ts';
import { dropNamespace } from '../../../providers/test/support/subjects.ts';

const WORDS = ['zyzzyvaword', '蜜柑畑の秘密'];
const SAID = WORDS.join(' は ');

it('leaves no byte of the answers of people in PostgreSQL', async () => {
  const connectionString = inject('databaseUrl');
  const namespace = `flow_${randomBytes(6).toString('hex')}`;
  onTestFinished(() => dropNamespace(connectionString, namespace));
  await using storage = await postgresStorage({ connectionString, namespace });
  const find = (): Promise<readonly string[]> =>
    findWordsInSchema(connectionString, [namespace, `${namespace}.cache`], WORDS);
  const engine = await WorkflowEngine.open({
    files: {
      prompts: { ask: 'What?' },
      workflows: { ask: { steps: [{ id: 'question', type: 'human', prompt_id: 'ask' }] } },
    },
    storage,
  });
  const run = await engine.start('ask', 'go', { runId: 'r' });
  await expect.poll(async () => (await engine.run('r')).waiting.length).toBe(1);
  await engine.answer('r', { said: SAID });
  await run.result;
  await engine.close();
  expect(await find()).not.toEqual([]);
  const { remains } = await eraseSpeaker(storage, { speaker: 'person' });
  expect(remains.map(({ place }) => place)).toContain('dbos');
  expect(await find()).toEqual([]);
});
