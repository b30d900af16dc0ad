import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { VizPrompt } from '@vizprompt/core';
import { StorageError } from '@vizprompt/providers';
import { inMemoryStorage } from '@vizprompt/providers/node';
import { describe, expect, it } from 'vitest';
import { record, testProject } from '../support/open-project.ts';

const run = promisify(execFile);

describe('a file that breaks while the project is open', () => {
  it('spoils neither search nor export, and is reported', async () => {
    const { heard, on } = record();
    const { vizprompt, write } = await testProject({ on });
    const broken = await vizprompt.createNode({ prompt: '猫の壊れた記録' });
    await vizprompt.createNode({ prompt: '猫の記録' });
    await write(broken.file, '<node');
    const hits = await vizprompt.searchNodes({ text: '猫' });
    expect(hits).toHaveLength(2);
    expect(hits.find(({ id }) => id === broken.id)?.snippet).toBeUndefined();
    for (const format of ['html', 'markdown', 'json'] as const) {
      expect(await vizprompt.exportFlow('main', { format })).toContain('猫の記録');
    }
    expect(heard.filter(([name]) => name === 'problem:found').at(-1)?.[1]).toMatchObject({
      severity: 'error',
      file: broken.file,
    });
  });
});

describe('a file that the storage cannot give', () => {
  it('is a problem of its own; the rest is open', async () => {
    const storage = await inMemoryStorage();
    const first = await VizPrompt.open({ storage });
    const lost = await first.createNode({ prompt: 'a' });
    const kept = await first.createNode({ prompt: 'b' });
    await first.close();
    await storage.files.write(lost.file, 'changed');
    const { read } = storage.files;
    const files = {
      ...Object.fromEntries(
        Object.entries(storage.files).map(([name, method]) => [
          name,
          typeof method === 'function' ? method.bind(storage.files) : method,
        ]),
      ),
      read: async (key: string) => {
        if (key === lost.file) throw new StorageError('io', `cannot read '${key}': EACCES`);
        return read.call(storage.files, key);
      },
    } as typeof storage.files;
    const project = await VizPrompt.open({ storage: { ...storage, files } });
    expect((await project.getNode(kept.id)).prompt).toBe('b');
    expect(await project.problems()).toContainEqual({
      severity: 'error',
      file: lost.file,
      message: `cannot read '${lost.file}': EACCES`,
    });
    await project.close();
    await storage.close();
  });
});

describe('asking for what is in a broken file', () => {
  it('says where it is broken', async () => {
    const { vizprompt, write, read, reopen } = await testProject();
    const node = await vizprompt.createNode({ prompt: 'R&D' });
    await vizprompt.createFlow({ name: '相談', alias: 'sodan' });
    await write(node.file, (await read(node.file)).replaceAll(/<!\[CDATA\[|\]\]>/g, ''));
    await write('flows/00/01.yaml', `${await read('flows/00/01.yaml')}nodes: 3\n`);
    const project = await reopen();
    await expect(project.getNode(node.id)).rejects.toMatchObject({ code: 'node-invalid' });
    await expect(project.getNode(node.id)).rejects.toThrow(/00\.xml:\d+:\d+: .*Write &amp;/);
    await expect(project.getFlow('sodan')).rejects.toThrow('flows/00/01.yaml:');
    await expect(project.getFlow('nothing')).rejects.toMatchObject({ code: 'flow-not-found' });
    await write('flows/00/00.yaml', 'id: x\n');
    await project.refresh();
    await expect(project.getFlow()).rejects.toMatchObject({ code: 'flow-invalid' });
  });
});

describe('a merge of git that is not resolved', () => {
  it('is reported as what it is, in nodes and in flows', async () => {
    const { vizprompt, folder, reopen } = await testProject();
    const git = (...args: string[]): Promise<unknown> =>
      run('git', ['-c', 'user.name=n', '-c', 'user.email=e', ...args], { cwd: folder });
    await vizprompt.createNode({ prompt: 'a' });
    await vizprompt.close();
    await git('init', '-q', '-b', 'ours');
    await git('add', '.');
    await git('commit', '-qm', 'a');
    await git('checkout', '-qb', 'theirs');
    await (await reopen()).createNode({ prompt: 'b' });
    await (await reopen()).close();
    await git('commit', '-qam', 'b', '--allow-empty');
    await git('add', '.');
    await git('commit', '-qm', 'b');
    await git('checkout', '-q', 'ours');
    await (await reopen()).createNode({ prompt: 'c' });
    await (await reopen()).close();
    await git('add', '.');
    await git('commit', '-qm', 'c');
    await git('merge', '-q', 'theirs').catch(() => undefined);

    const problems = await (await reopen()).problems();
    expect(problems).toEqual([
      expect.objectContaining({
        file: 'nodes/00/01.xml',
        line: expect.any(Number),
        message: expect.stringContaining('a merge of git is not resolved: keep one side here'),
      }),
      expect.objectContaining({
        file: 'flows/00/00.yaml',
        message: expect.stringContaining('a merge of git is not resolved'),
      }),
    ]);
  });
});

describe('flows that contradict each other', () => {
  it('are reported, and the numbered one is used', async () => {
    const { vizprompt, write, read, reopen } = await testProject();
    const node = await vizprompt.createNode({ prompt: 'a' });
    const text = await read('flows/00/00.yaml');
    await write('flows/al.yaml', text);
    await write(
      'flows/zz.yaml',
      text
        .replace(/^id: .*/m, 'id: 00000000-0000-4000-8000-000000000001')
        .replace(node.id, '00000000-0000-4000-8000-00000000000a'),
    );
    const { heard, on } = record();
    const project = await reopen({ on });
    const messages = (await project.problems()).map(({ file, message }) => `${file}: ${message}`);
    expect(messages).toEqual([
      expect.stringMatching(/^flows\/al\.yaml: the id '.*' is that of flows\/00\/00\.yaml too/),
      "flows/al.yaml: the alias 'main' is that of flows/00/00.yaml too, which is used",
      "flows/zz.yaml: the alias 'main' is that of flows/00/00.yaml too, which is used",
      'flows/zz.yaml: the node 00000000-0000-4000-8000-00000000000a is in no file that can be read',
    ]);
    expect(heard.filter(([name]) => name === 'problem:found')).toHaveLength(4);
    expect((await project.getFlow()).file).toBe('flows/00/00.yaml');
  });
});
