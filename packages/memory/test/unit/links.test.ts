import { lstat, mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { MemoryStore } from '@vizprompt/memory';
import { describe, expect, it } from 'vitest';
import { newStore, temporaryFolder } from '../support/open-store.ts';

interface Opened {
  readonly store: MemoryStore;
  readonly session: string;
  readonly workspace: string;
}

async function opened(): Promise<Opened> {
  const workspace = await temporaryFolder();
  await mkdir(join(workspace, 'src'));
  await writeFile(join(workspace, 'src', 'a.ts'), 'old\n');
  await symlink(join('src', 'a.ts'), join(workspace, 'link.ts'));
  const store = await newStore();
  const { id: session } = await store.startSession({ workspace });
  return { store, session, workspace };
}

describe('edits through symbolic links', () => {
  it('are in the history of the file itself, which the link finds, too', async () => {
    const { store, session, workspace } = await opened();
    const change = { newContent: 'new\n', reason: 'r' };
    const { edit } = await store.editFile({ session, path: 'link.ts', ...change });
    const target = join(workspace, 'src', 'a.ts');
    expect(edit.data.file_path).toBe(target);
    expect(await readFile(target, 'utf8')).toBe('new\n');
    expect((await lstat(join(workspace, 'link.ts'))).isSymbolicLink()).toBe(true);
    for (const path of ['src/a.ts', 'link.ts', target]) {
      expect(await store.fileHistory(path, { workspace })).toHaveLength(1);
      expect(await store.fileAt(path, { workspace })).toMatchObject({ content: 'new\n' });
    }
    expect(await store.fileHistory(join(workspace, 'link.ts'))).toHaveLength(1);
    const run = (): Promise<void> => writeFile(join(workspace, 'link.ts'), 'newer\n');
    await store.recordEdit({ session, path: 'link.ts', reason: 'r', run });
    expect(await store.fileHistory(target)).toHaveLength(2);
  });

  it('keep the name of a workspace that is a link itself', async () => {
    const { store, workspace } = await opened();
    const named = join(await temporaryFolder(), 'app');
    await symlink(workspace, named);
    const { id: session } = await store.startSession({ workspace: named });
    const { edit } = await store.editFile({
      session,
      path: 'link.ts',
      edit: { old: 'old', new: 'new' },
      reason: 'r',
    });
    expect(edit.data.file_path).toBe(join(named, 'src', 'a.ts'));
  });

  it('make the file that a link leads to and that is not there yet', async () => {
    const { store, session, workspace } = await opened();
    await symlink(join('..', 'src', 'new', 'b.ts'), join(workspace, 'src', 'dangling'));
    const { edit } = await store.editFile({
      session,
      path: 'src/dangling',
      newContent: 'b\n',
      reason: 'r',
    });
    const target = join(workspace, 'src', 'new', 'b.ts');
    expect(edit.data).toMatchObject({ action: 'create', file_path: target, success: true });
    expect(await readFile(target, 'utf8')).toBe('b\n');
    expect((await lstat(join(workspace, 'src', 'dangling'))).isSymbolicLink()).toBe(true);
  });

  it('are refused where a link is to be deleted, leads out, or in a circle', async () => {
    const { store, session, workspace } = await opened();
    const outside = join(await temporaryFolder(), 'not-there');
    await symlink(outside, join(workspace, 'out'));
    await symlink('circle', join(workspace, 'circle'));
    const attempts = [
      ['link.ts', { delete: true }, 'edit-conflict'],
      ['out', { newContent: 'x' }, 'path-outside'],
      ['circle', { newContent: 'x' }, 'edit-conflict'],
    ] as const;
    for (const [path, change, code] of attempts) {
      await expect(store.editFile({ session, path, reason: 'r', ...change })).rejects.toMatchObject(
        { code, message: expect.stringContaining(path) },
      );
    }
    expect((await store.getSession(session)).event_count).toBe(0);
    await expect(lstat(outside)).rejects.toMatchObject({ code: 'ENOENT' });
    const gone = { path: 'src/a.ts', delete: true, reason: 'r' } as const;
    expect((await store.editFile({ session, ...gone })).edit.data.success).toBe(true);
  });
});
