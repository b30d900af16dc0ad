import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { MemoryStore } from '@vizprompt/memory';
import type { Database, Turn } from '@vizprompt/providers';
import { inMemoryStorage, sqliteDatabase } from '@vizprompt/providers/node';
import { quantizedVectors } from '@vizprompt/providers/quantized';
import { hashEmbeddings } from '@vizprompt/providers/testing';
import { describe, expect, it, onTestFinished } from 'vitest';
import { ERASED } from '@vizprompt/providers/internal';
import { findWords } from '../../../providers/test/support/find-words.ts';
import { temporaryFolder } from '../support/open-store.ts';

const WORDS = ['zyzzyvaword', '蜜柑畑の秘密', 'quokka-4711'];
const SAID = `The ${WORDS[0]} is "${WORDS[2]}".\n${WORDS[1]}は北にある。`;
const LONG = `${SAID}\n`.repeat(40);

async function open(folder: string): Promise<MemoryStore> {
  const store = await MemoryStore.open({ path: join(folder, 'm.db') });
  onTestFinished(() => store.close());
  return store;
}

const turn = (id: string, speaker: string, text: string, input = ''): Turn => ({
  id,
  conversationId: 'talk',
  follows: [],
  kind: 'turn',
  status: 'done',
  speaker,
  input: input === '' ? [] : [{ type: 'text', text: input }],
  output: [{ type: 'text', text }],
  startedAt: '2026-01-01T00:00:00.000Z',
});

async function fill(store: MemoryStore): Promise<string> {
  const { id } = await store.startSession({
    workspace: '/w',
    metadata: { title: SAID.split('\n')[0] ?? '' },
  });
  await store.logMany(id, [
    { type: 'user_message', data: { content: LONG } },
    { type: 'thinking', data: { content: 'stays here' } },
    {
      type: 'tool_use',
      data: { tool: 'grep', parameters: { q: SAID }, result: [SAID], success: true },
    },
    {
      type: 'file_edit',
      data: { action: 'create', file_path: 'a.md', new_content: LONG, success: true },
      meta: { note: WORDS[0] ?? '' },
    },
  ]);
  return id;
}

async function hookFiles(folder: string): Promise<void> {
  await mkdir(join(folder, 'hooks'));
  await writeFile(
    join(folder, 'hooks', 'one.json'),
    JSON.stringify({ form: 1, reader: { kept: [SAID] } }),
  );
  await writeFile(
    join(folder, 'hooks', 'two.json'),
    JSON.stringify({ form: 1, reader: { kept: ['other'] } }),
  );
  await writeFile(
    join(folder, 'hooks.log'),
    `{"message":"other"}\n${JSON.stringify({ message: SAID })}\n`,
  );
}

describe('a title that a model made', () => {
  it('goes from the sessions in which the speaker spoke, and not from others', async () => {
    const store = await open(await temporaryFolder());
    const session = async (user: string, title: string, content: string): Promise<string> => {
      const { id } = await store.startSession({
        workspace: '/w',
        metadata: { user, title, source_id: title, summary: `A summary of ${title}` },
      });
      await store.log(id, 'user_message', { content });
      return id;
    };
    const own = await session('ann', '灯台の修理の相談', '古い灯台を直したいのですが');
    const other = await session('bob', '灯台の歴史', '灯台はいつからありますか');
    const unrelated = await session('ann', 'Release notes', '版を上げて');
    await store.eraseSpeaker({ speaker: 'ann' });
    const titles = await Promise.all(
      [own, other, unrelated].map(async (id) => (await store.getSession(id)).metadata),
    );
    expect(titles).toMatchObject([
      { title: '[erased]', summary: '[erased]' },
      { title: '灯台の歴史', summary: 'A summary of 灯台の歴史' },
      { title: 'Release notes' },
    ]);
  });
});

describe('forget and deleteSession', () => {
  it.each([
    ['deleteSession', (store: MemoryStore, id: string) => store.deleteSession(id)],
    ['forget, all of a session', (store: MemoryStore, id: string) => store.forget({ session: id })],
    [
      'forget, event by event, purged once',
      async (store: MemoryStore, id: string) => {
        const { events } = await store.events(id).page();
        for (const { id: event } of events) await store.forget({ event }, { purge: false });
        await store.updateSession(id, { metadata: { title: null } });
        await store.vacuum();
      },
    ],
  ])('%s leaves no byte, also in the files of hooks', async (_, remove) => {
    const folder = await temporaryFolder();
    const store = await open(folder);
    const id = await fill(store);
    const other = await store.startSession({ workspace: '/w' });
    await store.log(other.id, 'thinking', { content: 'bystander' });
    await hookFiles(folder);
    expect(findWords(folder, WORDS)).not.toEqual([]);
    await remove(store, id);
    expect(findWords(folder, WORDS)).toEqual([]);
    expect(await readFile(join(folder, 'hooks', 'two.json'), 'utf8')).toContain('other');
    expect(await readFile(join(folder, 'hooks.log'), 'utf8')).toBe('{"message":"other"}\n');
    expect(await store.search('bystander')).toHaveLength(1);
    expect((await store.check()).isOk).toBe(true);
  });

  it('leaves no byte of vectors', async () => {
    const folder = await temporaryFolder();
    const database = sqliteDatabase({ path: join(folder, 'vectors.db') });
    onTestFinished(() => database.close());
    const model = hashEmbeddings({ dimensions: 32 });
    const store = await MemoryStore.open({
      path: join(folder, 'm.db'),
      embeddings: { model, vectors: quantizedVectors({ database, dimensions: 32 }) },
    });
    onTestFinished(() => store.close());
    const id = await fill(store);
    await store.embedEvents();
    const rows = async () => database.query('SELECT * FROM derived_vector_vectors_record');
    expect((await rows()).length).toBeGreaterThan(0);
    await store.deleteSession(id);
    await store.embedEvents();
    expect(await rows()).toEqual([]);
    expect(findWords(folder, WORDS)).toEqual([]);
  });
});

describe('eraseSpeaker of a memory', () => {
  it('leaves no byte of what was said, and each event in its place', async () => {
    const folder = await temporaryFolder();
    const store = await open(folder);
    const recorder = store.recorder({ workspace: '/w' });
    await recorder.record(turn('1', 'Alice', SAID));
    await recorder.record(turn('2', 'Bob', `You said: ${SAID}\nI agree.`, `Alice: ${SAID}\nBob?`));
    await fill(store);
    await hookFiles(folder);
    const planned = await store.eraseSpeaker({ speaker: 'alice', dryRun: true });
    expect(findWords(folder, WORDS)).not.toEqual([]);
    const report = await store.eraseSpeaker({ speaker: 'alice' });
    expect(findWords(folder, WORDS.slice(1))).toEqual([]);
    expect(report.erased).toEqual(planned.erased);
    expect(report.erased).toContainEqual({ place: 'events', count: 1 });
    expect(report.erased).toContainEqual({ place: 'hook files', count: 2 });
    expect(await store.search('agree')).toHaveLength(1);
    expect(await store.search('quokka')).toEqual([]);
    expect((await store.check()).isOk).toBe(true);
    expect((await store.eraseSpeaker({ speaker: 'alice' })).erased).toEqual([]);
  });

  it('goes from paths of files and from names of fields', async () => {
    const folder = await temporaryFolder();
    const store = await open(folder);
    await store.recorder({ workspace: '/w' }).record(turn('1', 'Alice', SAID));
    const line = SAID.split('\n')[0] ?? '';
    const { id } = await store.startSession({
      workspace: '/w',
      metadata: { notes: { [line]: 1 }, description: 2 },
    });
    await store.log(id, 'tool_use', {
      tool: 'ask',
      parameters: { answers: { [line]: 'yes' } },
      result: 'fine',
      success: true,
    });
    await store.log(id, 'file_edit', {
      action: 'create',
      file_path: `notes/${line}.md`,
      new_content: 'x',
      success: true,
    });
    await store.eraseSpeaker({ speaker: 'Alice' });
    expect(findWords(folder, WORDS)).toEqual([]);
    expect((await store.getSession(id)).metadata).toEqual({
      notes: { [ERASED]: 1 },
      description: 2,
    });
    const path = `/w/notes/${ERASED}.md`;
    const { events } = await store.events(id).page();
    expect(events.map(({ data }) => data)).toMatchObject([
      { parameters: { answers: { [ERASED]: 'yes' } } },
      { file_path: path },
    ]);
    expect((await store.fileHistory(path, { workspace: '/w' })).length).toBe(1);
    expect((await store.check()).isOk).toBe(true);
  });

  it('keeps files apart whose paths hold what was said, and those that were only listed', async () => {
    const store = await open(await temporaryFolder());
    const [one, two, three] = [
      'notes on the deepest vault',
      'thoughts of the oldest tower',
      'words about the lost harbour',
    ];
    const listed = ['src/parser.ts', '/w/src/parser.ts', 'README.md', 'src/lexer.ts'];
    const said = ['Please fix these:', ...listed, one, two, three].join('\n');
    await store.recorder({ workspace: '/w' }).record(turn('1', 'Alice', said));
    const { id } = await store.startSession({ workspace: '/w' });
    const create = async (path: string, from?: string): Promise<unknown> =>
      store.log(
        id,
        'file_edit',
        { action: 'create', file_path: path, new_content: `of ${path.length}`, success: true },
        from === undefined ? {} : { meta: { moved_from: `/w/${from}` } },
      );
    const places = ['src/parser.ts', 'src/lexer.ts', `${one}.md`, `${two}.md`, `${one}.md`];
    for (const path of places) await create(path);
    await create(`${three}.md`, `${two}.md`);
    // These are read on another page of rows.
    await store.logMany(
      id,
      Array.from({ length: 210 }, () => ({ type: 'thinking', data: { content: 'x' } }) as const),
    );
    await create(`${two}.md`);
    await store.eraseSpeaker({ speaker: 'Alice' });
    const paths = async (): Promise<readonly (readonly [string, number])[]> =>
      (await store.files({ workspace: '/w' }))
        .map(({ file_path: path, edits }) => [path, edits] as const)
        .toSorted(([a], [b]) => (a < b ? -1 : 1));
    const expected = [
      [`/w/${ERASED} 2.md`, 2],
      [`/w/${ERASED} 3.md`, 1],
      [`/w/${ERASED}.md`, 2],
      ['/w/src/lexer.ts', 1],
      ['/w/src/parser.ts', 1],
    ];
    expect(await paths()).toEqual(expected);
    expect(await store.fileAt('src/parser.ts', { workspace: '/w' })).toMatchObject({
      content: 'of 13',
    });
    const { events } = await store.events(id, { path: '/w/src/parser.ts' }).page();
    expect(events).toMatchObject([{ data: { file_path: '/w/src/parser.ts' } }]);
    const second = await store.events(id, { path: `/w/${ERASED} 2.md` }).page();
    const numbered = { data: { file_path: `/w/${ERASED} 2.md` } };
    expect(second.events).toMatchObject([numbered, numbered]);
    // The file keeps the name that it had before.
    const history = await store.fileHistory(`/w/${ERASED} 3.md`, { workspace: '/w' });
    expect(history.map(({ edit }) => edit?.data.file_path)).toEqual(
      expect.arrayContaining([`/w/${ERASED} 2.md`, `/w/${ERASED} 3.md`]),
    );
    expect((await store.eraseSpeaker({ speaker: 'Alice', texts: [said] })).erased).toEqual([]);
    expect(await paths()).toEqual(expected);
    expect((await store.check()).isOk).toBe(true);
  });

  it('takes the messages of a session whose metadata name the user', async () => {
    const folder = await temporaryFolder();
    const store = await open(folder);
    const { id } = await store.startSession({ workspace: '/w', metadata: { user: 'Alice' } });
    await store.logMany(id, [
      { type: 'user_message', data: { content: SAID } },
      { type: 'assistant_message', data: { content: `You wrote: ${SAID}` } },
    ]);
    await store.eraseSpeaker({ speaker: 'Alice' });
    expect(findWords(folder, [...WORDS, 'Alice'])).toEqual([]);
    const { events } = await store.events(id).page();
    expect(events.map(({ type }) => type)).toEqual(['forgotten', 'assistant_message']);
    expect((await store.getSession(id)).metadata).toEqual({ user: ERASED });
  });

  it('replaces given texts everywhere', async () => {
    const folder = await temporaryFolder();
    const store = await open(folder);
    await fill(store);
    await store.eraseSpeaker({ speaker: 'nobody', texts: [SAID, WORDS[0] ?? ''] });
    expect(findWords(folder, WORDS)).toEqual([]);
    expect((await store.check()).isOk).toBe(true);
  });

  it('is finished by the next call wherever it was stopped', async () => {
    const folder = await temporaryFolder();
    const store = await open(folder);
    await store.recorder().record(turn('1', 'Alice', SAID));
    await store.recorder().record(turn('2', 'Bob', `You said: ${SAID}`));
    for (let stops = 0, isOver = false; !isOver; stops++) {
      const controller = new AbortController();
      const { signal } = controller;
      let asked = 0;
      signal.throwIfAborted = () => {
        if (asked++ < stops) return;
        controller.abort(new Error('enough'));
        throw signal.reason;
      };
      isOver = await store.eraseSpeaker({ speaker: 'Alice', signal }).then(
        () => true,
        () => false,
      );
    }
    expect(findWords(folder, WORDS)).toEqual([]);
  });

  it('refuses a name without letters, and options that it does not have', async () => {
    const store = await open(await temporaryFolder());
    await expect(store.eraseSpeaker({ speaker: ' ' })).rejects.toMatchObject({
      code: 'invalid-input',
    });
    const wrong = { speaker: 'A', user: 'A' };
    await expect(store.eraseSpeaker(wrong)).rejects.toMatchObject({ code: 'invalid-input' });
  });
});

it('an erasure that dies after any of its writes leaves nothing that the next one does not find', async () => {
  const folder = await temporaryFolder();
  let writes = 0;
  for (let isDone = false; !isDone; writes++) {
    const path = join(folder, `${writes}`, 'm.db');
    const store = await MemoryStore.open({ path });
    const alice = await store.startSession({
      workspace: '/w',
      metadata: { user: 'Alice', title: SAID },
    });
    await store.log(alice.id, 'user_message', { content: LONG });
    await store.recorder().record(turn('1', 'Alice', SAID));
    await store.recorder().record(turn('2', 'Bob', `You said: ${SAID}`));
    const { id } = await store.startSession({ workspace: '/w' });
    await store.log(id, 'file_edit', {
      action: 'create',
      file_path: 'a.md',
      new_content: LONG,
      success: true,
    });
    await store.close();

    const database = sqliteDatabase({ path });
    let left = writes;
    const write = async <T>(work: () => Promise<T>): Promise<T> => {
      if (left-- <= 0) throw new Error('killed');
      return work();
    };
    const dying: Database = {
      ...database,
      execute: (...args) => write(() => database.execute(...args)),
      batch: (statements) => write(() => database.batch(statements)),
    };
    const storage = { ...(await inMemoryStorage()), database: dying };
    left = Infinity;
    const erased = await MemoryStore.open({ storage });
    left = writes;
    isDone = await erased.eraseSpeaker({ speaker: 'Alice' }).then(
      () => true,
      (error: unknown) => {
        expect(String(error)).toContain('killed');
        return false;
      },
    );
    await erased.close().catch(() => undefined);
    await database.close();

    await using again = await MemoryStore.open({ path });
    await again.eraseSpeaker({ speaker: 'Alice' });
    await again.close();
    expect([writes, findWords(join(folder, `${writes}`), WORDS)]).toEqual([writes, []]);
  }
  expect(writes).toBeGreaterThan(5);
});
