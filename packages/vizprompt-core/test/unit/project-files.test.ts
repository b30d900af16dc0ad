import { copyFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { VizPrompt } from '@vizprompt/core';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { defaultConfigText, readDefaultConfig } from '../../src/project/config.ts';
import { parseConfig } from '../../src/project/read-config.ts';
import { openProject, record, temporaryFolder, testProject } from '../support/open-project.ts';

describe('the files of a project', () => {
  it('have a config with the settings of VizPrompt', async () => {
    const { vizprompt, read } = await testProject();
    await vizprompt.createNode({ prompt: 'a', tags: ['タグ'] });
    expect(parse(await read('config.yaml'))).toMatchObject({
      version: '1.0',
      settings: {
        max_files_per_folder: 256,
        default_llm_provider: 'openai',
        default_model: 'gpt-4',
        summary_token_limit: 50,
      },
      providers: {
        openai: { api_key_env: 'OPENAI_API_KEY' },
        ollama: { host: 'http://localhost:11434' },
      },
    });
  });

  it('have settings that are read without a parser as with it, as long as they are the first ones', async () => {
    const text = defaultConfigText(new Date('2026-11-29T12:00:00.123+09:00'));
    expect(readDefaultConfig(text)).toEqual(await parseConfig(text));
    const others = [
      text.replace('gpt-4', 'gpt-5'),
      text.replace('version: "1.0"', 'version: "1.1"'),
      text.replace(/updated: .*/, 'updated: 2026-12-01T00:00:00Z'),
      text
        .replace(/created: .*/, 'created: yesterday')
        .replace(/updated: .*/, 'updated: yesterday'),
      `${text}# mine\n`,
      '',
    ];
    for (const other of others) expect(readDefaultConfig(other)).toBeUndefined();
  });

  it('map nodes and flows to files, and tags to nodes', async () => {
    const { vizprompt, read } = await testProject();
    const a = await vizprompt.createNode({ prompt: 'a', tags: ['タグ1', 'no'] });
    const b = await vizprompt.createNode({ prompt: 'b', tags: ['タグ1'] });
    const flow = await vizprompt.getFlow();
    await vizprompt.build({ model: null });
    expect(await read('metadata/node_map.tsv')).toBe(
      `relpath\tuuid\ttimestamp\n00/00.xml\t${a.id}\t${a.timestamp}\n00/01.xml\t${b.id}\t${b.timestamp}\n`,
    );
    expect(await read('metadata/flow_map.tsv')).toBe(
      `flow_id\tfolder\tfilename\n${flow.id}\t00\t00.yaml\n`,
    );
    const tags = parse(await read('metadata/tags.yaml'), { version: '1.1' }) as object;
    expect(tags).toMatchObject({ tags: { no: [a.id], タグ1: [a.id, b.id] } });
    const index = parse(await read('metadata/index.yaml')) as { nodes: object };
    expect(index.nodes).toHaveProperty([a.id, 'summary'], 'a');
    expect(await vizprompt.listTags()).toEqual([
      { tag: 'タグ1', nodes: 2 },
      { tag: 'no', nodes: 1 },
    ]);
  });

  it('fill folders of 256, hexadecimal, and continue after ff', async () => {
    const { vizprompt, write, reopen, read } = await testProject();
    const first = await vizprompt.createNode({ prompt: 'x' });
    const xml = await read(first.file);
    const put = (file: string, digit: string): Promise<void> =>
      write(file, xml.replace(first.id, `00000000-0000-4000-8000-00000000000${digit}`));
    await put('nodes/00/ff.xml', '1');
    const project = await reopen();
    expect((await project.createNode({ prompt: 'next' })).file).toBe('nodes/01/00.xml');
    await put('nodes/ff/ff.xml', '2');
    await project.refresh();
    expect((await project.createNode({ prompt: 'more' })).file).toBe('nodes/100/00.xml');
    expect((await project.createNode({ prompt: 'more' })).file).toBe('nodes/100/01.xml');
    const map = (await read('metadata/node_map.tsv'))
      .split('\n')
      .map((line) => line.split('\t')[0]);
    expect(map.slice(1, -1)).toEqual([
      '00/00.xml',
      '00/ff.xml',
      '01/00.xml',
      'ff/ff.xml',
      '100/00.xml',
      '100/01.xml',
    ]);
  });

  it('follow the folder size of the settings', async () => {
    const { vizprompt, write, reopen, read } = await testProject();
    const config = await read('config.yaml');
    await vizprompt.createNode({ prompt: '0' });
    await write('config.yaml', config.replace('folder: 256', 'folder: 2'));
    const project = await reopen();
    const files = [];
    for (const prompt of ['1', '2', '3']) files.push((await project.createNode({ prompt })).file);
    expect(files).toEqual(['nodes/00/01.xml', 'nodes/01/00.xml', 'nodes/01/01.xml']);
  });

  it.each([
    [
      'settings:\n  max_files_per_folder: 1000\n',
      /config\.yaml:2:25: 'settings\.max_files_per_folder'/,
    ],
    ['providers:\n  openai: yes please\n', /config\.yaml:2:11: 'providers\.openai'/],
    [
      'version: "2.0"\n',
      /config\.yaml:1:10: 'version': the project has version 2\.0, .* update it/,
    ],
    ['version: newest\n', /config\.yaml:1:10: 'version': it is no version/],
    ['settings: [\n', /config\.yaml:\d+:\d+: /],
  ])('say where the settings are wrong: %j', async (text, message) => {
    const folder = await temporaryFolder();
    await (await VizPrompt.open(folder)).close();
    const { writeFile } = await import('node:fs/promises');
    await writeFile(join(folder, 'config.yaml'), text);
    const opening = VizPrompt.open(folder);
    await expect(opening).rejects.toMatchObject({ code: 'config-invalid' });
    await expect(opening).rejects.toThrow(message);
  });
});

describe('files that were changed by hand', () => {
  it('are read at the next opening or refresh, and only those', async () => {
    const { heard, on } = record();
    const { vizprompt, read, write, reopen } = await testProject({ on });
    const node = await vizprompt.createNode({ prompt: 'before' });
    for (let i = 0; i < 5; i++) await vizprompt.createNode({ prompt: `other ${i}` });
    await write(node.file, (await read(node.file)).replace('before', 'afterwards'));
    heard.length = 0;
    const project = await reopen();
    expect(heard.filter(([name]) => name === 'index:progress')).toEqual([
      ['index:progress', { done: 0, total: 1 }],
      ['index:progress', { done: 1, total: 1 }],
    ]);
    expect(await project.searchNodes({ text: 'afterwards' })).toHaveLength(1);
    expect(await project.searchNodes({ text: 'before' })).toEqual([]);
    await write(node.file, (await read(node.file)).replace('afterwards', 'finally'));
    expect(await project.refresh()).toEqual({ read: 1, removed: 0 });
    expect(await project.searchNodes({ text: 'finally' })).toHaveLength(1);
  });

  it('may be added and taken away; the maps follow', async () => {
    const { heard, on } = record();
    const { vizprompt, folder, read, write, reopen } = await testProject({ on });
    const a = await vizprompt.createNode({ prompt: 'a' });
    const b = await vizprompt.createNode({ prompt: 'b' });
    rmSync(join(folder, a.file));
    const id = 'aaaaaaaa-0000-4000-8000-000000000000';
    await write('nodes/00/2a.xml', (await read(b.file)).replace(b.id, id));
    await write(
      'flows/by-hand.yaml',
      `id: ${id}\nname: 手書き\nnodes:\n  - {index: 1, id: ${id}}\n`,
    );
    const project = await reopen();
    expect((await project.getFlow('by-hand')).nodes).toEqual([{ index: 1, id }]);
    expect(heard.filter(([name]) => name === 'map:repaired')).toHaveLength(2);
    const map = await read('metadata/node_map.tsv');
    expect(map).not.toContain(a.id);
    expect(map).toContain(`00/2a.xml\t${id}\t`);
    expect(await read('metadata/flow_map.tsv')).toContain(`${id}\t\tby-hand.yaml\n`);
    expect((await project.createNode({ prompt: 'c' })).file).toBe('nodes/00/2b.xml');
  });

  it('lose nothing when a broken file lies among them', async () => {
    const { heard, on } = record();
    const { vizprompt, read, write, reopen } = await testProject({ on });
    const a = await vizprompt.createNode({ prompt: 'a' });
    const b = await vizprompt.createNode({ prompt: 'b' });
    await vizprompt.createFlow({ name: 'sound' });
    const broken = (await read(a.file)).replace('</prompt>', '');
    await write(a.file, broken);
    await write('flows/00/00.yaml', `${await read('flows/00/00.yaml')}  - from: 2\n    to: 1\n`);
    const project = await reopen();
    const problems = await project.problems();
    expect(problems).toEqual([
      expect.objectContaining({ severity: 'error', file: a.file, line: expect.any(Number) }),
      expect.objectContaining({ file: 'flows/00/00.yaml', line: 15, column: 5 }),
    ]);
    expect(heard.filter(([name]) => name === 'problem:found')).toHaveLength(2);
    expect((await project.getNode(b.id)).prompt).toBe('b');
    await expect(project.getNode(a.id)).rejects.toThrow(`${a.file}:`);
    await expect(project.getFlow('flows/00/00.yaml')).rejects.toThrow('flows/00/00.yaml:15:5');
    // It may be the main flow: no other one is made next to it.
    await expect(project.createNode({ prompt: 'c' })).rejects.toMatchObject({
      code: 'flow-invalid',
    });
    await project.createNode({ prompt: 'c' }, { flow: 'sound' });
    expect(await read(a.file)).toBe(broken);
  });

  it('report connections whose ids and numbers disagree', async () => {
    const { vizprompt, read, write, reopen } = await testProject();
    const a = await vizprompt.createNode({ prompt: 'a' });
    const b = await vizprompt.createNode({ prompt: 'b' });
    const text = await read('flows/00/00.yaml');
    await write(
      'flows/00/00.yaml',
      `${text}    from_id: ${a.id}\n    to_id: ${b.id}\n`.replace('to: 2', 'to: 1'),
    );
    const project = await reopen();
    expect(await project.problems()).toEqual([
      expect.objectContaining({ severity: 'warning', file: 'flows/00/00.yaml', line: 13 }),
    ]);
    expect((await project.getFlow()).connections).toEqual([{ from: a.id, to: b.id }]);
  });

  it('find maps rewritten that were truncated or lost', async () => {
    const { vizprompt, folder, read, write, reopen } = await testProject();
    await vizprompt.createNode({ prompt: 'a' });
    const map = await read('metadata/node_map.tsv');
    await vizprompt.close();
    await write('metadata/node_map.tsv', map.slice(0, -20));
    rmSync(join(folder, 'metadata/flow_map.tsv'));
    await reopen();
    expect(await read('metadata/node_map.tsv')).toBe(map);
    expect(await read('metadata/flow_map.tsv')).toMatch(/\t00\t00\.yaml\n$/);
  });
});

describe('files that carry one id', () => {
  it('are versions of a node: the newest counts, of equals the one found later', async () => {
    const { heard, on } = record();
    const { vizprompt, folder, read, write, reopen } = await testProject({ on });
    const node = await vizprompt.createNode({
      prompt: 'original',
      timestamp: '2026-01-01T00:00:00.000001+00:00',
    });
    const copy = async (file: string, prompt: string, time: string): Promise<void> =>
      write(
        file,
        (await read(node.file)).replace('original', prompt).replace(node.timestamp, time),
      );
    await copy('nodes/00/07.xml', 'newest', '2026-01-01T09:00:00.000002+09:00');
    await copy('nodes/00/08.xml', 'older', '2025-12-31T00:00:00Z');
    copyFileSync(join(folder, node.file), join(folder, 'nodes/00/09.xml'));
    const project = await reopen();
    expect((await project.getNode(node.id)).prompt).toBe('newest');
    const versions = await project.getNodeVersions(node.id);
    expect(versions.map(({ file }) => file)).toEqual([
      'nodes/00/07.xml',
      'nodes/00/09.xml',
      'nodes/00/00.xml',
      'nodes/00/08.xml',
    ]);
    expect(heard).toContainEqual([
      'node:collided',
      { id: node.id, files: versions.map(({ file }) => file) },
    ]);
    const map = (await read('metadata/node_map.tsv'))
      .split('\n')
      .map((line) => line.split('\t')[0]);
    expect(map.slice(1, -1)).toEqual(['00/07.xml', '00/09.xml', '00/00.xml', '00/08.xml']);
    expect(await project.searchNodes({ text: 'original' })).toEqual([]);

    const changed = await project.updateNode(node.id, { prompt: 'changed' });
    expect(changed.file).toBe('nodes/00/07.xml');
    rmSync(join(folder, 'nodes/00/07.xml'));
    await project.refresh();
    expect((await project.getNode(node.id)).file).toBe('nodes/00/09.xml');
    await project.deleteNode(node.id);
    expect(await project.getNodeVersions(node.id)).toEqual([]);
    expect((await project.getFlow()).nodes).toEqual([]);
  });

  it('can be made on purpose', async () => {
    const vizprompt = await openProject();
    const first = await vizprompt.createNode({ prompt: '1', timestamp: '2026-01-01T00:00:00Z' });
    const { id } = first;
    await vizprompt.createNode(
      { prompt: '2', id, timestamp: '2026-01-02T00:00:00Z' },
      { flow: null },
    );
    expect((await vizprompt.getNodeVersions(id)).map(({ prompt }) => prompt)).toEqual(['2', '1']);
    expect(await vizprompt.searchNodes({ text: '"1"' })).toEqual([]);
  });
});

describe('the cache', () => {
  it('can be deleted: everything is found again, keywords too', async () => {
    const { vizprompt, folder } = await testProject();
    await vizprompt.createNode({ prompt: '認証にJWTを使う', response: 'JWTの署名を確かめる' });
    await vizprompt.createNode({ prompt: 'b', tags: ['手動'] });
    await vizprompt.build({ model: null });
    const before = await vizprompt.searchNodes({});
    await vizprompt.close();
    for (const name of ['cache.db', 'cache.db-wal', 'cache.db-shm']) {
      rmSync(join(folder, '.vizprompt', name), { force: true });
    }
    const { heard, on } = record();
    await using again = await VizPrompt.open(folder, { on });
    expect(await again.searchNodes({})).toEqual(before);
    expect(await again.searchNodes({ keywords: ['jwt'] })).toHaveLength(1);
    expect(heard.map(([name]) => name)).not.toContain('map:repaired');
    expect(heard).toContainEqual(['index:progress', { done: 3, total: 3 }]);
  });
});
