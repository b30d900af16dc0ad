import { execFile, execFileSync, spawnSync } from 'node:child_process';
import { linkSync, mkdirSync, renameSync, rmSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { SearchCache } from '../../../src/index.ts';
import { temporaryFolder } from '../../support/search-index.ts';
import {
  answersOf,
  eventually,
  filesOf,
  freshAnswers,
  journalOf,
  makeProject,
  next,
  openIndexer,
  put,
  remove,
} from '../../support/indexed-project.ts';

const STORM = '嵐の夜';
/** `npm run test:soak` checks out two thousand. */
const CHECKED_OUT = process.env['SOAK_ROUNDS'] === undefined ? 300 : 2000;

function gitIn(folder: string): (...args: readonly string[]) => void {
  const identity = ['-c', 'user.name=灯', '-c', 'user.email=a@b.invalid', '-c', 'gc.auto=0'];
  return (...args) => {
    execFileSync('git', [...identity, ...args], { cwd: folder, stdio: 'pipe' });
  };
}

it('a saved file is found, without being asked to look', async () => {
  const folder = makeProject({ 'contents/01.md': '灯台の朝' });
  const indexer = await openIndexer(folder);
  const journal = journalOf(indexer);
  await indexer.watch();
  expect(journal).toEqual([
    'watch:ready false',
    'index:started 1 0',
    'file:indexed contents/01.md',
    'index:finished 1 0',
  ]);
  put(folder, 'contents/01.md', STORM);
  await next(indexer, 'index:finished');
  expect(await filesOf(indexer, '嵐')).toEqual(['contents/01.md']);
  put(folder, 'settings/新しい/所/灯.md', '嵐の島');
  await next(indexer, 'index:finished');
  expect(await filesOf(indexer, '嵐')).toEqual(['contents/01.md', 'settings/新しい/所/灯.md']);
  remove(folder, 'contents/01.md');
  await next(indexer, 'file:removed');
  expect(await filesOf(indexer, '嵐')).toEqual(['settings/新しい/所/灯.md']);
});

it('folders that are not there at first are watched when they come', async () => {
  const folder = makeProject();
  const indexer = await openIndexer(folder, { debounceMs: 50 });
  await indexer.watch();
  for (const path of [
    'contents/01.md',
    'contents/a/b/02.md',
    'contents/a/b/03.md',
    'DIALOGOI.md',
  ]) {
    put(folder, path, STORM);
    await eventually(async () => (await filesOf(indexer, '嵐')).includes(path), true);
  }
  expect(await filesOf(indexer, '嵐')).toHaveLength(4);
});

it('the ways in which editors save end with the new text', async () => {
  const folder = makeProject({ 'contents/01.md': '灯台の朝' });
  const path = join(folder, 'contents/01.md');
  const indexer = await openIndexer(folder, { debounceMs: 50 });
  const journal = journalOf(indexer);
  await indexer.watch();
  const ways: Readonly<Record<string, (text: string) => void>> = {
    'in place': (text) => writeFileSync(path, text),
    'temporary file and rename': (text) => {
      writeFileSync(join(folder, 'contents/.01.md.swp'), text);
      renameSync(join(folder, 'contents/.01.md.swp'), path);
    },
    'backup by rename': (text) => {
      renameSync(path, `${path}~`);
      writeFileSync(path, text);
      unlinkSync(`${path}~`);
    },
    'delete and create': (text) => {
      unlinkSync(path);
      writeFileSync(path, text);
    },
    'a rename from another folder': (text) => {
      const temp = join(temporaryFolder(), 'x');
      writeFileSync(temp, text);
      renameSync(temp, path);
    },
  };
  for (const [round, save] of Object.values(ways).entries()) {
    for (let time = 0; time < 3; time++) {
      const text = `嵐${'あいうえおかきくけこさしすせそ'[round * 3 + time]}の夜`;
      save(text);
      const found = async (): Promise<readonly string[]> =>
        (await indexer.search('嵐')).hits.map(({ content }) => content);
      await eventually(found, [text]);
    }
  }
  expect(journal.filter((line) => /swp|~|removed/.test(line))).toEqual([]);
});

it('a file that is deleted and made again ten times in a second ends as it is', async () => {
  for (const isThere of [true, false]) {
    const folder = makeProject({ 'contents/01.md': '灯台の朝', 'contents/02.md': '海' });
    const path = join(folder, 'contents/01.md');
    const indexer = await openIndexer(folder);
    await indexer.watch();
    for (let round = 0; round < 10; round++) {
      unlinkSync(path);
      await sleep(50);
      writeFileSync(path, `嵐の夜 ${round}`);
      await sleep(50);
    }
    if (!isThere) unlinkSync(path);
    await next(indexer, 'index:finished');
    const { hits } = await indexer.search('嵐');
    expect(hits.map(({ content }) => content)).toEqual(isThere ? ['嵐の夜 9'] : []);
    // And it is still watched.
    writeFileSync(path, '嵐の朝');
    await eventually(async () => (await indexer.search('嵐')).hits[0]?.content, '嵐の朝');
  }
});

it('a folder that is renamed is one update, and what is in it is found at its new place', async () => {
  const names = Array.from({ length: 30 }, (_, at) => `${at}`.padStart(2, '0'));
  const files = Object.fromEntries(names.map((name) => [`contents/古い/${name}.md`, `嵐 ${name}`]));
  const folder = makeProject(files);
  const indexer = await openIndexer(folder);
  await indexer.watch();
  const journal = journalOf(indexer);
  const seen = new Set<number>();
  const looking = setInterval(() => {
    void filesOf(indexer, '嵐').then((found) => seen.add(found.length));
  }, 5);
  renameSync(join(folder, 'contents/古い'), join(folder, 'contents/新しい'));
  await next(indexer, 'index:finished');
  clearInterval(looking);
  expect(await filesOf(indexer, '嵐')).toEqual(names.map((name) => `contents/新しい/${name}.md`));
  expect([...seen]).toEqual([30]);
  expect(journal[0]).toBe('index:started 30 30');
  expect(journal.at(-1)).toBe('index:finished 30 30');
  // The new folder is watched as the old one was.
  put(folder, 'contents/新しい/99.md', '嵐 99');
  await next(indexer, 'file:indexed');
  expect(await filesOf(indexer, '嵐')).toHaveLength(31);
});

it('a folder that was replaced by another one is watched like it', async () => {
  const folder = makeProject({ 'contents/a/01.md': STORM });
  const indexer = await openIndexer(folder, { debounceMs: 100 });
  await indexer.watch();
  for (let round = 0; round < 3; round++) {
    rmSync(join(folder, 'contents'), { recursive: true });
    mkdirSync(join(folder, 'contents/a'), { recursive: true });
    put(folder, 'contents/a/01.md', `嵐の夜 ${round}`);
    await eventually(async () => (await indexer.search('嵐')).hits[0]?.content, `嵐の夜 ${round}`);
    put(folder, `contents/a/new-${round}.md`, '海');
    await eventually(async () => (await filesOf(indexer, '海')).length, 1);
  }
  expect(await filesOf(indexer, '嵐')).toEqual(['contents/a/01.md']);
});

const ROUNDS = Number(process.env['SOAK_ROUNDS'] ?? 3);

/** Ways in which a folder becomes another one, and back. */
const REPLACEMENTS: Readonly<
  Record<string, (folder: string) => readonly [() => void, () => void]>
> = {
  'git checkout there and back': (folder) => {
    const git = gitIn(folder);
    put(folder, '.gitignore', '.vizprompt\n');
    git('init', '--quiet', '--initial-branch=main');
    git('add', '.gitignore');
    git('commit', '--quiet', '-m', 'a');
    git('checkout', '--quiet', '-b', 'other');
    git('add', '.');
    git('commit', '--quiet', '-m', 'b');
    return [
      () => git('checkout', '--quiet', '--force', 'main'),
      () => git('checkout', '--quiet', '--force', 'other'),
    ];
  },
  'rm -rf and mkdir': (folder) => [
    () => remove(folder, 'contents'),
    () => put(folder, 'contents/部/章/01.md', '海'),
  ],
  'a rename away and back': (folder) => [
    () => renameSync(join(folder, 'contents'), join(folder, 'moved')),
    () => renameSync(join(folder, 'moved'), join(folder, 'contents')),
  ],
  'a rename of a folder within': (folder) => [
    () => renameSync(join(folder, 'contents/部'), join(folder, 'contents/他')),
    () => renameSync(join(folder, 'contents/他'), join(folder, 'contents/部')),
  ],
  'another folder in its place': (folder) => [
    () => renameSync(join(folder, 'contents'), join(folder, `old-${performance.now()}`)),
    () => put(folder, 'contents/部/章/01.md', '海'),
  ],
};

it.each(Object.entries(REPLACEMENTS))(
  'a folder that is replaced twice within a second is followed: %s',
  async (_, replacement) => {
    const folder = makeProject({ 'contents/部/章/01.md': '海' });
    const [away, back] = replacement(folder);
    const indexer = await openIndexer(folder, { debounceMs: 60 });
    await indexer.watch();
    for (let round = 0; round < ROUNDS; round++) {
      for (let time = 0; time < 2; time++) {
        for (const replace of [away, back]) {
          replace();
          // Within and after the times in which hints are collected and looks run.
          await sleep((round * 37 + time * 53) % 150);
        }
      }
      put(folder, 'contents/部/章/01.md', `嵐の夜 ${round}`);
      const found = async (): Promise<string | undefined> =>
        (await indexer.search(`"嵐の夜 ${round}"`)).hits[0]?.content;
      await expect.poll(found, { interval: 10, timeout: 5000 }).toBe(`嵐の夜 ${round}`);
    }
  },
);

it(`a git checkout of ${CHECKED_OUT} files is one update, and answers as a fresh index does`, async () => {
  const folder = temporaryFolder();
  const git = gitIn(folder);
  git('init', '--quiet', '--initial-branch=main');
  const write = (word: string, from: number, to: number): void => {
    for (let at = from; at < to; at++) {
      const text = `# 第${at}章\n\n${word}の夜、灯台守は${at}番の鐘を聞いた。\n\n島の猫が歩く。\n`;
      put(folder, `contents/${Math.floor(at / 100)}/${at}.md`, text);
    }
  };
  write('嵐', 0, CHECKED_OUT);
  put(folder, '.gitignore', '.vizprompt\n');
  git('add', '.');
  git('commit', '--quiet', '-m', 'a');
  git('checkout', '--quiet', '-b', 'other');
  remove(folder, 'contents/0');
  write('凪', 100, CHECKED_OUT + 100);
  git('add', '.');
  git('commit', '--quiet', '-m', 'b');

  // As long as git writes, however slow the machine: it must not look before git is done.
  const indexer = await openIndexer(folder, { debounceMs: 2000 });
  await indexer.watch();
  const journal = journalOf(indexer);
  const queries = ['嵐の夜', '凪の夜', '灯台守 鐘', '"島の猫"', 'path:contents/0/* 夜'];
  for (const branch of ['main', 'other', 'main']) {
    journal.length = 0;
    git('checkout', '--quiet', branch);
    await next(indexer, 'index:finished');
    expect(journal.filter((line) => line.startsWith('index:'))).toEqual([
      `index:started ${CHECKED_OUT} 100`,
      `index:finished ${CHECKED_OUT} 100`,
    ]);
    expect(await answersOf(indexer, queries)).toEqual(await freshAnswers(folder, queries));
  }
});

it('a project that goes away and comes back is watched again', async () => {
  const folder = makeProject({ 'contents/01.md': STORM });
  const indexer = await openIndexer(folder, { debounceMs: 50, pollMs: 50 });
  await indexer.watch();
  const journal = journalOf(indexer);
  remove(folder, '.');
  await eventually(async () => journal.includes('watch:ready true'), true);
  expect(journal).toContain('watch:failed');
  put(folder, 'contents/02.md', '嵐の海');
  await eventually(() => filesOf(indexer, '嵐'), ['contents/02.md']);
  await eventually(async () => journal.includes('watch:ready false'), true);
  put(folder, 'contents/03.md', '嵐の島');
  await eventually(() => filesOf(indexer, '嵐'), ['contents/02.md', 'contents/03.md']);
  expect(journal.filter((line) => line === 'watch:failed')).toHaveLength(1);
});

it('polling sees the same, and says that it is', async () => {
  const folder = makeProject({ 'contents/01.md': '灯台' });
  const indexer = await openIndexer(folder, { usePolling: true, pollMs: 50 });
  const journal = journalOf(indexer);
  await indexer.watch();
  expect(journal[0]).toBe('watch:ready true');
  put(folder, 'contents/a/02.md', STORM);
  await eventually(() => filesOf(indexer, '嵐'), ['contents/a/02.md']);
  remove(folder, 'contents');
  await eventually(() => filesOf(indexer, '嵐'), []);
});

/** True if this system lets a process have limits of its own. */
const mayLimit = spawnSync('unshare', ['--map-root-user', 'true']).status === 0;

it.skipIf(!mayLimit)(
  'where the system has no more events to give, it is looked, until there are some',
  async () => {
    const names = Array.from({ length: 40 }, (_, at) => `contents/${at}.md`);
    const folder = makeProject(Object.fromEntries(names.map((name) => [name, '海'])));
    const child = fileURLToPath(new URL('../../children/watch-limited.mjs', import.meta.url));
    const run = promisify(execFile);
    const { stdout, stderr } = await run('unshare', [
      '--map-root-user',
      process.execPath,
      child,
      folder,
    ]);
    expect(stderr).toBe('');
    expect(JSON.parse(stdout)).toEqual({ said: ['ENOSPC', 'polling', 'watching'], total: 2 });
  },
);

it('a change without an event is found by a scan now and then', async () => {
  const target = makeProject({ 'a.md': STORM });
  const folder = makeProject({ 'contents/01.md': '灯台' });
  const indexer = await openIndexer(folder, { rescanMs: 100 });
  await indexer.watch();
  // A second name of the file is outside of the watched folders.
  linkSync(join(target, 'a.md'), join(folder, 'contents/02.md'));
  await eventually(() => filesOf(indexer, '嵐'), ['contents/02.md']);
  writeFileSync(join(target, 'a.md'), '凪の夜');
  await eventually(() => filesOf(indexer, '嵐'), []);
  expect(await filesOf(indexer, '凪')).toEqual(['contents/02.md']);
});

it('searches that are kept are forgotten when the project changes, here or by another process', async () => {
  const folder = makeProject({ 'contents/01.md': STORM });
  const cache = new SearchCache();
  const indexer = await openIndexer(folder, { cache, debounceMs: 50 });
  await indexer.watch();
  const first = await indexer.search('嵐');
  expect(await indexer.search('嵐')).toBe(first);
  put(folder, 'contents/02.md', '嵐の海');
  await next(indexer, 'index:changed');
  const second = await indexer.search('嵐');
  expect(second.total).toBe(2);
  expect(await indexer.search('嵐')).toBe(second);
  const other = await openIndexer(folder);
  put(folder, 'contents/03.md', '嵐の島');
  const changed = next(indexer, 'index:changed');
  await other.refresh();
  await changed;
  expect((await indexer.search('嵐')).total).toBe(3);
});

it('closing at any moment ends all of it, and nothing is heard any more', async () => {
  const folder = makeProject({ 'contents/01.md': STORM });
  for (let wait = 0; wait < 60; wait += 6) {
    const indexer = await openIndexer(folder, { debounceMs: 5 });
    const journal = journalOf(indexer);
    const watching = indexer.watch().catch((error: unknown) => error);
    await sleep(wait);
    put(folder, 'contents/01.md', `嵐の夜 ${wait}`);
    if (wait % 12 === 0) await sleep(10);
    await indexer.close();
    await watching;
    journal.length = 0;
    put(folder, 'contents/01.md', `嵐の朝 ${wait}`);
    await sleep(40);
    expect(journal).toEqual([]);
  }
  const resources = process.getActiveResourcesInfo();
  expect(resources.filter((name) => name === 'FSEventWrap')).toEqual([]);
});
