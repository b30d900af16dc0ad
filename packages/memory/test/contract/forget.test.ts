import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { MemoryStore } from '@vizprompt/memory';
import { describe, expect, it } from 'vitest';
import { all, newStorage, newStore, ON_POSTGRES, temporaryFolder } from '../support/open-store.ts';

const TOKEN = 'ghp_0123456789abcdef0123456789abcdef0123';
const MARK = '[redacted:github-token]';

describe('secrets', () => {
  it('are removed from every field before storing, marked and counted', async () => {
    const folder = await temporaryFolder();
    const store = await newStore();
    const { id } = await store.startSession({
      workspace: folder,
      metadata: { initial_context: `use ${TOKEN}` },
    });
    expect((await store.getSession(id)).metadata.initial_context).toBe(`use ${MARK}`);
    const said = await store.log(
      id,
      'user_message',
      { content: `${TOKEN} and <private>my diary</private>` },
      { meta: { note: TOKEN } },
    );
    expect(said).toMatchObject({
      data: { content: `${MARK} and <private>[redacted:private]</private>` },
      meta: { note: MARK },
      redactions: 3,
    });
    const tool = await store.log(id, 'tool_use', {
      tool: 'Bash',
      parameters: { env: { password: 'hunter2hunter2' }, list: [TOKEN] },
      result: `x ${TOKEN}`,
    });
    expect(tool.data).toEqual({
      tool: 'Bash',
      parameters: { env: { password: '[redacted:assignment]' }, list: [MARK] },
      result: `x ${MARK}`,
    });
    const { edit } = await store.editFile({
      session: id,
      path: '.env',
      newContent: `TOKEN=${TOKEN}\n`,
      reason: 'configure',
    });
    expect(readFileSync(join(folder, '.env'), 'utf8')).toBe(`TOKEN=${TOKEN}\n`);
    expect(edit.data.diff).toContain(`+TOKEN=${MARK}`);
    expect(edit.redactions).toBe(1);
    expect(await store.fileAt('.env', { workspace: folder })).toMatchObject({
      content: `TOKEN=${MARK}\n`,
      isRedacted: true,
    });
    expect(JSON.stringify(await all(store.events(id)))).not.toContain('0123456789abcdef');
    expect(await store.search('0123456789abcdef')).toEqual([]);
    expect(await store.stats()).toMatchObject({ redactions: 8 });
  });

  it('stay where redaction is off, and more go by own rules', async () => {
    const open = await newStore({ redact: false });
    const first = await open.startSession({ workspace: '/w' });
    const kept = await open.log(first.id, 'thinking', { content: TOKEN });
    expect(kept).toMatchObject({ data: { content: TOKEN } });
    const strict = await newStore({
      redact: { rules: [{ name: 'name', pattern: /太郎/dg }], entropy: 4.5 },
    });
    const second = await strict.startSession({ workspace: '/w' });
    const content = '太郎の鍵は Zx9Qw7Er5Ty3Ui1Op8As6Df4Gh2Jk0Lm です';
    const clean = await strict.log(second.id, 'thinking', { content });
    expect(clean.data.content).toBe('[redacted:name]の鍵は [redacted:entropy] です');
  });
});

describe('what is forgotten', () => {
  it('leaves an empty marker in its place, of an event or a session', async () => {
    const store = await newStore();
    const { id } = await store.startSession({ workspace: '/w', metadata: { tags: ['kumquat'] } });
    const [first, second] = await store.logMany(id, [
      { type: 'user_message', data: { content: 'kumquat one' } },
      { type: 'user_message', data: { content: 'kumquat two' } },
      {
        type: 'file_edit',
        data: { action: 'create', file_path: 'kumquat.ts', new_content: 'kumquat', success: true },
      },
    ]);
    const forgotten: string[] = [];
    store.on('event:forgotten', (event) => forgotten.push(event.id));
    await store.forget({ event: second?.id ?? '' });
    await store.forget({ event: second?.id ?? '' });
    expect(forgotten).toEqual([second?.id]);
    const events = await all(store.events(id));
    expect(events[0]).toEqual(first);
    expect(events[1]).toEqual({
      id: second?.id,
      session_id: id,
      sequence: 2,
      timestamp: second?.timestamp,
      type: 'forgotten',
      data: {},
    });
    expect(await store.search('kumquat')).toHaveLength(2);
    await store.forget({ session: id });
    expect(await store.search('kumquat')).toEqual([]);
    expect(await store.fileHistory('/w/kumquat.ts')).toEqual([]);
    expect((await store.getSession(id)).metadata).toEqual({});
    expect(await store.check()).toMatchObject({ isOk: true, events: 3, contents: 0 });
    const next = await store.log(id, 'thinking', { content: 'on' });
    expect(next.sequence).toBe(4);
    const none = store.forget({ event: 'none' });
    await expect(none).rejects.toMatchObject({ code: 'event-not-found' });
    const neither = store.forget({ session: 'none' });
    await expect(neither).rejects.toMatchObject({ code: 'session-not-found' });
  });

  it('keeps a content that another event still has', async () => {
    const store = await newStore();
    const one = await store.startSession({ workspace: '/w' });
    const two = await store.startSession({ workspace: '/w' });
    const data = {
      action: 'create',
      file_path: 'a',
      new_content: 'shared',
      success: true,
    } as const;
    const first = await store.log(one.id, 'file_edit', data);
    await store.log(two.id, 'file_edit', data);
    await store.forget({ event: first.id });
    await store.deleteSession(one.id);
    expect((await store.fileAt('/w/a')).content).toBe('shared');
    await store.deleteSession(two.id);
    expect(await store.check()).toMatchObject({ isOk: true, contents: 0 });
  });

  it.skipIf(ON_POSTGRES)('is nowhere in the file any more after vacuum', async () => {
    const path = join(await temporaryFolder(), 'm.db');
    const store = await MemoryStore.open({ path });
    const { id } = await store.startSession({ workspace: '/w' });
    const other = await store.startSession({ workspace: '/w' });
    const [event] = await store.logMany(id, [
      { type: 'user_message', data: { content: 'zyzzyvaword 蜜柑畑' } },
      { type: 'thinking', data: { content: 'stays here' } },
    ]);
    await store.log(other.id, 'file_edit', {
      action: 'create',
      file_path: 'a',
      new_content: 'quokkaword',
      success: true,
    });
    const bytes = (): string =>
      ['', '-wal'].map((suffix) => readFileSync(path + suffix).toString('latin1')).join('');
    expect(bytes()).toContain('zyzzyvaword');
    await store.forget({ event: event?.id ?? '' });
    await store.deleteSession(other.id);
    await store.vacuum();
    const left = bytes();
    expect(left).not.toContain('zyzzyva');
    expect(left).not.toContain(Buffer.from('蜜柑').toString('latin1'));
    expect(left).not.toContain('quokka');
    expect(left).toContain('stays here');
    expect(statSync(`${path}-wal`).size).toBe(0);
    expect(await store.search('stays')).toHaveLength(1);
    expect((await store.check()).isOk).toBe(true);
    await store.close();
  });

  it('goes when a store with a retention is opened', async () => {
    const storage = await newStorage();
    const before = await newStore({ storage, clock: () => new Date('2026-01-01T00:00:00Z') });
    const { id } = await before.startSession({ workspace: '/w' });
    await before.log(id, 'thinking', { content: 'old' });
    await before.endSession(id);
    const clock = (): Date => new Date('2026-03-01T00:00:00Z');
    const kept = await newStore({ storage, clock });
    expect(await kept.listSessions()).toHaveLength(1);
    const store = await newStore({ storage, clock, retention: { maxAgeDays: 30 } });
    expect(await store.listSessions()).toEqual([]);
    expect(await store.search('old')).toEqual([]);
    const wrong = newStore({ storage, retention: { maxBytes: -1 } });
    await expect(wrong).rejects.toMatchObject({ code: 'invalid-input' });
  });

  it('is what the retention says, and nothing else', async () => {
    let now = Date.parse('2026-01-01T00:00:00Z');
    const store = await newStore({ clock: () => new Date(now) });
    const ids: string[] = [];
    for (let day = 0; day < 10; day++) {
      const { id } = await store.startSession({ workspace: '/w' });
      await store.log(id, 'thinking', { content: `${day} ${'x'.repeat(1000)}` });
      await store.endSession(id);
      ids.push(id);
      now += 86_400_000;
    }
    const left = async (): Promise<string[]> =>
      (await store.listSessions()).map(({ id }) => id).toReversed();
    expect(await store.applyRetention()).toEqual({ sessions: 0, events: 0 });
    expect(await store.applyRetention({ maxAgeDays: 7.5 })).toEqual({ sessions: 3, events: 3 });
    expect(await left()).toEqual(ids.slice(3));
    const applied: unknown[] = [];
    store.on('retention:applied', (report) => applied.push(report));
    expect(await store.applyRetention({ maxBytes: 3500 })).toEqual({ sessions: 4, events: 4 });
    expect(applied).toEqual([{ sessions: 4, events: 4 }]);
    expect(await left()).toEqual(ids.slice(7));
    const wrong = store.applyRetention({ maxAgeDays: 0 });
    await expect(wrong).rejects.toMatchObject({ code: 'invalid-input' });
    expect((await store.check()).isOk).toBe(true);
  });

  it('is never a session that has not ended', async () => {
    let now = Date.parse('2026-01-01T00:00:00Z');
    const store = await newStore({ clock: () => new Date(now) });
    const running = await store.startSession({ workspace: '/w' });
    await store.log(running.id, 'thinking', { content: 'x'.repeat(1000) });
    const ended = await store.startSession({ workspace: '/w' });
    await store.endSession(ended.id);
    now += 100 * 86_400_000;
    expect(await store.applyRetention({ maxAgeDays: 1 })).toEqual({ sessions: 1, events: 0 });
    expect(await store.applyRetention({ maxBytes: 1 })).toEqual({ sessions: 0, events: 0 });
    expect((await store.listSessions()).map(({ id }) => id)).toEqual([running.id]);
    await store.endSession(running.id);
    expect(await store.applyRetention({ maxBytes: 1 })).toEqual({ sessions: 1, events: 1 });
  });
});
