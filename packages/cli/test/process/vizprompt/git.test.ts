import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { InitReport, StoredFlow } from '@vizprompt/core';
import { describe, expect, it, onTestFinished } from 'vitest';
import { Place } from '../../support/place.ts';
import { binOf } from '../../support/run.ts';

const exec = promisify(execFile);

/** Returns a place with two clones, `a` and `b`, of a shared project with one node. */
async function clones(): Promise<{
  readonly place: Place;
  git(cwd: string, ...args: string[]): Promise<string>;
  vizprompt<Value>(clone: string, ...args: string[]): Promise<Value>;
}> {
  const place = await Place.make();
  onTestFinished(() => place[Symbol.asyncDispose]());
  const git = async (cwd: string, ...args: string[]): Promise<string> => {
    const settings = ['-c', 'user.name=だれか', '-c', 'user.email=somebody@example.com'];
    const folder = join(place.cwd, cwd);
    return (await exec('git', [...settings, ...args], { cwd: folder })).stdout;
  };
  const vizprompt = <Value>(clone: string, ...args: string[]): Promise<Value> =>
    place.json<Value>('vizprompt', args, { cwd: join(place.cwd, clone) });
  await git('.', 'init', '-q', '-b', 'main', 'a');
  const first = await vizprompt<InitReport>('a', 'init', '--git');
  expect(first.mergeDriver).toBe('registered');
  expect(first.written).toContain('.gitattributes');
  await vizprompt('a', 'create-node', '--prompt', '始め');
  await git('a', 'add', '-A');
  await git('a', 'commit', '-q', '-m', '始め');
  await git('.', 'clone', '-q', 'a', 'b');
  const second = await vizprompt<InitReport>('b', 'init', '--git');
  expect(second).toMatchObject({ written: [], mergeDriver: 'registered' });
  return { place, git, vizprompt };
}

describe('a project that two share by git', () => {
  it.each(['the driver that init registers', 'vizprompt git-merge'])(
    'is merged by %s',
    async (driver) => {
      const { git, vizprompt } = await clones();
      if (driver === 'vizprompt git-merge') {
        const program = `'${process.execPath}' '${binOf('vizprompt')}' git-merge`;
        for (const kind of ['node', 'flow', 'metadata']) {
          const line = `${program} ${kind} %O %A %B %P`;
          await git('b', 'config', '--local', `merge.vizprompt-${kind}.driver`, line);
        }
      }
      for (const clone of ['a', 'b']) {
        await vizprompt(clone, 'flow', 'branch', '1', '--prompt', `${clone}の続き`);
        await vizprompt(clone, 'update-node', '1', '--tags', clone);
        await git(clone, 'add', '-A');
        await git(clone, 'commit', '-q', '-m', clone);
      }
      await git('b', 'pull', '-q', '--no-rebase', '--no-edit', 'origin', 'main');
      const flow = await vizprompt<StoredFlow>('b', 'flow', 'show');
      expect(flow.nodes).toHaveLength(3);
      expect(flow.connections).toHaveLength(2);
      const root = await vizprompt<{ tags: string[] }>('b', 'get-node', '1');
      expect(root.tags.toSorted()).toEqual(['a', 'b']);
      expect(await vizprompt('b', 'check')).toMatchObject({ isHealthy: true });
    },
  );
});

describe('vizprompt git-merge', () => {
  it('merges files, and ends with 1 and marks where both changed the same', async () => {
    const place = await Place.make();
    onTestFinished(() => place[Symbol.asyncDispose]());
    await place.json('vizprompt', ['init']);
    await place.json('vizprompt', ['flow', 'create', '元の名前']);
    const base = await readFile(join(place.cwd, 'flows/00/00.yaml'), 'utf8');
    const write = (name: string, text: string): Promise<void> =>
      writeFile(join(place.cwd, name), text);
    await write('base', base);
    await write('ours', base.replace('元の名前', '私の名前'));
    await write('theirs', base);
    const words = ['git-merge', 'flow', 'base', 'ours', 'theirs', 'flows/00/00.yaml'];
    expect(await place.spawn('vizprompt', words)).toEqual({ code: 0, stdout: '', stderr: '' });
    expect(await readFile(join(place.cwd, 'ours'), 'utf8')).toContain('私の名前');
    await write('theirs', base.replace('元の名前', 'あなたの名前'));
    const conflict = await place.spawn('vizprompt', [...words, '--json']);
    expect(conflict.code).toBe(1);
    expect(conflict.stderr).toContain('flows/00/00.yaml: both sides changed name');
    expect(await readFile(join(place.cwd, 'ours'), 'utf8')).toContain('<<<<<<<');
  });

  it('asks to come again in a project that is in no repository', async () => {
    const place = await Place.make();
    onTestFinished(() => place[Symbol.asyncDispose]());
    const { code, stderr } = await place.run('vizprompt', ['init', '--git']);
    expect([code, stderr]).toEqual([
      0,
      'It is in no git repository: call this again after git init.\n',
    ]);
  });

  it.each([
    [['git-merge'], "missing required argument 'kind'"],
    [['git-merge', 'tree', 'a', 'b', 'c'], 'kind: expected one of'],
    [['git-merge', 'flow', 'a', 'b', 'c'], 'cannot read '],
  ])('refuses %j', async (args, message) => {
    const place = await Place.make();
    onTestFinished(() => place[Symbol.asyncDispose]());
    const { code, stdout, stderr } = await place.run('vizprompt', args);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toContain(message);
  });
});
