import { randomBytes } from 'node:crypto';
import { MemoryStore } from '@vizprompt/memory';
import { postgresStorage } from '@vizprompt/providers/postgres';
import { expect, inject, it, onTestFinished } from 'vitest';
import { findWordsInSchema } from '../../../providers/test/support/find-words.ts';
import { dropNamespace } from '../../../providers/test/support/subjects.ts';
import { ON_POSTGRES } from '../support/open-store.ts';

const WORDS = ['zyzzyvaword', '蜜柑畑の秘密'];
const SAID = WORDS.join(' は ');

it.runIf(ON_POSTGRES)(
  'leaves no byte of what was forgotten, deleted and erased in PostgreSQL',
  async () => {
    const connectionString = inject('databaseUrl');
    const namespace = `memory_${randomBytes(6).toString('hex')}`;
    const schemas = [namespace, `${namespace}.cache`];
    onTestFinished(() => dropNamespace(connectionString, namespace));
    await using storage = await postgresStorage({ connectionString, namespace });
    await using store = await MemoryStore.open({ storage });
    const find = (): Promise<readonly string[]> =>
      findWordsInSchema(connectionString, schemas, WORDS);
    const { id } = await store.startSession({ workspace: '/w' });
    const event = await store.log(id, 'user_message', { content: SAID });
    expect(await find()).not.toEqual([]);
    await store.forget({ event: event.id });
    expect(await find()).toEqual([]);
    await store.log(id, 'user_message', { content: SAID });
    await store.deleteSession(id);
    expect(await find()).toEqual([]);
    const other = await store.startSession({ workspace: '/w', metadata: { user: 'Alice' } });
    await store.logMany(other.id, [
      { type: 'user_message', data: { content: SAID } },
      { type: 'assistant_message', data: { content: `You said ${SAID}.` } },
    ]);
    const { remains } = await store.eraseSpeaker({ speaker: 'Alice' });
    expect(remains.map(({ place }) => place)).toContain('database-log');
    expect(await find()).toEqual([]);
    expect((await store.check()).isOk).toBe(true);
  },
);
