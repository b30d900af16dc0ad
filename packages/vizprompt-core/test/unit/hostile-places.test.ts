import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, brotliDecompressSync, crc32 } from 'node:zlib';
import { VizPrompt } from '@vizprompt/core';
import { StorageError } from '@vizprompt/providers';
import { describe, expect, it } from 'vitest';
import { isProjectPlace } from '../../src/format/layout.ts';
import { temporaryFolder, testProject } from '../support/open-project.ts';

const ELSEWHERE = [
  '.git/config',
  '.GIT/config',
  'git~1/config',
  '.git/hooks/post-checkout',
  'package.json',
  'notes.md',
  '.envrc',
  '.vscode/tasks.json',
  '.github/workflows/ci.yml',
  'node_modules/a/index.js',
  '../evil.txt',
  '/tmp/evil.txt',
  'metadata/evil.sh',
  'history/evil.sh',
  'history/../package.json',
  'nodes/evil.sh',
  'flows/evil.js',
  'attachments/evil',
  'attachments/00/evil',
  'lost+found/evil.sh',
  'lost+found/nodes/package.json',
  'lost+found/flows/.envrc',
  'lost+found/nodes/a.xml.sh',
  'config.yml',
  'sub/config.yaml',
  'nodes/../.git/config',
  'Makefile',
];

describe('what a history names', () => {
  it.each(ELSEWHERE)('is not written when it is undone: %s', async (file) => {
    expect(isProjectPlace(file) && !file.includes('..')).toBe(false);
    const test = await testProject();
    await test.vizprompt.createFlow({ name: 'first' });
    await test.close();
    const stack = JSON.parse(await test.read('history/stack.json')) as { undo: { id: string }[] };
    const step = `history/${stack.undo.at(-1)?.id}.json.br`;
    const content = brotliDecompressSync(readFileSync(join(test.folder, step))).toString();
    const parsed = JSON.parse(content) as { flows: object[]; nodes: object[] };
    const before = existsSync(join(test.folder, file));
    for (const kind of ['flows', 'nodes'] as const) {
      const named = { id: 'x', keywords: [], file, before: 'evil', after: null };
      const evil = JSON.stringify({ ...parsed, [kind]: [named] });
      writeFileSync(join(test.folder, step), brotliCompressSync(evil));
      writeFileSync(join(test.folder, 'history/stack.json'), JSON.stringify(stack));
      const vizprompt = await test.reopen();
      await expect(vizprompt.structure.undo()).rejects.toMatchObject({ code: 'conflict' });
      expect(existsSync(join(test.folder, file))).toBe(before);
      await test.close();
    }
  });

  it.each([
    { id: '../x' },
    { id: 'a/b' },
    { id: 7 },
    { id: '' },
    { label: 1 },
    { flows: [1] },
    { flows: 'x' },
    { bytes: '9' },
  ])('is no history where its stack makes no sense: %j', async (odd) => {
    const test = await testProject();
    const step = { id: 'a', label: 'l', time: 't', flows: [], bytes: 1, ...odd };
    await test.write('history/stack.json', JSON.stringify({ version: 1, undo: [step], redo: [] }));
    const vizprompt = await test.reopen();
    expect(await vizprompt.structure.history()).toEqual({ undo: [], redo: [] });
  });
});

/** Returns a journal as version 0.1 wrote it. */
function journalOf(key: string): Buffer {
  const head = Buffer.from(JSON.stringify({ key, changeTime: 4_102_444_800, isDeleted: false }));
  const record = Buffer.alloc(8 + head.length + 1);
  record.writeUInt32LE(head.length, 0);
  record.writeUInt32LE(1, 4);
  head.copy(record, 8);
  const preamble = Buffer.alloc(8);
  preamble.writeUInt32LE(record.length, 0);
  preamble.writeUInt32LE(crc32(record), 4);
  return Buffer.concat([preamble, record, Buffer.alloc(8)]);
}

/** Does what a user does; whatever fails, fails. */
async function useProject(folder: string): Promise<void> {
  try {
    await using vizprompt = await VizPrompt.open(folder);
    await Promise.allSettled([
      vizprompt.createNode({ prompt: 'two' }),
      vizprompt.createFlow({ name: 'two' }),
      vizprompt.structure.undo(),
      vizprompt.check().then((report) => vizprompt.repair(report)),
    ]);
  } catch (error) {
    if (!StorageError.isInstance(error)) throw error;
  }
}

describe('a project from elsewhere', () => {
  it.each(['nodes', 'flows', 'metadata', 'history', 'attachments', 'lost+found'])(
    'whose folder is a link to another one of its own is not written there: %s',
    async (name) => {
      const folder = await temporaryFolder();
      await using first = await VizPrompt.open(folder);
      await first.createNode({ prompt: 'one' });
      await first.createFlow({ name: 'one' });
      await first.close();
      rmSync(join(folder, name), { recursive: true, force: true });
      mkdirSync(join(folder, '.git', 'hooks'), { recursive: true });
      writeFileSync(join(folder, '.git', 'config'), 'harmless');
      symlinkSync('.git', join(folder, name));
      await useProject(folder);
      expect(readdirSync(join(folder, '.git')).toSorted()).toEqual(['config', 'hooks']);
      expect(readdirSync(join(folder, '.git', 'hooks'))).toEqual([]);
      expect(readFileSync(join(folder, '.git', 'config'), 'utf8')).toBe('harmless');
    },
  );

  it('reports a batch that it brought along', async () => {
    const folder = await temporaryFolder();
    await (await VizPrompt.open(folder)).close();
    writeFileSync(join(folder, '.vizprompt', 'batch.journal'), journalOf('nodes/00/09.xml'));
    const found: unknown[] = [];
    const on = { 'problem:found': (problem: unknown) => void found.push(problem) };
    await using vizprompt = await VizPrompt.open(folder, { on });
    const problem = {
      severity: 'warning',
      file: expect.stringMatching(/^\.vizprompt\/set-aside\/batch-/),
      message: expect.stringContaining('"nodes/00/09.xml"'),
    };
    expect(found).toMatchObject([problem]);
    expect(await vizprompt.problems()).toMatchObject([problem]);
    expect(existsSync(join(folder, 'nodes', '00', '09.xml'))).toBe(false);

    const aside = { place: 'set-aside', count: 1 };
    expect((await vizprompt.vacuum()).remains).toContainEqual(aside);
    expect((await vizprompt.eraseSpeaker({ speaker: 'Alice' })).remains).toContainEqual(aside);

    const file = (await vizprompt.problems())[0]?.file ?? '';
    expect(await vizprompt.restoreBatch(file)).toEqual(['nodes/00/09.xml']);
    expect(existsSync(join(folder, 'nodes', '00', '09.xml'))).toBe(true);
    for (const other of ['package.json', '../x', '.vizprompt/cache.db', `./${file}`]) {
      await expect(vizprompt.restoreBatch(other)).rejects.toMatchObject({ code: 'invalid-key' });
    }
  });

  it.each(['package.json', '.git/config', '../x'])(
    'has no batch restored that changes what is no place of it: %s',
    async (key) => {
      const folder = await temporaryFolder();
      await using vizprompt = await VizPrompt.open(folder);
      const file = '.vizprompt/set-aside/batch-0123456789ab.journal';
      mkdirSync(join(folder, '.vizprompt', 'set-aside'));
      writeFileSync(join(folder, file), journalOf(key));
      await expect(vizprompt.restoreBatch(file)).rejects.toMatchObject({ code: 'invalid-input' });
      expect(readdirSync(folder)).not.toContain('package.json');
    },
  );
});
