import { join } from 'node:path';
import { MemoryStore, type NewEvent } from '@vizprompt/memory';
import { quantizedVectors } from '@vizprompt/providers/quantized';
import { sqliteDatabase } from '@vizprompt/providers/node';
import { hashEmbeddings } from '@vizprompt/providers/testing';
import { describe, expect, it, onTestFinished } from 'vitest';
import { findWords } from '../../../providers/test/support/find-words.ts';
import { temporaryFolder } from '../support/open-store.ts';

const WORDS: string[] = [];

/** Returns a word of its own for each field, so that a failure names the field. */
function word(field: string): string {
  const planted = `planted${field}zq`;
  WORDS.push(planted);
  return planted;
}

/** Events with a word in each field that takes text. */
const EVENTS: readonly NewEvent[] = [
  { type: 'user_message', data: { content: word('message') }, meta: { note: word('meta') } },
  {
    type: 'assistant_message',
    data: {
      content: word('answer'),
      tool_calls: [{ tool: word('called'), args: { [word('argkey')]: word('arg') } }],
    },
  },
  { type: 'thinking', data: { content: word('thought'), context: word('context') } },
  {
    type: 'code_intention',
    data: {
      action: 'edit',
      file_path: `${word('intendedpath')}.ts`,
      reason: word('reason'),
      old_content: word('intendedold'),
      new_content: word('intendednew'),
    },
  },
  {
    type: 'file_edit',
    data: {
      action: 'edit',
      file_path: `${word('folder')}/${word('path')}.ts`,
      old_content: `${word('old')}\n`.repeat(200),
      new_content: `${word('new')}\n`.repeat(200),
      success: false,
      error_message: word('error'),
    },
  },
  {
    type: 'tool_use',
    data: {
      tool: word('tool'),
      parameters: { [word('key')]: [word('parameter')] },
      result: { deep: [{ er: word('result') }] },
      success: true,
    },
  },
];
const SESSION = {
  workspace: `/w/${word('workspace')}`,
  metadata: { title: word('title'), tags: [word('tag')], agent: word('agent') },
};

async function fill(
  folder: string,
): Promise<{ store: MemoryStore; session: string; kept: string }> {
  const database = sqliteDatabase({ path: join(folder, 'vectors.db') });
  onTestFinished(() => database.close());
  const model = hashEmbeddings({ dimensions: 32 });
  const store = await MemoryStore.open({
    path: join(folder, 'm.db'),
    embeddings: { model, vectors: quantizedVectors({ database, dimensions: 32 }) },
  });
  onTestFinished(() => store.close());
  const { id: kept } = await store.startSession({ workspace: '/other' });
  await store.log(kept, 'user_message', { content: 'this one stays' });
  const { id: session } = await store.startSession(SESSION);
  await store.logMany(session, EVENTS);
  await store.embedEvents();
  return { store, session, kept };
}

async function assertKept(store: MemoryStore, kept: string): Promise<void> {
  const { events } = await store.events(kept).page();
  expect(events).toMatchObject([{ data: { content: 'this one stays' } }]);
}

describe('every field of events and sessions', () => {
  it('leaves no byte when its session is deleted', async () => {
    const folder = await temporaryFolder();
    const { store, session, kept } = await fill(folder);
    expect(findWords(folder, WORDS)).not.toEqual([]);
    await store.deleteSession(session);
    expect(findWords(folder, WORDS)).toEqual([]);
    await assertKept(store, kept);
    await store.close();
    expect(findWords(folder, WORDS)).toEqual([]);
  });

  it('leaves no byte when its events are forgotten, but for what the session is called', async () => {
    const folder = await temporaryFolder();
    const { store, session, kept } = await fill(folder);
    const { events } = await store.events(session).page();
    for (const { id } of events) await store.forget({ event: id });
    const found = JSON.stringify(findWords(folder, WORDS));
    expect(WORDS.filter((one) => found.includes(one))).toEqual(
      ['workspace', 'title', 'tag', 'agent'].map((field) => `planted${field}zq`),
    );
    await assertKept(store, kept);
  });
});

describe('contents of files', () => {
  it.each(['forget', 'vacuum'] as const)(
    'that a deletion left when its process ended go with %s',
    async (call) => {
      const folder = await temporaryFolder();
      const { store, session, kept } = await fill(folder);
      // As after a process that ended between the two steps of a deletion: no event refers to the contents.
      const database = sqliteDatabase({ path: join(folder, 'm.db') });
      await database.execute(
        `UPDATE memory_events SET type = 'forgotten', data_text = '{}', meta = NULL, redactions = 0,
          file_path = NULL, old_hash = NULL, new_hash = NULL, diff_hash = NULL, lines_hash = NULL, data_size = NULL, packed = NULL
         WHERE type <> 'user_message'`,
      );
      await database.close();
      if (call === 'forget') await store.forget({ session });
      else await store.vacuum();
      const found = JSON.stringify(findWords(folder, ['plantedoldzq', 'plantednewzq']));
      expect(found).toBe('[]');
      await assertKept(store, kept);
    },
  );
});
