import { cp, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { VizPrompt, type CheckReport } from '@vizprompt/core';
import { describe, expect, it } from 'vitest';
import { cloneOf, repository, sharedProject, type Clone } from '../support/clones.ts';
import { temporaryFolder, testProject } from '../support/open-project.ts';

/** Adds two nodes after a node, and a branch. */
async function goOn(clone: Clone, name: string, from: string): Promise<string[]> {
  const ids = await clone.work(async (vizprompt) => {
    const first = await vizprompt.createNode(
      { prompt: `${name}の設定`, response: `${name}を設定した` },
      { after: from },
    );
    const second = await vizprompt.createNode({ prompt: `${name} 2`, tags: [name] });
    const branch = await vizprompt.createBranch(
      from,
      { prompt: `${name} 3` },
      { branchName: name },
    );
    await vizprompt.build({ model: null });
    return [first.id, second.id, branch.id];
  });
  await clone.commit(name);
  return ids;
}

function faults({ findings }: CheckReport): string[] {
  return findings
    .filter(({ severity }) => severity !== 'info')
    .map(({ code, file, message }) => `${code} ${file}: ${message}`);
}

const checked = (clone: Clone): Promise<string[]> =>
  clone.work(async (vizprompt) => faults(await vizprompt.check()));

describe('two clones of a project that is set up for sharing', () => {
  it('add nodes and edges to one flow, and merge without conflicts in both directions', async () => {
    const { a, b, root } = await sharedProject();
    const ofA = await goOn(a, 'カフェ', root);
    const ofB = await goOn(b, 'サーバー', root);
    expect(await a.merge(b)).toBe(true);
    expect(await b.merge(a)).toBe(true);
    for (const clone of [a, b]) {
      await clone.work(async (vizprompt) => {
        const flow = await vizprompt.getFlow();
        const ids = flow.nodes.map(({ id }) => id);
        expect(ids.toSorted()).toEqual([root, ...ofA, ...ofB].toSorted());
        expect(new Set(flow.nodes.map(({ index }) => index)).size).toBe(7);
        expect(flow.connections).toHaveLength(6);
        expect(flow.connections.flatMap(({ branch }) => branch ?? []).toSorted()).toEqual([
          'カフェ',
          'サーバー',
        ]);
        expect((await vizprompt.listTags()).map(({ tag }) => tag)).toEqual(
          expect.arrayContaining(['カフェ', 'サーバー']),
        );
        for (const keyword of ['カフェ', 'サーバー']) {
          expect(await vizprompt.searchNodes({ keywords: [keyword] })).not.toEqual([]);
        }
        expect(faults(await vizprompt.check())).toEqual([]);
      });
      await clone.commit('後');
    }
    expect(await a.read('metadata/index.yaml')).toContain('サーバー');
    expect(await a.merge(b)).toBe(true);
    expect(await checked(a)).toEqual([]);
  });

  it('are three people at once', async () => {
    const { origin, a, b, root } = await sharedProject();
    const c = await cloneOf(origin);
    const all = [root];
    for (const [clone, name] of [
      [a, 'a'],
      [b, 'b'],
      [c, 'c'],
    ] as const) {
      all.push(...(await goOn(clone, name, root)));
    }
    for (const [into, from] of [
      [a, b],
      [c, a],
      [b, c],
    ] as const) {
      expect(await into.merge(from)).toBe(true);
      expect(await checked(into)).toEqual([]);
      await into.commit('後');
    }
    for (const clone of [b, c]) {
      const { nodes } = await clone.work((vizprompt) => vizprompt.getFlow());
      expect(nodes.map(({ id }) => id).toSorted()).toEqual(all.toSorted());
    }
  });

  it('both make flows, whose files never meet', async () => {
    const { a, b } = await sharedProject();
    for (const [clone, name] of [
      [a, '旅 ✈️'],
      [b, '料理 🍳'],
    ] as const) {
      await clone.work(async (vizprompt) => {
        await vizprompt.createFlow({ name });
        await vizprompt.createNode({ prompt: name }, { flow: name });
      });
      await clone.commit(name);
    }
    expect(await a.merge(b)).toBe(true);
    await a.work(async (vizprompt) => {
      expect((await vizprompt.listFlows()).map(({ name }) => name).toSorted()).toEqual([
        'main',
        '料理 🍳',
        '旅 ✈️',
      ]);
      expect(faults(await vizprompt.check())).toEqual([]);
    });
  });

  it('get the attachments of each other', async () => {
    const { a, b } = await sharedProject();
    const data = Uint8Array.from({ length: 256 }, (_, at) => at);
    const node = await a.work((vizprompt) =>
      vizprompt.createNode({ prompt: '絵', attachments: [{ data, mediaType: 'image/png' }] }),
    );
    await a.commit('絵');
    expect(await b.merge(a)).toBe(true);
    expect(await checked(b)).toEqual([]);
    await rm(join(b.folder, 'attachments'), { recursive: true });
    const { findings } = await b.work((vizprompt) => vizprompt.check());
    expect(findings).toEqual([
      expect.objectContaining({
        code: 'missing-attachment',
        file: node.file,
        line: expect.any(Number),
      }),
    ]);
  });

  it('are distinguished where both gave the flow another name', async () => {
    const { a, b, root } = await sharedProject();
    for (const [clone, name] of [
      [a, '甲'],
      [b, '乙'],
    ] as const) {
      await clone.work((vizprompt) => vizprompt.updateFlow('main', { name }));
      await goOn(clone, name, root);
    }
    expect(await a.merge(b)).toBe(false);
    const [file = ''] = (await a.git('diff', '--name-only', '--diff-filter=U')).split('\n');
    expect(await a.read(file)).toMatch(
      /<<<<<<< ours\nname: 甲\n[^]*=======\nname: 乙\n[^]*>>>>>>> theirs\n/,
    );
    await a.work(async (vizprompt) => {
      const report = await vizprompt.check();
      expect(report.findings).toContainEqual(
        expect.objectContaining({ code: 'merge-conflict', file, line: 2 }),
      );
      const { setAside } = await vizprompt.repair(report);
      expect(setAside).toEqual([{ from: file, to: `lost+found/${file}` }]);
      const flow = await vizprompt.getFlow();
      expect(flow.nodes).toHaveLength(7);
      expect(flow.name).toBe('乙');
      expect(faults(await vizprompt.check())).toEqual([]);
    });
    expect(await a.read(`lost+found/${file}`)).toContain('甲');
  });
});

describe('without the merge driver', () => {
  it('git reports a conflict, and repair settles it with nothing lost', async () => {
    const { a, b, root } = await sharedProject({ driver: false });
    const all = [root, ...(await goOn(a, 'カフェ', root)), ...(await goOn(b, 'サーバー', root))];
    expect(await a.merge(b)).toBe(false);
    await a.work(async (vizprompt) => {
      const before = await vizprompt.check();
      expect(before.isHealthy).toBe(false);
      expect(before.findings.map(({ code }) => code)).toContain('merge-conflict');
      const { left } = await vizprompt.repair(before);
      expect(left.filter(({ severity }) => severity !== 'info')).toEqual([]);
      const flow = await vizprompt.getFlow();
      expect(flow.nodes.map(({ id }) => id).toSorted()).toEqual(all.toSorted());
      expect(flow.connections).toHaveLength(6);
      expect(faults(await vizprompt.check())).toEqual([]);
      for (const keyword of ['カフェ', 'サーバー']) {
        expect(await vizprompt.searchNodes({ keywords: [keyword] })).not.toEqual([]);
      }
    });
    await a.commit('解決');
    expect(await b.merge(a)).toBe(true);
    expect(await checked(b)).toEqual([]);
  });

  it('a node that both changed becomes two versions', async () => {
    const { a, b, root } = await sharedProject({ driver: false });
    for (const [clone, response] of [
      [a, '甲の答え\n二行目'],
      [b, '乙の答え 🐈'],
    ] as const) {
      await clone.work((vizprompt) => vizprompt.updateNode(root, { response }));
      await clone.commit(response);
    }
    expect(await a.merge(b)).toBe(false);
    await a.work(async (vizprompt) => {
      await vizprompt.repair(await vizprompt.check());
      expect(faults(await vizprompt.check())).toEqual([]);
      const versions = await vizprompt.getNodeVersions(root);
      expect(versions.map(({ response }) => response).toSorted()).toEqual([
        '乙の答え 🐈',
        '甲の答え\n二行目',
      ]);
    });
  });
});

describe('a project that is not set up for sharing', () => {
  it('is settled too: both took the same next file', async () => {
    const a = await repository();
    await a.work((vizprompt) => vizprompt.createNode({ prompt: '始め' }));
    await a.commit('始め');
    const b = await cloneOf(a, { driver: false });
    for (const [clone, name] of [
      [a, '甲'],
      [b, '乙'],
    ] as const) {
      await clone.work(async (vizprompt) => {
        const node = await vizprompt.createNode({ prompt: name, response: `${name}の答え` });
        expect(node.file).toBe('nodes/00/01.xml');
        await vizprompt.createFlow({ name, alias: 'next' });
      });
      await clone.commit(name);
    }
    expect(await a.merge(b)).toBe(false);
    await a.work(async (vizprompt) => {
      await vizprompt.repair(await vizprompt.check());
      expect(faults(await vizprompt.check())).toEqual([]);
      const { nodes, connections } = await vizprompt.getFlow();
      const prompts = await Promise.all(
        nodes.map(async ({ id }) => (await vizprompt.getNode(id)).prompt),
      );
      expect(prompts.toSorted()).toEqual(['乙', '始め', '甲']);
      expect(connections).toHaveLength(2);
      const flows = await vizprompt.listFlows();
      expect(flows.map(({ name }) => name).toSorted()).toEqual(['main', '乙', '甲']);
      expect(flows.flatMap(({ alias }) => alias ?? []).toSorted()).toEqual([
        'main',
        'next',
        'next-2',
      ]);
    });
  });

  it('numbers its files one after the other', async () => {
    const { vizprompt } = await testProject();
    expect((await vizprompt.createNode({ prompt: 'a' })).file).toBe('nodes/00/00.xml');
    expect((await vizprompt.createNode({ prompt: 'b' })).file).toBe('nodes/00/01.xml');
  });
});

describe('the folder of a clone', () => {
  it('is left for another one when it is full, and stays the same when it is opened again', async () => {
    const { a } = await sharedProject();
    const config = await a.read('config.yaml');
    await a.write('config.yaml', config.replace('_folder: 256', '_folder: 2'));
    const files = [];
    for (let round = 0; round < 5; round++) {
      files.push(await a.work(async (v) => (await v.createNode({ prompt: `${round}` })).file));
    }
    expect(files.map((file) => file.slice(-7))).toEqual([
      '/00.xml',
      '/01.xml',
      '/00.xml',
      '/01.xml',
      '/00.xml',
    ]);
    const folders = new Set(files.map((file) => file.slice(0, -7)));
    expect(folders.size).toBe(3);
    for (const folder of folders) expect(folder).toMatch(/^nodes\/[1-9a-f][0-9a-f]{7}$/);
    expect(await checked(a)).toEqual([]);
  });

  it('is not that of a copy of it, cache and all', async () => {
    const { a } = await sharedProject();
    const first = await a.work((v) => v.createNode({ prompt: 'a' }));
    const copy = join(await temporaryFolder(), 'copy');
    await cp(a.folder, copy, { recursive: true, preserveTimestamps: true });
    await using other = await VizPrompt.open(copy);
    const second = await other.createNode({ prompt: 'b' });
    expect(second.file.slice(0, -7)).not.toBe(first.file.slice(0, -7));
  });

  it('is that of all who write to one clone', async () => {
    const { a } = await sharedProject();
    await using one = await VizPrompt.open(a.folder);
    await using other = await VizPrompt.open(a.folder);
    const nodes = await Promise.all(
      Array.from({ length: 20 }, (_, at) => (at % 2 ? one : other).createNode({ prompt: `${at}` })),
    );
    expect(new Set(nodes.map(({ file }) => file)).size).toBe(20);
    expect(new Set(nodes.map(({ file }) => file.slice(0, -7))).size).toBe(1);
    expect((await one.getFlow()).nodes).toHaveLength(21);
    expect(faults(await one.check())).toEqual([]);
  });
});

describe('init', () => {
  it('does no harm when it is called again, and says where there is no repository', async () => {
    const folder = await temporaryFolder();
    const first = await VizPrompt.init(folder, { git: true });
    expect(first.mergeDriver).toBe('no-repository');
    expect(first.written).toEqual(
      expect.arrayContaining(['config.yaml', 'attachments/.gitignore', '.gitattributes']),
    );
    expect(await VizPrompt.init(folder, { git: true })).toEqual({
      written: [],
      mergeDriver: 'no-repository',
    });
    expect(await readdir(folder)).not.toContain('nodes');
  });

  it('keeps what is in the settings and attributes of a project', async () => {
    const { vizprompt, folder, read, write } = await testProject();
    await vizprompt.createNode({ prompt: 'a' });
    await write('config.yaml', `# 私の設定\n${await read('config.yaml')}`);
    await write('.gitattributes', '*.png binary');
    await VizPrompt.init(folder, { git: true });
    expect(await read('config.yaml')).toMatch(/^# 私の設定\n[^]*\n {2}sharing: git\n/);
    expect(await read('.gitattributes')).toMatch(/^\*\.png binary\n[^]*merge=vizprompt-flow/);
    expect(await VizPrompt.init(folder)).toEqual({ written: [] });
  });
});
