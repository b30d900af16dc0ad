import { readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Eraser } from '@vizprompt/providers/internal';
import { describe, expect, it, vi } from 'vitest';
import { findWords } from '../../../providers/test/support/find-words.ts';
import { ownSqlite } from '../../../providers/test/support/own-sqlite.ts';
import { MemoryStore } from '../../src/index.ts';
import { ClaudeLog } from '../support/capture/claude-log.ts';
import { newFolder, put } from '../support/capture/open-memory.ts';

const WORD = 'zebraquartz';
const SAID = `the plan is ${WORD}`;

function packed(text: string): string {
  return Buffer.from(JSON.stringify({ at: 1, text })).toString('base64');
}

/** Returns a memory with copies of what is said in every place where agents leave them. */
async function memoryOf(): Promise<{
  path: string;
  folder: string;
  store: MemoryStore;
  log: ClaudeLog;
}> {
  const path = join(await newFolder(), 'ptta.db');
  const store = await MemoryStore.open({ path });
  const log = new ClaudeLog('one').user(SAID);
  const other = new ClaudeLog('two').user('what was the plan?');
  // Kinds that no version knows are kept.
  log.raw({ type: 'hologram', text: SAID, sessionId: log.session });
  log.text(`yes: ${SAID}`);
  log.raw({ type: 'custom-title', customTitle: SAID, sessionId: log.session });
  log.raw({ type: 'last-hologram', lastPrompt: SAID, sessionId: log.session });
  log.user(`What was said so far: ${SAID}.`, { isCompactSummary: true });
  other.raw({ type: 'hologram', shown: [{ deep: `past: ${SAID}` }], sessionId: other.session });
  other.text('see above');
  other.raw({ type: 'hologram', packed: packed(SAID), sessionId: other.session });
  other.raw({ type: 'hologram', cut: `${SAID.slice(0, -2)}…`, sessionId: other.session });
  other.text('see below');
  const folder = await newFolder();
  await put(folder, 'one.jsonl', log.toString());
  await put(folder, 'two.jsonl', other.toString());
  await store.importTranscript(folder, { closed: true });
  const { id } = await store.startSession({ workspace: folder });
  await store.log(id, 'code_intention', { action: 'edit', file_path: 'a', reason: SAID });
  // As an older version has recorded it.
  await store.log(id, 'tool_use', {
    tool: 'mcp__ptta__search',
    parameters: { query: SAID },
    result: { hits: [{ snippet: SAID }] },
  });
  await writeFile(join(dirname(path), 'hooks.log'), `{"message":"${SAID}"}\n`);
  return { path, store, log, folder };
}

const WAYS: Readonly<Record<string, (store: MemoryStore, session: string) => Promise<unknown>>> = {
  'of each event': async (store, session) => {
    for await (const { id } of store.events(session)) await store.forget({ event: id });
  },
  'of its session': (store, session) => store.forget({ session }),
  'by deleting its session': (store, session) => store.deleteSession(session),
  'of each event without a purge, and a vacuum': async (store, session) => {
    for await (const { id } of store.events(session)) {
      await store.forget({ event: id }, { purge: false });
    }
    await store.vacuum();
  },
};

describe('what is forgotten', () => {
  it.each(Object.entries(WAYS))('%s is in no byte of any file', async (_name, forget) => {
    const { path, store, log } = await memoryOf();
    expect(findWords(dirname(path), [WORD])).not.toEqual([]);
    await forget(store, log.session);
    expect(await store.search(WORD)).toEqual([]);
    expect(JSON.stringify(await store.listSessions())).not.toContain(WORD);
    await store.close();
    expect(findWords(dirname(path), [WORD])).toEqual([]);
  });

  it('takes no words out of what others said by themselves', async () => {
    const { store, log } = await memoryOf();
    const { id } = await store.startSession();
    const own = await store.log(id, 'user_message', { content: `my own words: ${SAID}` });
    await store.forget({ session: log.session });
    expect((await store.getEvent(own.id)).data).toEqual({ content: `my own words: ${SAID}` });
    await store.close();
  });

  it.each(['of each event', 'of its session'] as const)(
    '%s does not come back with the transcript, in its title either',
    async (way) => {
      const { path, folder, store, log } = await memoryOf();
      log.raw({ type: 'ai-title', aiTitle: `Asking about ${WORD}`, sessionId: log.session });
      await put(folder, 'one.jsonl', log.toString());
      await store.importTranscript(folder, { closed: true });
      expect((await store.getSession(log.session)).metadata['title']).toContain(WORD);
      await WAYS[way]?.(store, log.session);
      await store.importTranscript(folder, { closed: true });
      await store.close();
      expect(findWords(dirname(path), [WORD])).toEqual([]);
    },
  );

  it.each<[string, (store: MemoryStore, event: string) => Promise<void>]>([
    ['the same call', (store, event) => store.forget({ event })],
    ['a vacuum', (store) => store.vacuum()],
  ])('when a process was killed meanwhile is gone after %s', async (_name, again) => {
    const path = join(await newFolder(), 'ptta.db');
    const store = await MemoryStore.open({ path });
    const { id } = await store.startSession();
    const written = { action: 'create', file_path: 'a.txt', new_content: SAID } as const;
    const event = await store.log(id, 'file_edit', { ...written, success: true });
    const database = ownSqlite.open(path);
    // As if the process ended before it deleted the contents of the event.
    database.exec(
      "CREATE TRIGGER killed BEFORE DELETE ON memory_blobs BEGIN SELECT RAISE(ABORT, 'killed'); END",
    );
    await expect(store.forget({ event: event.id })).rejects.toThrow('killed');
    await store.close();
    database.exec('DROP TRIGGER killed');
    database.close();
    expect(findWords(dirname(path), [WORD])).not.toEqual([]);
    const next = await MemoryStore.open({ path });
    await again(next, event.id);
    await next.close();
    expect(findWords(dirname(path), [WORD])).toEqual([]);
  });

  it('by the retention is in no byte of any file', async () => {
    const path = join(await newFolder(), 'ptta.db');
    let now = Date.parse('2026-01-01T00:00:00Z');
    const clock = (): Date => new Date(now);
    const store = await MemoryStore.open({ path, clock });
    const { id } = await store.startSession();
    await store.log(id, 'user_message', { content: SAID });
    await store.endSession(id);
    const session = { agent: 'claude-code', sourceId: id, metadata: {} };
    const [log, state] = [join(dirname(path), 'hooks.log'), join('hooks', 'a.json')];
    await writeFile(log, `{"message":"${SAID}"}\n{"message":"stays"}\n`);
    await put(dirname(path), state, JSON.stringify({ reader: { session, reasons: [['', SAID]] } }));
    now += 90 * 86_400_000;
    expect(await store.applyRetention({ maxAgeDays: 30 })).toEqual({ sessions: 1, events: 1 });
    await store.close();
    expect(findWords(dirname(path), [WORD])).toEqual([]);
    expect(await readFile(log, 'utf8')).toContain('stays');
  });

  it('by the retention takes no state of another session', async () => {
    const path = join(await newFolder(), 'ptta.db');
    let now = Date.parse('2026-01-01T00:00:00Z');
    const store = await MemoryStore.open({ path, clock: () => new Date(now) });
    const { id } = await store.startSession();
    await store.log(id, 'user_message', { content: SAID });
    await store.endSession(id);
    const session = { agent: 'claude-code', sourceId: 'another', metadata: {} };
    const states = [
      JSON.stringify({ reader: { session, reasons: [['', SAID]] } }),
      JSON.stringify({ reader: { calls: [['a', { id: 'a', tool: 'Bash', input: SAID }]] } }),
      `{"reader":{"reasons":[["","${SAID}`,
    ];
    const folder = join(dirname(path), 'hooks');
    for (const [at, text] of states.entries()) await put(folder, `${at}.json`, text);
    now += 90 * 86_400_000;
    expect(await store.applyRetention({ maxAgeDays: 30 })).toMatchObject({ sessions: 1 });
    await store.close();
    for (const [at, text] of states.entries()) {
      expect(await readFile(join(folder, `${at}.json`), 'utf8')).toBe(text);
    }
  });

  it('by the retention is searched for in the logs once, however many sessions go', async () => {
    const path = join(await newFolder(), 'ptta.db');
    let now = Date.parse('2026-01-01T00:00:00Z');
    const store = await MemoryStore.open({ path, clock: () => new Date(now) });
    for (let count = 0; count < 30; count++) {
      const { id } = await store.startSession();
      await store.log(id, 'user_message', { content: `${SAID} ${count}` });
      await store.endSession(id);
    }
    const log = join(dirname(path), 'hooks.log');
    await writeFile(log, '{"message":"stays"}\n');
    await put(dirname(path), join('hooks', 'a.json'), JSON.stringify({ text: SAID }));
    now += 90 * 86_400_000;
    const clean = vi.spyOn(Eraser.prototype, 'clean');
    expect(await store.applyRetention({ maxAgeDays: 30 })).toMatchObject({ sessions: 30 });
    const texts = clean.mock.calls.map(([text]) => text);
    clean.mockRestore();
    expect(texts.filter((text) => text.includes('stays'))).toHaveLength(1);
    expect(texts.filter((text) => text.includes(WORD))).toEqual([]);
    await store.close();
  });
});
