import { cp, mkdir, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { MemoryStore } from '../../src/index.ts';
import { newFolder, openMemory } from '../support/capture/open-memory.ts';

let clones = 0;

/** Returns a repository as git has it on the disk, with a log of its own. */
async function repository(root: string): Promise<string> {
  clones += 1;
  await put(join(root, '.git', 'HEAD'), 'ref: refs/heads/main\n');
  await put(join(root, '.git', 'logs', 'HEAD'), `${clones} first commit\n${clones} second\n`);
  return root;
}

async function put(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, text);
}

async function worktree(main: string, root: string): Promise<string> {
  const own = join(main, '.git', 'worktrees', 'tree');
  await put(join(root, '.git'), `gitdir: ${own}\n`);
  await put(join(own, 'commondir'), '../..\n');
  return root;
}

/** Checks for each other folder whether it finds the session that was started in the first. */
async function foundFrom(store: MemoryStore, ...folders: string[]): Promise<boolean[]> {
  const [first = '', ...others] = folders;
  const { id } = await store.startSession({ workspace: first });
  await store.log(id, 'user_message', { content: 'kumquat' });
  const found: boolean[] = [];
  for (const workspace of others) {
    const hits = await store.search('kumquat', { workspace });
    const sessions = await store.listSessions({ workspace });
    const { events } = await store.recall({ workspace, budgetTokens: 500 });
    const all = [
      hits.some(({ event }) => event.session_id === id),
      sessions.some((session) => session.id === id),
      events.some(({ event }) => event.session_id === id),
    ];
    expect(new Set(all).size).toBe(1);
    found.push(all[0] === true);
  }
  return found;
}

describe('a session', () => {
  it('in a subfolder, a worktree or a worktree inside the repository is found from all of them', async () => {
    for (const from of [0, 1, 2, 3, 4]) {
      const folder = await newFolder();
      const root = await repository(join(folder, 'app'));
      const places = [
        root,
        join(root, 'packages', 'a'),
        await worktree(root, join(folder, 'tree')),
        join(folder, 'tree', 'packages', 'b'),
        await worktree(root, join(root, '.claude', 'worktrees', 'inner')),
      ];
      const store = await openMemory();
      const [first = ''] = places.splice(from, 1);
      expect(await foundFrom(store, first, ...places)).toEqual([true, true, true, true]);
    }
  });

  it('in a clone that was moved is found where it is now, and from there the other way round', async () => {
    const folder = await newFolder();
    const store = await openMemory();
    const old = await repository(join(folder, 'old'));
    await foundFrom(store, join(old, 'src'));
    const now = join(folder, 'deeper', 'new');
    await mkdir(dirname(now));
    await rename(old, now);
    expect(await store.listSessions({ workspace: now })).toHaveLength(1);
    expect(await foundFrom(store, now, old, join(old, 'src'))).toEqual([true, true]);
  });

  it('of another project is not found: neighbours, copies, submodules, nested repositories', async () => {
    const folder = await newFolder();
    const store = await openMemory();
    const app = await repository(join(folder, 'app'));
    const neighbour = await repository(join(folder, 'neighbour'));
    const nested = await repository(join(app, 'vendor', 'lib'));
    const submodule = join(app, 'module');
    await put(join(submodule, '.git'), `gitdir: ${join(app, '.git', 'modules', 'module')}\n`);
    await put(join(app, '.git', 'modules', 'module', 'logs', 'HEAD'), 'module\n');
    const places = [neighbour, nested, submodule, folder];
    expect(await foundFrom(store, app, ...places)).toEqual([false, false, false, false]);
    // A template that was copied with its history.
    const copy = join(folder, 'copy');
    await cp(app, copy, { recursive: true });
    expect(await foundFrom(store, copy, app)).toEqual([false]);
    expect(await foundFrom(store, app, copy)).toEqual([false]);
  });

  it('is found from what was joined, and no more from what was parted, for good', async () => {
    const folder = await newFolder();
    const store = await openMemory();
    const one = await repository(join(folder, 'one'));
    const two = await repository(join(folder, 'two'));
    const sub = join(one, 'sub');
    await store.joinWorkspaces(one, two);
    expect(await foundFrom(store, one, two, sub)).toEqual([true, true]);
    await store.leaveWorkspaces(sub);
    expect(await foundFrom(store, one, sub, two)).toEqual([false, true]);
    expect(await foundFrom(store, sub, one, two)).toEqual([false, false]);
    await store.leaveWorkspaces(two);
    expect(await foundFrom(store, two, one)).toEqual([false]);
    await store.joinWorkspaces(one, two);
    expect(await foundFrom(store, two, one)).toEqual([true]);
  });

  it('of a clone that was parted, with its subfolders and work trees, is not found from what it was joined with', async () => {
    const folder = await newFolder();
    const store = await openMemory();
    const one = await repository(join(folder, 'one'));
    const two = await repository(join(folder, 'two'));
    const [sub, tree] = [join(two, 'sub'), await worktree(two, join(folder, 'tree'))];
    await store.joinWorkspaces(one, two);
    expect(await foundFrom(store, tree, two, sub, one)).toEqual([true, true, true]);
    expect(await foundFrom(store, sub, two, tree, one)).toEqual([true, true, true]);
    await store.leaveWorkspaces(two);
    expect(await foundFrom(store, one, two, sub, tree)).toEqual([false, false, false]);
    expect(await foundFrom(store, tree, two, sub, one)).toEqual([true, true, false]);
    await store.leaveWorkspaces(tree);
    expect(await foundFrom(store, tree, two, one)).toEqual([false, false]);
  });

  it('is found where the clone was moved, and its work trees were not, or are reached by a link', async () => {
    const folder = await newFolder();
    const store = await openMemory();
    const app = await repository(join(folder, 'real', 'app'));
    const tree = await worktree(app, join(folder, 'real', 'tree'));
    await symlink(join(folder, 'real'), join(folder, 'home'));
    const linked = join(folder, 'home', 'tree');
    expect(await foundFrom(store, linked, app, tree, join(folder, 'home', 'app'))).toEqual([
      true,
      true,
      true,
    ]);
    expect(await foundFrom(store, app, linked)).toEqual([true]);
    const moved = join(folder, 'moved');
    await rename(app, moved);
    // As `git worktree repair` does.
    await worktree(moved, tree);
    expect(await foundFrom(store, moved, tree, linked, app)).toEqual([true, true, true]);
  });

  it('next to a bare clone in a folder of its own is found from around it, not where a stranger names it', async () => {
    const folder = await newFolder();
    const store = await openMemory();
    const project = join(folder, 'project');
    await put(join(project, '.bare', 'HEAD'), 'ref: refs/heads/main\n');
    await put(join(project, '.git'), 'gitdir: ./.bare\n');
    const places: string[] = [];
    for (const name of ['a', 'b']) {
      const own = join(project, '.bare', 'worktrees', name);
      await put(join(project, name, '.git'), `gitdir: ${own}\n`);
      await put(join(own, 'commondir'), '../..\n');
      await put(join(own, 'logs', 'HEAD'), `${name} created\n`);
      places.push(join(project, name));
    }
    expect(await foundFrom(store, places[0] ?? '', project, ...places)).toEqual([true, true, true]);
    expect(await foundFrom(store, project, ...places)).toEqual([true, true]);
    const stranger = join(folder, 'stranger');
    await put(join(stranger, '.git'), `gitdir: ${join(project, '.bare')}\n`);
    expect(await foundFrom(store, stranger, project, ...places)).toEqual([false, false, false]);
  });

  it('in a worktree of a bare repository is found from its others, not from what is next to it', async () => {
    const store = await openMemory();
    const folder = await newFolder();
    const tree = async (bare: string, name: string): Promise<string> => {
      const own = join(folder, bare, 'worktrees', name);
      await put(join(own, 'commondir'), '../..\n');
      await put(join(folder, name, '.git'), `gitdir: ${own}\n`);
      return join(folder, name);
    };
    const one = await tree('one.git', 'a');
    const others = [await tree('one.git', 'b'), await tree('two.git', 'c'), folder];
    expect(await foundFrom(store, one, ...others)).toEqual([true, false, false]);
    const main = join(folder, 'lib');
    await put(join(folder, 'modules', 'lib', 'config'), '[core]\n\tworktree = ../../lib\n');
    await put(join(main, '.git'), `gitdir: ${join(folder, 'modules', 'lib')}\n`);
    const linked = await tree(join('modules', 'lib'), 'd');
    expect(await foundFrom(store, linked, main, one)).toEqual([true, false]);
  });

  it('is found through symbolic links, in both directions', async () => {
    const store = await openMemory();
    const folder = await newFolder();
    const main = await repository(join(folder, 'main'));
    await put(join(main, 'sub', 'a'), '');
    await put(join(folder, 'plain', 'a'), '');
    const link = async (to: string, name: string): Promise<string> => {
      await symlink(to, join(folder, name));
      return join(folder, name);
    };
    const whole = await link(main, 'whole');
    const part = await link(join(main, 'sub'), 'part');
    const plain = await link(join(folder, 'plain'), 'link');
    expect(await foundFrom(store, part, main, whole, plain)).toEqual([true, true, false]);
    expect(await foundFrom(store, main, whole, part)).toEqual([true, true]);
    expect(await foundFrom(store, plain, join(folder, 'plain'), main)).toEqual([true, false]);
    const other = await openMemory();
    expect(await foundFrom(other, whole, main)).toEqual([true]);
  });

  it.skipIf(process.platform === 'win32')(
    'of Windows is not in the repository of this process',
    async () => {
      const store = await openMemory();
      const others = ['c:\\a\\one', 'C:\\a\\two', 'C:\\a', process.cwd()];
      expect(await foundFrom(store, 'C:\\a\\one', ...others)).toEqual([true, false, false, false]);
    },
  );

  it('is not found from a folder of a stranger that says it belongs to the repository', async () => {
    const folder = await newFolder();
    const root = await repository(join(folder, 'app'));
    const tree = await worktree(root, join(folder, 'tree'));
    const own = join(root, '.git', 'worktrees', 'tree');
    await put(join(own, 'gitdir'), `${join(tree, '.git')}\n`);
    const stranger = async (name: string, target: string): Promise<string> => {
      await put(join(folder, name, '.git'), `gitdir: ${target}\n`);
      return join(folder, name);
    };
    // Its own git folder with the common one of the repository; that of a real work tree; a bare one that names a tree.
    await put(
      join(folder, 'forged', 'g', 'worktrees', 'x', 'commondir'),
      `${join(root, '.git')}\n`,
    );
    await put(join(folder, 'bare', 'g', 'worktrees', 'x', 'commondir'), '../..\n');
    await put(join(folder, 'bare', 'g', 'config'), `[core]\n\tworktree = ${root}\n`);
    const strangers = [
      await stranger('forged', 'g/worktrees/x'),
      await stranger('taken', own),
      await stranger('bare', 'g/worktrees/x'),
    ];
    const store = await openMemory();
    expect(await foundFrom(store, root, tree, ...strangers)).toEqual([true, false, false, false]);
    for (const one of strangers)
      expect(await foundFrom(store, one, root, tree)).toEqual([false, false]);
    // One that was moved is known all the same.
    await rename(tree, join(folder, 'moved'));
    expect(await foundFrom(store, root, join(folder, 'moved'))).toEqual([true]);
  });

  it('in a folder that is gone belongs to the repository that was around it', async () => {
    const root = await repository(join(await newFolder(), 'app'));
    const store = await openMemory();
    expect(await foundFrom(store, join(root, '.worktrees', 'gone'), root)).toEqual([true]);
  });

  it('is found by the paths of a worktree that was reached by a link', async () => {
    const folder = await newFolder();
    const root = await repository(join(folder, 'real', 'app'));
    await worktree(root, join(folder, 'real', 'tree'));
    await symlink(join(folder, 'real'), join(folder, 'link'));
    const store = await openMemory();
    const linked = join(folder, 'link', 'tree');
    expect(await foundFrom(store, linked, join(folder, 'link', 'app'))).toEqual([true]);
    await rm(join(folder, 'link'));
  });
});

describe('a session of Windows', () => {
  const names = [
    ['C:\\Users\\ann\\アプリ', '/mnt/c/Users/ann/アプリ'],
    ['c:\\work\\x', '/mnt/c/work/x'],
    ['C:/Users/ann/app/', 'C:\\Users\\ann\\app'],
    ['D:\\', '/mnt/d'],
    ['\\\\wsl$\\Ubuntu\\home\\ann\\app', '/home/ann/app'],
    ['\\\\wsl.localhost\\Debian\\srv', '/srv'],
    ['\\\\WSL$\\Ubuntu', '/'],
    ['//wsl$/Ubuntu/home/ann/app/', '/home/ann/app'],
    ['\\\\?\\UNC\\wsl.localhost\\Ubuntu\\home\\ann', '/home/ann'],
    ['\\\\wsl$\\Ubuntu\\mnt\\c\\app', 'C:\\app'],
    ['\\\\?\\C:\\Users\\ann\\app', '/mnt/c/Users/ann/app'],
    ['//?/c:/Users/ann/app', 'C:\\Users\\ann\\app'],
    ['\\\\Server\\Share\\アプリ\\', '\\\\SERVER\\share\\アプリ'],
    ['\\\\?\\UNC\\server\\share\\app', '\\\\server\\share\\app'],
  ] as const;
  it.each(names)('in %s is found in WSL as %s', async (windows, linux) => {
    const store = await openMemory();
    expect(await foundFrom(store, windows, linux)).toEqual([true]);
    expect((await store.listSessions({ workspace: windows }))[0]?.workspace_path).not.toContain(
      process.cwd(),
    );
  });

  it.each([
    ['\\\\server\\share\\app', '\\\\server\\share\\App'],
    ['\\\\server\\share', '\\\\server\\other'],
    ['//wsl/Ubuntu/app', '/app'],
    ['\\\\?\\Volume{1}\\app', '/app'],
  ])('in %s is not found in %s', async (windows, other) => {
    expect(await foundFrom(await openMemory(), windows, other)).toEqual([false]);
  });

  it('of Windows is found in other cases, as its folders have none', async () => {
    const store = await openMemory();
    const app = 'C:\\Users\\Ann\\アプリ';
    const found = ['c:\\users\\ann\\アプリ', '/mnt/c/users/ann/アプリ', 'C:/USERS/Ann/アプリ/'];
    const others = ['C:\\Users\\Ann\\アプリ2', '/home/Ann/アプリ', 'D:\\Users\\Ann\\アプリ'];
    expect(await foundFrom(store, app, ...found, ...others)).toEqual([
      ...found.map(() => true),
      ...others.map(() => false),
    ]);
    expect(await foundFrom(store, '/home/Ann/app', '/home/ann/app')).toEqual([false]);
    // A disk of Linux that was mounted there.
    expect(await foundFrom(store, '/mnt/q/App', '/mnt/q/app')).toEqual([false]);
  });

  it('has the paths of its files as the log has them, wherever it is read', async () => {
    const store = await openMemory();
    const workspace = 'C:\\Users\\ann\\app';
    const { id } = await store.startSession({ workspace });
    const edit = { action: 'create', new_content: 'a\n', success: true } as const;
    await store.log(id, 'file_edit', { ...edit, file_path: `${workspace}\\src\\a.ts` });
    await store.log(id, 'file_edit', { ...edit, file_path: 'b.ts' });
    const files = await store.files({ workspace });
    expect(files.map((file) => file.file_path)).toEqual([
      'C:\\Users\\ann\\app\\b.ts',
      'C:\\Users\\ann\\app\\src\\a.ts',
    ]);
    expect(await store.fileHistory('src\\a.ts', { workspace })).toHaveLength(1);
  });
});
