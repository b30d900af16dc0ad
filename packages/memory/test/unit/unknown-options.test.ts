import { MemoryError, MemoryStore } from '@vizprompt/memory';
import { installHooks, uninstallHooks } from '@vizprompt/memory/hooks';
import { createMemoryApp } from '@vizprompt/memory/http';
import { expect, test } from 'vitest';
import { newStorage, newStore, temporaryFolder } from '../support/open-store.ts';

/** Options as plain JavaScript passes them. */
// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- they are wrong on purpose
const loose = (options: unknown): never => options as never;

test('what is mistyped or missing is refused by its name', async () => {
  const store = await newStore();
  const storage = await newStorage();
  const folder = await temporaryFolder();
  const { id } = await store.startSession({ workspace: folder });
  const thought = { type: 'thinking', data: { content: 'a' } };
  const change = { session: id, path: 'a', reason: 'r' };
  const attempts: readonly [string, () => unknown][] = [
    ['event', () => store.forget(loose({}))],
    ['events', () => store.forget(loose({ events: id }))],
    ['event', () => store.forget(loose({ event: undefined }))],
    ['agent', () => store.importTranscript(folder, { agent: loose('cursor') })],
    ['close', () => store.importTranscript(folder, loose({ close: true }))],
    ['command', () => installHooks(loose({}))],
    ['command', () => uninstallHooks(loose({}))],
    ['redactions', () => MemoryStore.open(loose({ storage, redactions: false }))],
    ['maxAge', () => MemoryStore.open({ storage, retention: loose({ maxAge: 1 }) })],
    ['maxAge', () => store.applyRetention(loose({ maxAge: 1 }))],
    ['tokn', () => createMemoryApp(store, loose({ tokn: 'a secret of many letters' }))],
    ['parentId', () => store.log(id, 'thinking', { content: 'a' }, loose({ parentId: id }))],
    ['work', () => store.startSession(loose({ work: folder }))],
    ['skip', () => store.logMany(id, [], loose({ skip: true }))],
    ['parentId', () => store.logMany(id, loose([{ ...thought, parentId: id }]))],
    ['workspce', () => store.search('a', loose({ workspce: folder }))],
    ['workspce', () => store.searchSessions('a', loose({ workspce: folder }))],
    ['budget', () => store.recall(loose({ workspace: folder, budget: 100 }))],
    ['limt', () => store.events(id, loose({ limt: 1 })).page()],
    ['poll', () => store.follow(id, loose({ poll: 1 }))],
    ['active', () => store.listSessions(loose({ active: true }))],
    ['root', () => store.files(loose({ root: folder }))],
    ['root', () => store.fileHistory('a', loose({ root: folder }))],
    ['at', () => store.fileAt('a', loose({ at: 'now' }))],
    ['content', () => store.editFile(loose({ ...change, content: '' }))],
    ['why', () => store.recordEdit(loose({ ...change, why: '' }))],
    ['sesion', () => store.exportJson(loose({ sesion: id }))],
    ['sesion', () => store.stats(loose({ sesion: id }))],
    ['path', () => store.retriever(loose({ path: 'a' }))],
    ['ended_at', () => store.updateSession(id, loose({ ended_at: null }))],
  ];
  for (const [name, attempt] of attempts) {
    const error: unknown = await (async () => attempt())().then(
      () => undefined,
      (reason: unknown) => reason,
    );
    expect(error).toBeInstanceOf(MemoryError);
    expect(error).toMatchObject({
      code: 'invalid-input',
      message: expect.stringContaining(`'${name}'`),
    });
  }
  expect(await store.events(id).page()).toEqual({ events: [] });
});
