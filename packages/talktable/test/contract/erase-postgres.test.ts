import { randomBytes } from 'node:crypto';
import { postgresStorage } from '@vizprompt/providers/postgres';
import { eraseSpeaker } from '@vizprompt/talktable';
import { expect, inject, it, onTestFinished } from 'vitest';
import { findWordsInSchema } from '../../../providers/test/support/find-words.ts';
import { dropNamespace } from '../../../providers/test/support/subjects.ts';
import { openManager, saying } from '../support/support.ts';

const WORDS = ['zyzzyvaword', '蜜柑畑の秘密'];
const SAID = WORDS.join(' は ');

it('leaves no byte of a speaker in PostgreSQL', async () => {
  const connectionString = inject('databaseUrl');
  const namespace = `talk_${randomBytes(6).toString('hex')}`;
  onTestFinished(() => dropNamespace(connectionString, namespace));
  await using storage = await postgresStorage({ connectionString, namespace });
  const find = (): Promise<readonly string[]> =>
    findWordsInSchema(connectionString, [namespace], WORDS);
  const participants = [
    { name: 'Alice', model: saying(() => SAID) },
    { name: 'Bob', model: saying(() => `You said ${SAID}.`) },
  ];
  const manager = await openManager({ topic: 't', rounds: 2, participants }, { storage });
  for await (const _ of manager.start());
  await manager.close();
  expect(await find()).not.toEqual([]);
  await eraseSpeaker(storage, { speaker: 'Alice' });
  expect(await find()).toEqual([]);
});
