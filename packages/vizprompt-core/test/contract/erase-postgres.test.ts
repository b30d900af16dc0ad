import { randomBytes } from 'node:crypto';
import { VizPrompt } from '@vizprompt/core';
import { postgresStorage } from '@vizprompt/providers/postgres';
import { expect, inject, it, onTestFinished } from 'vitest';
import { findWordsInSchema } from '../../../providers/test/support/find-words.ts';
import { dropNamespace } from '../../../providers/test/support/subjects.ts';

const WORDS = ['zyzzyvaword', '蜜柑畑の秘密'];
const SAID = WORDS.join(' は ');

it('leaves no byte of a speaker and of deleted nodes in PostgreSQL', async () => {
  const connectionString = inject('databaseUrl');
  const namespace = `core_${randomBytes(6).toString('hex')}`;
  const schemas = [namespace, `${namespace}.cache`];
  onTestFinished(() => dropNamespace(connectionString, namespace));
  await using storage = await postgresStorage({ connectionString, namespace });
  await using vizprompt = await VizPrompt.open({ storage });
  await vizprompt.createNode({ prompt: 'q', response: SAID, speaker: 'Alice' });
  await vizprompt.createNode({ prompt: `Alice: ${SAID}`, response: 'fine' });
  await vizprompt.build();
  const find = (): Promise<readonly string[]> =>
    findWordsInSchema(connectionString, schemas, WORDS);
  expect(await find()).not.toEqual([]);
  const { remains } = await vizprompt.eraseSpeaker({ speaker: 'Alice' });
  expect(remains.map(({ place }) => place)).toContain('database-log');
  expect(await find()).toEqual([]);
  const node = await vizprompt.createNode({ prompt: SAID, response: 'deleted' });
  await vizprompt.deleteNode(node.id);
  await vizprompt.vacuum();
  expect(await find()).toEqual([]);
});
