import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { MemoryError, MemoryStore } from '@vizprompt/memory';
import { createMemoryApp } from '@vizprompt/memory/http';
import { expect, test } from 'vitest';
import { newStore, temporaryFolder } from '../support/open-store.ts';

/** Arguments as plain JavaScript passes them. */
// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- they are wrong on purpose
const loose = (value: unknown): never => value as never;

test('what makes no sense is a typed error, and nothing is written or deleted', async () => {
  const workspace = await temporaryFolder();
  const path = join(workspace, 'a.txt');
  await writeFile(path, 'kept');
  const store = await newStore();
  const { id: session } = await store.startSession({ workspace });
  const edit = { session, path, reason: 'r' };
  const tool = (parameters: unknown) => () =>
    store.log(session, 'tool_use', { tool: 'x', parameters: loose(parameters) });
  const circle: Record<string, unknown> = {};
  circle['self'] = circle;
  const attempts: readonly (readonly [string, () => unknown])[] = [
    ['edit', () => store.editFile({ ...edit, edit: loose(null) })],
    ['edit.old', () => store.editFile({ ...edit, edit: loose({ new: 'x' }) })],
    ['edit.new', () => store.editFile({ ...edit, edit: loose({ old: 'kept' }) })],
    ['delete', () => store.editFile({ ...edit, delete: loose(false) })],
    ['newContent', () => store.editFile({ ...edit, newContent: loose(7) })],
    ["'run'", () => store.recordEdit(loose(edit))],
    ['of the kind Date', tool({ at: new Date() })],
    ['of the kind Map', tool(new Map())],
    ['of the kind Uint8Array', tool([new Uint8Array(2)])],
    ['tool_use.parameters.self.self', tool(circle)],
    [
      '2026-02-31',
      () => store.log(session, 'thinking', { content: '' }, { timestamp: '2026-02-31' }),
    ],
    [
      '2026-01-31T12:00:00+09:00',
      () => store.log(session, 'thinking', { content: '' }, { timestamp: '2026-01-31T12:00:00' }),
    ],
    ['startedAt', () => store.startSession({ workspace, startedAt: '2026-01-31T12:00' })],
    ['logMany', () => store.logMany(session, loose(undefined))],
    ["'fail' or 'skip'", () => store.logMany(session, [], { duplicates: loose('replace') })],
    ["'fail' or 'keep'", () => store.startSession({ workspace, ifExists: loose('maybe') })],
    ["'active' or 'ended'", () => store.listSessions({ state: loose('open') })],
    ["'read' or 'omit'", () => store.events(session, { contents: loose('none') }).page()],
    ['query', () => store.search(loose(undefined))],
    ['query', () => store.recall({ query: loose(7), workspace, budgetTokens: 10 })],
    ['workspace', () => store.recall(loose({ query: 'x', budgetTokens: 10 }))],
    ['workspace', () => store.leaveWorkspaces(loose(undefined))],
    ['backup', () => store.backup(loose(undefined))],
    ['MemoryStore.open', () => MemoryStore.open(loose(null))],
    ['path', () => MemoryStore.open({ path: '' })],
    ['path', () => MemoryStore.open({ path: loose(7) })],
    ['tenant', () => MemoryStore.open({ path: ':memory:', tenant: loose(7) })],
    ['redact', () => MemoryStore.open({ path: ':memory:', redact: loose(true) })],
  ];
  for (const [named, attempt] of attempts) {
    const error: unknown = await (async () => attempt())().catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(MemoryError);
    expect(error).toMatchObject({
      code: 'invalid-input',
      message: expect.stringContaining(named),
    });
    expect(String(error).length).toBeLessThan(300);
  }
  expect(await readFile(path, 'utf8')).toBe('kept');
  expect(await store.events(session).page()).toEqual({ events: [] });
});

test('an id that nothing can have is that of nothing', async () => {
  const store = await newStore();
  const ids: readonly unknown[] = ['', 'a\0', '\ud800', undefined, null, 7, {}, 'x'.repeat(300)];
  for (const id of ids.map(loose)) {
    const session = { code: 'session-not-found' };
    for (const attempt of [
      () => store.getSession(id),
      () => store.endSession(id),
      () => store.deleteSession(id),
      () => store.log(id, 'thinking', { content: '' }),
      () => store.events(id).page(),
    ]) {
      await expect(attempt()).rejects.toMatchObject(session);
    }
    await expect(store.getEvent(id)).rejects.toMatchObject({ code: 'event-not-found' });
  }
  const pieces = store.exportJson({ session: 'none' })[Symbol.asyncIterator]();
  await expect(pieces.next()).rejects.toMatchObject({ code: 'session-not-found' });
  expect(await store.knownEvents(['a\0'])).toEqual(new Set());
});

test('what is wrong is named with its place', async () => {
  const workspace = await temporaryFolder();
  const store = await newStore();
  const { id } = await store.startSession({ workspace });
  const told = { type: 'user_message', data: { content: 'x' } } as const;
  await expect(store.logMany(id, [told, loose({ type: 'nope', data: {} })])).rejects.toMatchObject({
    code: 'invalid-input',
    message: expect.stringMatching(/^event 2: there is no event type "nope"/),
    context: { event: 2 },
  });
  expect(await store.events(id).page()).toMatchObject({ events: [] });
  await expect(
    store.editFile({ session: id, path: '.', newContent: 'x', reason: 'r' }),
  ).rejects.toMatchObject({
    code: 'path-outside',
    message: `. is the workspace ${workspace} itself: name a file in it`,
  });
  await expect(
    MemoryStore.open({ path: join(workspace, 'a.db'), redact: { rules: [loose(/x/)] } }),
  ).rejects.toThrow("expected a regular expression as 'pattern', got undefined");
  await expect(createMemoryApp(loose(undefined))).rejects.toThrow(
    'the store of createMemoryApp: expected a store: await MemoryStore.open({ path })',
  );
});
