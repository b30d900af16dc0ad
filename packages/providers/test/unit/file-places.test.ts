import {
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import type { FileStore } from '@vizprompt/providers';
import { inMemoryStorage, localFileStore, openStorage } from '@vizprompt/providers/node';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { keyProblem } from '../../src/storage/file-store.ts';
import { batchChange, leaveBatch } from '../support/leave-batch.ts';
import { temporaryFolder } from '../support/subjects.ts';

async function keysOf(files: FileStore, prefix: string): Promise<string[]> {
  const keys: string[] = [];
  for await (const { key } of files.list(prefix)) keys.push(key);
  return keys;
}

/** Each is `.git` for some file system or some git; see `is_ntfs_dotgit` and `next_hfs_char` of git. */
const DOT_GIT = [
  '.git',
  '.GIT',
  '.Git',
  '.gIt',
  'git~1',
  'GIT~1',
  'git~2',
  '.git ',
  '.git.',
  '.git...',
  '.git . .',
  '.git::$INDEX_ALLOCATION',
  '.git:stream',
  '.g\u200Cit',
  '.g\u0131t',
  '.G\u0130T',
  '\u24D6it~1',
  '.\u200Dgit',
  '.gi\u200Et',
  '.git\u200F',
  '\u202A.git',
  '.g\u202Eit',
  '.gi\u206At',
  '.git\u206F',
  '\uFEFF.git',
  '.g\u00ADit',
  '.\uFF47\uFF49\uFF54',
];

describe('a key that means .git', () => {
  const places = (name: string): string[] => [
    name,
    `${name}/config`,
    `nodes/${name}/hooks/a`,
    `a/${name}`,
  ];

  it.each(DOT_GIT)('is refused by every store, in any segment: %j', async (name) => {
    expect(places(name).filter((key) => keyProblem(key) === undefined)).toEqual([]);
    const { path, remove } = await temporaryFolder();
    onTestFinished(remove);
    await using onDisk = await openStorage(path);
    await using inMemory = await inMemoryStorage();
    for (const { files } of [onDisk, inMemory]) {
      const refused = { code: 'invalid-key' };
      await expect(files.write(`${name}/config`, 'evil')).rejects.toMatchObject(refused);
      await expect(files.append(`${name}/config`, 'evil')).rejects.toMatchObject(refused);
      await expect(files.delete(`${name}/config`)).rejects.toMatchObject(refused);
      await expect(
        files.writeMany([
          { key: 'a', content: 'a' },
          { key: `${name}/config`, content: 'evil' },
        ]),
      ).rejects.toMatchObject(refused);
      expect(await files.read('a')).toBeNull();
    }
  });

  it.each([
    '.github/a',
    '.gitattributes',
    '.gitignore',
    'git',
    'digit',
    'a.git',
    '.git-a',
    'git~a',
  ])('is none: %s', (key) => expect(keyProblem(key)).toBeUndefined());

  it.each(['.vizprompt/a', '.VizPrompt/a', '.viz\u200Cprompt/a', 'vizpro~1/a', '.vizprompt'])(
    'belongs to the store: %j',
    (key) => expect(keyProblem(key)).toBeTypeOf('string'),
  );

  it('is not listed', async () => {
    const { path, remove } = await temporaryFolder();
    onTestFinished(remove);
    for (const name of ['.git', '.GIT', 'sub/.git', 'plain']) {
      mkdirSync(join(path, name), { recursive: true });
      writeFileSync(join(path, name, 'config'), '');
    }
    await using files = await localFileStore(path);
    expect(await keysOf(files, '')).toEqual(['plain/config']);
  });
});

describe('a store with places of its own', () => {
  const isWritable = (key: string): boolean => key === 'config.yaml' || key.startsWith('nodes/');
  let folder: string;

  beforeEach(async () => {
    const made = await temporaryFolder();
    folder = made.path;
    onTestFinished(made.remove);
    mkdirSync(join(folder, '.git'));
    writeFileSync(join(folder, '.git', 'config'), 'harmless');
    writeFileSync(join(folder, 'package.json'), '{}');
  });

  async function expectUnchanged(): Promise<void> {
    expect(readFileSync(join(folder, '.git', 'config'), 'utf8')).toBe('harmless');
    expect(readFileSync(join(folder, 'package.json'), 'utf8')).toBe('{}');
    expect(readdirSync(join(folder, '.git'))).toEqual(['config']);
  }

  it.each([
    'package.json',
    'notes.md',
    'node_modules/a/index.js',
    'Nodes/00.xml',
    'nodes',
    '.envrc',
  ])('writes, replaces, adds to and deletes nothing else: %s', async (key) => {
    await using files = await localFileStore(folder, { isWritable });
    const refused = { code: 'invalid-key' };
    await expect(files.write(key, 'evil')).rejects.toMatchObject(refused);
    await expect(files.append(key, 'evil')).rejects.toMatchObject(refused);
    await expect(files.delete(key)).rejects.toMatchObject(refused);
    const changes = [
      { key: 'nodes/a', content: 'a' },
      { key, content: 'evil' },
    ];
    await expect(files.writeMany(changes)).rejects.toMatchObject(refused);
    await files.write('config.yaml', 'fine');
    await expectUnchanged();
    expect(readdirSync(folder).toSorted()).toEqual([
      '.git',
      '.vizprompt',
      'config.yaml',
      'package.json',
    ]);
  });

  it('finishes no batch of this user that leads elsewhere', async () => {
    await leaveBatch(folder, [batchChange('nodes/a', 'a'), batchChange('package.json', 'evil')]);
    await using _ = await localFileStore(folder, { isWritable });
    await expectUnchanged();
    expect(existsSync(join(folder, 'nodes'))).toBe(false);
  });

  it.each([
    ['nodes', '.git', 'nodes/config'],
    ['nodes', '.git', 'nodes/hooks/a'],
    ['nodes', '.', 'nodes/package.json'],
    ['nodes', '.vizprompt', 'nodes/batch.journal'],
    ['nodes/a.xml', '../.git/config', 'nodes/a.xml'],
    ['nodes/a.xml', '../package.json', 'nodes/a.xml'],
    ['nodes/a', '../.git', 'nodes/a/config'],
    ['nodes', 'src', 'nodes/a.xml'],
    ['nodes', '../none', 'nodes/a.xml'],
    ['config.yaml', 'package.json', 'config.yaml'],
  ])('writes through no link to another place: %s to %s', async (link, target, key) => {
    await using files = await localFileStore(folder, { isWritable });
    if (link.includes('/')) mkdirSync(join(folder, 'nodes'));
    if (target === 'src') mkdirSync(join(folder, 'src'));
    symlinkSync(target, join(folder, link));
    const refused = { code: 'outside-root' };
    await expect(files.write(key, 'evil')).rejects.toMatchObject(refused);
    await expect(files.append(key, 'evil')).rejects.toMatchObject(refused);
    await expect(files.delete(key)).rejects.toMatchObject(refused);
    const changes = [
      { key: 'nodes-b', content: null },
      { key, content: 'evil' },
    ];
    await expect(files.writeMany(changes)).rejects.toMatchObject({
      code: expect.stringMatching(/^(?:invalid-key|outside-root)$/),
    });
    await expectUnchanged();
  });

  it('reads no more through a link than it would write', async () => {
    await using files = await localFileStore(folder, { isWritable });
    symlinkSync('.git', join(folder, 'nodes'));
    await expect(files.read('nodes/config')).rejects.toMatchObject({ code: 'outside-root' });
    expect(await keysOf(files, 'nodes/')).toEqual([]);
  });

  it('adds to a copy of a file that has another name elsewhere', async () => {
    await using files = await localFileStore(folder, { isWritable });
    await files.write('nodes/map', 'one\n');
    linkSync(join(folder, 'nodes', 'map'), join(folder, 'elsewhere'));
    await files.append('nodes/map', 'two\n');
    expect((await files.read('nodes/map'))?.text).toBe('one\ntwo\n');
    expect(readFileSync(join(folder, 'elsewhere'), 'utf8')).toBe('one\n');
  });
});

describe('the folder of a store itself', () => {
  const OUTSIDE = [
    '.gitignore',
    'batch.journal',
    'cache.db',
    'database.db',
    'commit.lock',
    'locks',
    'set-aside',
  ];

  it.each(OUTSIDE)('is never opened for writing while it has a link: %s', async (name) => {
    const { path, remove } = await temporaryFolder();
    onTestFinished(remove);
    const project = join(path, 'project');
    mkdirSync(join(project, '.vizprompt'), { recursive: true });
    mkdirSync(join(path, 'out'));
    for (const target of ['../../out', '../../out/missing', '../../none/at/all']) {
      symlinkSync(target, join(project, '.vizprompt', name));
      await expect(openStorage(project)).rejects.toMatchObject({
        code: 'outside-root',
        message: expect.stringContaining(`.vizprompt/${name}`),
      });
      await (await openStorage(project, { readOnly: true })).close();
      unlinkSync(join(project, '.vizprompt', name));
    }
    expect(readdirSync(join(path, 'out'))).toEqual([]);
  });

  it.each(['cache.db', 'batch.journal', 'commit.lock', 'locks/a.lock'])(
    'has no file with another name elsewhere: %s',
    async (name) => {
      const { path, remove } = await temporaryFolder();
      onTestFinished(remove);
      mkdirSync(join(path, '.vizprompt', 'locks'), { recursive: true });
      writeFileSync(join(path, 'package.json'), '{}');
      linkSync(join(path, 'package.json'), join(path, '.vizprompt', name));
      await expect(openStorage(path)).rejects.toMatchObject({ code: 'outside-root' });
      expect(readFileSync(join(path, 'package.json'), 'utf8')).toBe('{}');
    },
  );

  it('is no link, and no file', async () => {
    const { path, remove } = await temporaryFolder();
    onTestFinished(remove);
    mkdirSync(join(path, 'out'));
    for (const name of ['a', 'b', 'c']) mkdirSync(join(path, name));
    symlinkSync('../out', join(path, 'a', '.vizprompt'));
    symlinkSync('../none', join(path, 'b', '.vizprompt'));
    writeFileSync(join(path, 'c', '.vizprompt'), '');
    for (const name of ['a', 'b', 'c']) {
      await expect(openStorage(join(path, name))).rejects.toMatchObject({ code: 'outside-root' });
    }
    expect(readdirSync(join(path, 'out'))).toEqual([]);
  });
});
