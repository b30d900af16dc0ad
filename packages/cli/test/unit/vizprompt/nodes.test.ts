import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { NodeHit, StoredFlow, StoredNode } from '@vizprompt/core';
import { describe, expect, it, onTestFinished } from 'vitest';
import { Place } from '../../support/place.ts';
import { sharedProject, testProject } from '../../support/project.ts';

// A refused command changes nothing, so one project is enough.
const bad = sharedProject();

describe('vizprompt init', () => {
  it('makes a project, and does no harm again', async () => {
    const place = await Place.make();
    onTestFinished(() => place[Symbol.asyncDispose]());
    const first = await place.run('vizprompt', ['init', '計画 🐈']);
    expect(first).toMatchObject({ code: 0, stderr: '' });
    expect(first.stdout).toContain('wrote config.yaml');
    const again = await place.json('vizprompt', ['init', '--data', '計画 🐈']);
    expect(again).toEqual({ folder: join(place.cwd, '計画 🐈'), written: [] });
    const both = await place.run('vizprompt', ['init', 'a', '--data', 'b']);
    expect(both).toMatchObject({ code: 2 });
    expect(both.stderr).toContain('give only one of FOLDER, --data');
  });

  it('is asked for where there is no project, and a config.yaml of others is none', async () => {
    const place = await Place.make();
    onTestFinished(() => place[Symbol.asyncDispose]());
    await writeFile(join(place.cwd, 'config.yaml'), 'name: something else\n');
    const without = await place.run('vizprompt', ['flow', 'list']);
    expect(without).toMatchObject({ code: 3, stdout: '' });
    expect(without.stderr).toContain('make one with vizprompt init');
    const wrong = await place.run('vizprompt', ['flow', 'list', '--data', 'どこ', '--lang', 'ja']);
    expect(wrong.code).toBe(3);
    expect(wrong.stderr).toContain('どこ にプロジェクトがありません');
  });

  it('is found from a folder within the project', async () => {
    const { place } = await testProject();
    const cwd = join(place.cwd, 'a', 'b');
    await mkdir(cwd, { recursive: true });
    expect((await place.run('vizprompt', ['flow', 'list'], { cwd })).code).toBe(0);
  });
});

describe('the commands of nodes', () => {
  it('make a node of the texts of two files, byte for byte', async () => {
    const { place, run, json } = await testProject();
    const prompt = '質問\n\n  <b>]]> مرحبا 🐈\n';
    await writeFile(join(place.cwd, 'input.txt'), prompt);
    await writeFile(join(place.cwd, 'output.txt'), '答え');
    const { code, stdout } = await run(
      ['create-node', '--prompt-file', 'input.txt', '--response-file', 'output.txt'],
      {},
    );
    expect(code).toBe(0);
    const [, id = ''] = /^Created node: ([0-9a-f-]{36})\n$/.exec(stdout) ?? [];
    expect(await json(['get-node', id])).toMatchObject({ id, prompt, response: '答え' });
    const shown = await run(['get-node', '1']);
    expect(shown.stdout).toContain(`ID: ${id}\n`);
    expect(shown.stdout).toContain('── Response\n答え\n');
  });

  it('place nodes after others, at a new beginning, or in no flow', async () => {
    const { json, node } = await testProject();
    const a = await node('一');
    const b = await json<StoredNode>(
      'create-node --prompt - --after 1 --branch-name 別案 --tags 設計、認証 --model m'.split(' '),
      { input: '二' },
    );
    expect(b).toMatchObject({ prompt: '二', response: '', tags: ['設計', '認証'], model: 'm' });
    const c = await json<StoredNode>(['create-node', '--prompt', '三', '--root']);
    const d = await json<StoredNode>(['create-node', '--prompt', '四', '--no-flow']);
    const merge = await json<StoredNode>(['create-node', '--prompt', '五', '--after', `${b.id},3`]);
    const flow = await json<StoredFlow>(['flow', 'show']);
    expect(flow.nodes.map(({ id }) => id)).toEqual([a.id, b.id, c.id, merge.id]);
    expect(flow.nodes.map(({ id }) => id)).not.toContain(d.id);
    expect(flow.connections).toEqual([
      { from: a.id, to: b.id, branch: '別案' },
      { from: b.id, to: merge.id },
      { from: c.id, to: merge.id },
    ]);
  });

  it('change a node, and refuse to where it changed since', async () => {
    const { run, json, node } = await testProject();
    const { version } = await node('古い', '前');
    const changes = ['--response', '新しい', '--tags', 'a,b', '--summary', '要約'];
    const changed = await json<StoredNode>(['update-node', '1', ...changes]);
    expect(changed).toMatchObject({ prompt: '古い', response: '新しい', tags: ['a', 'b'] });
    expect(changed.summary.text).toBe('要約');
    const stale = await run(['update-node', '1', '--tags', '', '--if-version', version]);
    expect(stale.code).toBe(4);
    expect(await json(['update-node', '1', '--tags', ''])).toMatchObject({ tags: [] });
    const nothing = await run(['update-node', '1']);
    expect(nothing.code).toBe(2);
    expect(nothing.stderr).toContain('nothing is to be changed');
  });

  it('delete a node, and bring it back', async () => {
    const { run, json, node } = await testProject();
    const ids = [await node('一'), await node('二'), await node('三')].map(({ id }) => id);
    expect((await run(['delete-node', '2'])).stdout).toBe(
      `Deleted node: ${ids[1]} (vizprompt undo brings it back)\n`,
    );
    expect((await run(['get-node', ids[1] ?? ''])).code).toBe(3);
    const { connections } = await json<StoredFlow>(['flow', 'show']);
    expect(connections).toEqual([{ from: ids[0], to: ids[2] }]);
    expect((await run(['undo'])).stdout).toContain('Taken back: deleteNode');
    expect(await json(['get-node', ids[1] ?? ''])).toMatchObject({ prompt: '二' });
    expect((await run(['redo'])).stdout).toContain('Made again: deleteNode');
    await json(['undo']);
    await json(['delete-node', '2', '--no-join']);
    expect((await json<StoredFlow>(['flow', 'show'])).connections).toEqual([]);
    expect(await json(['redo'])).toBe(null);
  });

  it('search by words, tags and keywords', async () => {
    const { run, json, node } = await testProject();
    const { id } = await node('認証機能はどうする？', 'JWTを使用します。');
    await node('色は？', '青です。');
    await json(['update-node', '1', '--tags', '設計,重要']);
    await json(['build']);
    const found = async (...args: string[]): Promise<string[]> =>
      (await json<NodeHit[]>(['search', ...args])).map((hit) => hit.id);
    expect(await found('--text', '認証')).toEqual([id]);
    expect(await found('認証', '--limit', '1')).toEqual([id]);
    expect(await found('--tags', '設計,重要')).toEqual([id]);
    expect(await found('--tags', '設計,青')).toEqual([]);
    expect(await found('--keywords', 'JWT')).toEqual([id]);
    expect(await found('--after', '2100-01-01')).toEqual([]);
    expect(await found()).toHaveLength(2);
    expect(await json(['search', 'JWT', 'ヌルポ'])).toEqual(await json(['search', 'JWT ヌルポ']));
    const shown = await run(['search', '-'], { input: 'JWT' });
    expect(shown.stdout).toContain(`${id}  認証機能はどうする？ #設計 #重要`);
    const none = await run(['search', 'ヌルポ']);
    expect(none).toMatchObject({ code: 0, stdout: '', stderr: 'nothing was found\n' });
  });

  it.each([
    [['create-node'], 2, 'give one of --prompt, --prompt-file'],
    [['create-node', '--prompt', 'a', '--prompt-file', 'b'], 2, 'give only one of --prompt'],
    [['create-node', '--prompt-file', 'nowhere.txt'], 2, 'cannot read nowhere.txt'],
    [
      ['create-node', '--prompt', '-', '--response', '-'],
      2,
      'standard input can be read only once',
    ],
    [['create-node', '--prompt-file', '-', '--response', '-'], 2, 'can be read only once'],
    [['create-node', '--prompt', 'a', '--after', '7'], 3, "no node 7 in the flow 'main'"],
    [['create-node', '--prompt', 'a', '--after', '1', '--root'], 2, 'only one of --after, --root'],
    [['create-node', '--prompt', 'a', '--no-flow', '--after', 'b'], 2, "'after' needs a flow"],
    [['create-node', '--promt', 'a'], 2, "unknown option '--promt'"],
    [['get-node', 'x'], 3, 'there is no node x'],
    [['get-node'], 2, "missing required argument 'node'"],
    [['update-node', 'x', '--tags', 'a'], 3, 'there is no node x'],
    [['delete-node', 'x'], 3, 'there is no node x'],
    [['search', '--limit', '0'], 2, 'expected a whole number from 1'],
    [['search', '--after', 'gestern'], 2, 'expected a time'],
    [['search', 'a', '--text', 'b'], 2, 'give only one of TEXT, --text'],
    [['undo', 'x'], 2, 'too many arguments'],
    [['redo', '--x'], 2, "unknown option '--x'"],
  ])('refuse %j', async (args, code, message) => {
    const result = await bad.run(args, { input: 'x' });
    expect([result.code, result.stdout]).toEqual([code, '']);
    expect(result.stderr).toContain(message);
  });

  it('leave the files as they are when input is no UTF-8', async () => {
    const { place, run } = await testProject();
    const input = Buffer.from([0x93, 0xfa, 0x96, 0x7b]);
    const { code, stderr } = await run(['create-node', '--prompt', '-', '--json'], { input });
    expect(code).toBe(2);
    expect(JSON.parse(stderr)).toMatchObject({ error: { code: 'input-unreadable', exitCode: 2 } });
    const map = await readFile(join(place.cwd, 'metadata/node_map.tsv'), 'utf8').catch(() => '');
    expect(map).not.toContain('.xml');
  });

  it('speak Japanese', async () => {
    const { run } = await testProject();
    const env = { LANG: 'ja_JP.UTF-8' };
    const made = await run(['create-node', '--prompt', '一'], { env });
    expect(made.stdout).toMatch(/^ノードを作成しました: /);
    expect((await run(['get-node', '1'], { env })).stdout).toContain('── 応答');
    expect((await run(['get-node', '2'], { env })).stderr).toContain('番号 2 のノードがありません');
  });
});
