import { join } from 'node:path';
import { MemoryStore } from '@vizprompt/memory';
import type { Database } from '@vizprompt/providers';
import { ERASED } from '@vizprompt/providers/internal';
import { inMemoryStorage, sqliteDatabase } from '@vizprompt/providers/node';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../support/open-store.ts';

async function create(store: MemoryStore, id: string, path: string): Promise<void> {
  await store.log(id, 'file_edit', {
    action: 'create',
    file_path: path,
    new_content: 'x',
    success: true,
  });
}

async function pathsOf(store: MemoryStore): Promise<readonly string[]> {
  const files = await store.files({ workspace: '/w' });
  return files.map(({ file_path: path }) => path).toSorted();
}

describe('eraseSpeaker and the paths of files', () => {
  it('takes texts that are paths or names of programs out of events and files', async () => {
    const folder = await temporaryFolder();
    await using store = await MemoryStore.open({ path: join(folder, 'm.db') });
    const { id } = await store.startSession({ workspace: '/w' });
    await create(store, id, 'Ann/private-plan-of-alice.md');
    await create(store, id, 'customers/smith-john-diagnosis.pdf');
    const texts = ['private-plan-of-alice', 'customers/smith-john-diagnosis.pdf'];
    const { erased } = await store.eraseSpeaker({ speaker: 'Jean-Luc', texts });
    expect(erased).toContainEqual({ place: 'quotes', count: 2 });
    const expected = [`/w/Ann/${ERASED}.md`, `/w/${ERASED}`];
    expect(await pathsOf(store)).toEqual(expected.toSorted());
    const { events } = await store.events(id).page();
    expect(events).toMatchObject(expected.map((path) => ({ data: { file_path: path } })));
    expect((await store.check()).isOk).toBe(true);
  });

  it('keeps the places of files that the speaker only listed', async () => {
    const folder = await temporaryFolder();
    await using store = await MemoryStore.open({ path: join(folder, 'm.db') });
    const { id } = await store.startSession({ workspace: '/w', metadata: { user: 'Alice' } });
    const listed = ['app/[slug]/page.tsx', 'docs/設計書/要件.md', 'src/routes/+page.svelte'];
    await store.log(id, 'user_message', { content: ['Fix these:', ...listed].join('\n') });
    for (const path of listed) await create(store, id, path);
    await store.eraseSpeaker({ speaker: 'Alice' });
    expect(await pathsOf(store)).toEqual(listed.map((path) => `/w/${path}`));
  });

  it('asks once for each of many files whose paths become alike', async () => {
    const folder = await temporaryFolder();
    const database = sqliteDatabase({ path: join(folder, 'm.db') });
    let asked = 0;
    const counting: Database = {
      ...database,
      query: (sql, ...rest) => {
        if (sql.startsWith('SELECT 1 AS found FROM memory_events')) asked++;
        return database.query(sql, ...rest);
      },
    };
    const storage = { ...(await inMemoryStorage()), database: counting };
    await using store = await MemoryStore.open({ storage });
    const { id } = await store.startSession({ workspace: '/w' });
    const texts = Array.from({ length: 30 }, (_, at) => `the secret plan number ${at} of it`);
    for (const text of texts) await create(store, id, `${text}.md`);
    asked = 0;
    await store.eraseSpeaker({ speaker: 'Alice', texts });
    expect(asked).toBe(texts.length);
    const numbers = texts.map((_, at) => `/w/${ERASED}${at === 0 ? '' : ` ${at + 1}`}.md`);
    expect(await pathsOf(store)).toEqual(numbers.toSorted());
  });
});
