import { mkdir, readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { MemoryStore } from '@vizprompt/memory';
import { all, newStore, temporaryFolder } from '../support/open-store.ts';

async function withSession(): Promise<{ store: MemoryStore; session: string; folder: string }> {
  const folder = await temporaryFolder();
  const store = await newStore();
  const { id } = await store.startSession({ workspace: folder });
  return { store, session: id, folder };
}

describe('edits that the store makes', () => {
  it('are intended, made and recorded, and linked', async () => {
    const { store, session, folder } = await withSession();
    const path = 'src/認証.ts';
    const said = await store.log(session, 'user_message', { content: '追加して' });
    const made = await store.editFile({
      session,
      path,
      newContent: 'a\n\tb\r\n',
      reason: '新しいファイル',
      parent: said.id,
    });
    expect(await readFile(join(folder, path), 'utf8')).toBe('a\n\tb\r\n');
    expect(made.intention).toMatchObject({
      parent_event_id: said.id,
      data: { action: 'create', reason: '新しいファイル', file_path: join(folder, path) },
    });
    expect(made.edit).toMatchObject({
      parent_event_id: made.intention.id,
      data: { action: 'create', success: true, intention_event_id: made.intention.id },
    });
    await store.editFile({ session, path, edit: { old: 'b', new: '$&' }, reason: 'second' });
    expect(await readFile(join(folder, path), 'utf8')).toBe('a\n\t$&\r\n');
    await store.editFile({ session, path, delete: true, reason: 'third' });
    expect(existsSync(join(folder, path))).toBe(false);

    const history = await store.fileHistory(path, { workspace: folder });
    expect(history.map(({ intention }) => intention?.data.reason)).toEqual([
      'third',
      'second',
      '新しいファイル',
    ]);
    expect(history.map(({ edit }) => edit?.data.action)).toEqual(['delete', 'edit', 'create']);
    const [newest, middle] = history;
    expect(newest?.edit?.data.diff).toContain('deleted file mode');
    expect(middle?.edit?.data.diff).toContain('-\tb\r\n+\t$&\r\n');
    const next = await store.fileHistory(join(folder, path), { before: newest?.edit?.id ?? '' });
    expect(next).toEqual(history.slice(1));
    expect(await store.pendingIntentions()).toEqual([]);
  });

  it('keep the mode of a file and leave nothing next to it', async () => {
    const { store, session, folder } = await withSession();
    await writeFile(join(folder, 'run.sh'), 'echo a\n', { mode: 0o755 });
    await store.editFile({ session, path: 'run.sh', edit: { old: 'a', new: 'b' }, reason: 'b' });
    expect((await stat(join(folder, 'run.sh'))).mode & 0o777).toBe(0o755);
    expect(await readdir(folder)).toEqual(['run.sh']);
  });

  it('that the file system refuses are recorded with the error', async () => {
    const { store, session, folder } = await withSession();
    await writeFile(join(folder, 'file'), 'x');
    for (const [path, error] of [
      ['file/inner.txt', 'EEXIST'],
      ['m'.repeat(300), 'ENAMETOOLONG'],
    ] as const) {
      const { edit } = await store.editFile({ session, path, newContent: 'z', reason: 'no' });
      expect(edit.data).toMatchObject({ action: 'create', success: false });
      expect(edit.data.error_message).toContain(error);
      const now = store.fileAt(path, { workspace: folder });
      await expect(now).rejects.toMatchObject({ code: 'event-not-found' });
    }
    expect(await store.pendingIntentions()).toEqual([]);
    expect(await readdir(folder)).toEqual(['file']);
  });

  it('are refused outside the workspace, by links too, and where the file is another', async () => {
    const { store, session, folder } = await withSession();
    const outside = await temporaryFolder();
    await writeFile(join(outside, 'secret'), 'x');
    await symlink(outside, join(folder, 'link'));
    await mkdir(join(folder, 'folder'));
    await writeFile(join(folder, 'twice'), 'a a');
    await writeFile(join(folder, 'binary'), new Uint8Array([0xff, 0xfe, 0x00]));
    const attempts: [string, Partial<Parameters<typeof store.editFile>[0]>, string][] = [
      ['../x', { newContent: '' }, 'path-outside'],
      [join(outside, 'secret'), { newContent: '' }, 'path-outside'],
      ['link/secret', { delete: true }, 'path-outside'],
      ['link/new', { newContent: '' }, 'path-outside'],
      ['.', { newContent: '' }, 'path-outside'],
      ['none', { delete: true }, 'edit-conflict'],
      ['none', { edit: { old: 'a', new: 'b' } }, 'edit-conflict'],
      ['twice', { edit: { old: 'a', new: 'b' } }, 'edit-conflict'],
      ['twice', { edit: { old: 'c', new: 'b' } }, 'edit-conflict'],
      ['twice', { edit: { old: '', new: 'b' } }, 'edit-conflict'],
      ['binary', { newContent: 'x' }, 'invalid-text'],
      ['folder', { newContent: 'x' }, 'edit-conflict'],
      ['twice', {}, 'invalid-input'],
      ['twice', { newContent: 'x', delete: true }, 'invalid-input'],
    ];
    for (const [path, change, code] of attempts) {
      const attempt = store.editFile({ session, path, reason: 'r', ...change });
      const thrown: unknown = await attempt.catch((error: { code: string }) => error.code);
      expect([path, thrown]).toEqual([path, code]);
    }
    expect(await all(store.events(session))).toEqual([]);
    expect(await readFile(join(outside, 'secret'), 'utf8')).toBe('x');
    const both = { old: 'a', new: 'b', all: true };
    await store.editFile({ session, path: 'twice', edit: both, reason: 'r' });
    expect(await readFile(join(folder, 'twice'), 'utf8')).toBe('b b');
  });
});

describe('edits that others make', () => {
  it('are recorded with before, afterwards and the error', async () => {
    const { store, session, folder } = await withSession();
    const run = async (): Promise<void> => writeFile(join(folder, 'a'), 'one\n');
    const { edit } = await store.recordEdit({ session, path: 'a', reason: 'editor', run });
    expect(edit.data).toMatchObject({ action: 'create', new_content: 'one\n', success: true });
    const broken = store.recordEdit({
      session,
      path: 'a',
      reason: 'half',
      run: async () => {
        await writeFile(join(folder, 'a'), 'two\n');
        throw new Error('it broke');
      },
    });
    await expect(broken).rejects.toThrow('it broke');
    const [newest] = await store.fileHistory('a', { workspace: folder });
    expect(newest?.edit?.data).toMatchObject({
      action: 'edit',
      old_content: 'one\n',
      new_content: 'two\n',
      success: false,
      error_message: 'it broke',
    });
  });
});

describe('the list of files', () => {
  it('has what was edited or intended, page by page, in the order of code points', async () => {
    const { store, session, folder } = await withSession();
    const edit = { action: 'create', new_content: 'x', success: true } as const;
    const intention = { action: 'edit', reason: 'later' } as const;
    for (const file_path of ['b.ts', '認証.ts', 'B.ts', 'b.ts', '😀.md'])
      await store.log(session, 'file_edit', { ...edit, file_path });
    await store.log(session, 'code_intention', { ...intention, file_path: 'b.ts' });
    await store.log(session, 'code_intention', { ...intention, file_path: 'never.ts' });
    const { id: other } = await store.startSession({ workspace: '/elsewhere' });
    const last = await store.log(other, 'file_edit', { ...edit, file_path: 'src/a.ts' });

    const seen = async (options: object): Promise<unknown> =>
      (await store.files(options)).map(({ file_path, edits }) => [
        file_path.slice(folder.length + 1),
        edits,
      ]);
    const expected = [
      ['B.ts', 1],
      ['b.ts', 2],
      ['never.ts', 0],
      ['認証.ts', 1],
      ['😀.md', 1],
    ];
    expect(await seen({ workspace: folder })).toEqual(expected);
    const after = join(folder, 'b.ts');
    expect(await seen({ workspace: folder, after, limit: 2 })).toEqual(expected.slice(2, 4));
    expect(await store.files({ workspace: '/elsewhere' })).toEqual([
      { file_path: '/elsewhere/src/a.ts', edits: 1, updated_at: last.timestamp },
    ]);
    expect(await store.files()).toHaveLength(6);
    await store.joinWorkspaces('/elsewhere', folder);
    expect(await store.files({ workspace: folder })).toHaveLength(6);
    await store.forget({ event: last.id });
    expect(await store.files({ workspace: '/elsewhere', after: folder })).toHaveLength(5);
    await expect(store.files({ limit: 0 })).rejects.toMatchObject({ code: 'invalid-input' });
  });
});

describe('a file in the past', () => {
  it('is rebuilt at each time and after each event', async () => {
    const { store, session, folder } = await withSession();
    const texts = ['one\n', 'one\ntwo\n', undefined, 'three'];
    const edits: string[] = [];
    let old: string | undefined = 'zero\n';
    for (const [day, text] of texts.entries()) {
      const edit = await store.logMany(session, [
        {
          type: 'file_edit',
          timestamp: `2026-01-0${day + 2}T00:00:00Z`,
          data: {
            action: text === undefined ? 'delete' : old === undefined ? 'create' : 'edit',
            file_path: 'a.txt',
            ...(old === undefined ? {} : { old_content: old }),
            ...(text === undefined ? {} : { new_content: text }),
            success: true,
          },
        },
      ]);
      edits.push(edit[0]?.id ?? '');
      old = text;
    }
    await store.log(session, 'file_edit', {
      action: 'edit',
      file_path: 'a.txt',
      old_content: 'three',
      new_content: 'never',
      success: false,
    });
    const at = async (moment: { time?: string; event?: string }): Promise<string | null> =>
      (await store.fileAt('a.txt', { ...moment, workspace: folder })).content;
    for (const [index, text] of texts.entries()) {
      expect(await at({ event: edits[index] ?? '' })).toBe(text ?? null);
      expect(await at({ time: `2026-01-0${index + 2}T09:00:00+09:00` })).toBe(text ?? null);
    }
    expect(await at({})).toBe('three');
    expect(await at({ time: '2026-01-01' })).toBe('zero\n');
    await expect(at({ time: 'soon' })).rejects.toMatchObject({ code: 'invalid-input' });
    await expect(at({ event: 'none' })).rejects.toMatchObject({ code: 'event-not-found' });
    const none = store.fileAt('other.txt', { workspace: folder });
    await expect(none).rejects.toMatchObject({ code: 'event-not-found' });
  });

  it('is rebuilt by diffs where an edit brought no text', async () => {
    const { store, session, folder } = await withSession();
    const base = { action: 'edit', file_path: 'a.txt', success: true } as const;
    await store.log(session, 'file_edit', { ...base, action: 'create', new_content: 'a\nb\nc\n' });
    await store.log(session, 'file_edit', { ...base, diff: '@@ -2,1 +2,1 @@\n-b\n+B\n' });
    const last = await store.log(session, 'file_edit', {
      ...base,
      diff: '--- a/a.txt\n+++ b/a.txt\n@@ -3,1 +3,2 @@\n c\n+d\n',
    });
    expect(await store.fileAt('a.txt', { workspace: folder })).toMatchObject({
      content: 'a\nB\nc\nd\n',
      event_id: last.id,
      isRedacted: false,
    });
    await store.log(session, 'file_edit', { ...base, diff: '@@ -1,1 +1,1 @@\n-x\n+y\n' });
    const broken = store.fileAt('a.txt', { workspace: folder });
    await expect(broken).rejects.toMatchObject({ code: 'edit-conflict' });
  });

  it('shares the text between intention and edit', async () => {
    const { store, session } = await withSession();
    const noise = Array.from({ length: 5000 }, () => Math.random().toString(36)).join('\n');
    await store.editFile({ session, path: 'a', newContent: noise, reason: 'one' });
    await store.editFile({ session, path: 'a', newContent: `${noise}\nend`, reason: 'two' });
    const report = await store.check();
    // Two texts and two diffs for four events.
    expect(report).toMatchObject({ isOk: true, events: 4, contents: 4 });
  });

  it('knows intentions that were never carried out', async () => {
    const { store, session, folder } = await withSession();
    const intend = (file: string): Promise<{ id: string }> =>
      store.log(session, 'code_intention', { action: 'create', file_path: file, reason: file });
    const one = await intend('a');
    const two = await intend('b');
    const three = await intend('c');
    const base = { action: 'create', success: true } as const;
    const data = { ...base, file_path: 'a', intention_event_id: one.id };
    await store.log(session, 'file_edit', data);
    await store.log(session, 'file_edit', { ...base, file_path: 'c' }, { parent: three.id });
    const pending = await store.pendingIntentions({ session });
    expect(pending.map(({ id }) => id)).toEqual([two.id]);
    expect(await store.pendingIntentions({ workspace: folder })).toHaveLength(1);
    expect(await store.pendingIntentions({ workspace: '/other' })).toEqual([]);
    const [change] = await store.fileHistory('b', { workspace: folder });
    expect(change).toMatchObject({ intention: { id: two.id } });
    expect(change?.edit).toBeUndefined();
    const history = await store.fileHistory('c', { workspace: folder });
    expect(history).toMatchObject([{ intention: { id: three.id } }]);
  });
});
