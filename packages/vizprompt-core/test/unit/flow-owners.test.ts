import type { StoredNode } from '@vizprompt/core';
import { describe, expect, it } from 'vitest';
import { readFlowFile, writeFlowFile } from '../../src/flow/flow-document.ts';
import { mergeFlows } from '../../src/sharing/merge-flows.ts';
import { openProject, testProject } from '../support/open-project.ts';

describe('flows of many people', () => {
  it('have an owner, a source and anything an application stores, in files that git can diff', async () => {
    const project = await testProject();
    const meta = {
      archived: true,
      'a key: #': ['猫', null, 1.5, '\u0000\ud800\u2028'],
      nested: {},
    };
    const { id, file } = await project.vizprompt.createFlow({
      name: 'one',
      owner: 'user: 7',
      source: 'app:1',
      meta,
    });
    expect(await project.read(file)).toContain('\nmeta: {"archived":true,');
    const again = await project.reopen();
    expect(await again.getFlow({ id })).toMatchObject({ owner: 'user: 7', source: 'app:1', meta });
    const [listed] = await again.listFlows();
    expect(listed).toMatchObject({ owner: 'user: 7', source: 'app:1', meta });
    await again.updateFlow(id, { meta: { archived: false } });
    expect((await again.getFlow({ id })).meta).toEqual({ archived: false });
    expect((await again.check()).findings).toEqual([]);
  });

  it('keep what was written by hand', () => {
    const text = [
      '# mine',
      'id: 01a1fe58-b096-7000-b5cc-d327738565c1',
      'name: x',
      'owner: someone',
      'meta:',
      '  archived: true # for now',
      'nodes: []',
      'connections: []',
      '',
    ].join('\n');
    const read = readFlowFile('flows/00/00.yaml', text);
    expect(read.flow).toMatchObject({ owner: 'someone', meta: { archived: true } });
    expect(writeFlowFile(read)).toContain('  archived: true # for now');
    const changed = writeFlowFile({ ...read, flow: { ...read.flow, meta: { archived: false } } });
    expect(readFlowFile('x', changed).flow.meta).toEqual({ archived: false });
    expect(() => readFlowFile('x', text.replace('  archived: true', '  - a'))).toThrow(
      /'meta' is no map/,
    );
  });

  it('are merged key by key', async () => {
    const vizprompt = await openProject();
    const {
      file: _file,
      version: _version,
      ...flow
    } = await vizprompt.createFlow({
      name: 'x',
      meta: { a: 1, b: 1, c: 1 },
    });
    const [ours, theirs] = [
      { ...flow, meta: { a: 2, b: 1 } },
      { ...flow, meta: { a: 1, b: 1, c: 1, d: 1 }, owner: 'o' },
    ];
    const merged = mergeFlows({ base: flow, ours, theirs });
    expect(merged.conflicts).toEqual([]);
    expect(merged.flow).toMatchObject({ owner: 'o', meta: { a: 2, b: 1, d: 1 } });
    const clash = { ...flow, meta: { a: 3 } };
    expect(mergeFlows({ base: flow, ours, theirs: clash }).conflicts).toEqual(['meta']);
  });

  it('are listed by owner and time, a page at a time', async () => {
    let now = Date.parse('2026-01-01T00:00:00Z');
    const vizprompt = await openProject({ clock: () => new Date((now += 60_000)) });
    for (const at of Array.from({ length: 7 }, (_, place) => place)) {
      await vizprompt.createFlow({ name: `f${at}`, owner: at % 2 === 0 ? 'even' : 'odd' });
    }
    await vizprompt.createFlow({ name: 'nobody' });
    await vizprompt.updateFlow('f2', { description: 'changed' });
    const query = { owner: 'even', order: 'updated', limit: 2 } as const;
    const first = await vizprompt.listFlows(query);
    const second = await vizprompt.listFlows({ ...query, after: first.at(-1) });
    const third = await vizprompt.listFlows({ ...query, after: second.at(-1) });
    expect([first, second, third].map((page) => page.map(({ name }) => name))).toEqual([
      ['f2', 'f6'],
      ['f4', 'f0'],
      [],
    ]);
    expect((await vizprompt.listFlows({ owner: null })).map(({ name }) => name)).toEqual([
      'nobody',
    ]);
    const all = await vizprompt.listFlows({ order: 'updated' });
    const border = all[2]?.updated;
    const newer = await vizprompt.listFlows({ updatedAfter: border, order: 'updated' });
    expect(newer.map(({ name }) => name)).toEqual(all.slice(0, 3).map(({ name }) => name));
    const older = await vizprompt.listFlows({ updatedBefore: border });
    expect(older).toHaveLength(all.length - 3);
    await expect(vizprompt.listFlows({ after: all[0] })).rejects.toMatchObject({
      code: 'invalid-input',
    });
  });

  it('are found by an id that is never taken for another name', async () => {
    const vizprompt = await openProject();
    const main = await vizprompt.createFlow({ name: 'name', alias: 'main' });
    expect((await vizprompt.getFlow({ id: main.id })).id).toBe(main.id);
    for (const id of ['main', 'name', main.file, '', '00/00', '../x', '\ud800']) {
      await expect(vizprompt.getFlow({ id })).rejects.toMatchObject({ code: 'flow-not-found' });
    }
  });

  it('are created once by their alias, also by several at once', async () => {
    const vizprompt = await openProject();
    const ensure = { alias: 'discord:1', name: 'general', owner: 'guild' };
    const made = await Promise.all(Array.from({ length: 4 }, () => vizprompt.ensureFlow(ensure)));
    expect(new Set(made.map(({ id }) => id)).size).toBe(1);
    expect(await vizprompt.ensureFlow({ ...ensure, name: 'other' })).toMatchObject({
      name: 'general',
    });
    expect(await vizprompt.listFlows()).toHaveLength(1);
    await expect(vizprompt.ensureFlow({ name: 'x' })).rejects.toThrow('ensureFlow');
  });

  it('are the ones whose file is there, though the process that wrote it died before it indexed it', async () => {
    const dead = await testProject();
    const { id, file } = await dead.vizprompt.createFlow({ name: 'of a dead process' });
    const { vizprompt, write } = await testProject();
    await vizprompt.listFlows();
    await write(file, await dead.read(file));
    expect(await vizprompt.ensureFlow({ id, name: 'x' })).toMatchObject({
      id,
      name: 'of a dead process',
    });
  });

  it('may have no head, so that the next node begins a new line', async () => {
    const project = await testProject();
    const { vizprompt } = project;
    await vizprompt.createNode({ prompt: 'one' });
    const { id, file } = await vizprompt.updateFlow('main', { head: null });
    expect(await project.read(file)).toContain('\nhead: ""\n');
    const again = await project.reopen();
    expect(await again.getFlow({ id })).not.toHaveProperty('head');
    await again.createNode({ prompt: 'two' });
    expect((await again.getFlow({ id })).connections).toEqual([]);
    expect((await again.check()).findings).toEqual([]);
  });
});

describe('a node that comes again', () => {
  it('is one node and one file by its id or its source', async () => {
    const vizprompt = await openProject();
    const create = (prompt: string): Promise<StoredNode> =>
      vizprompt.createNode({ prompt, source: 'discord:42' }, { ifExists: 'keep' });
    const made = await Promise.all(['a', 'a', 'a', 'b'].map(create));
    for (const node of made) expect(node).toEqual(made[0]);
    expect((await vizprompt.getFlow()).nodes).toHaveLength(1);
    const [{ id } = { id: '' }] = (await vizprompt.getFlow()).nodes;
    expect(await vizprompt.getNodeVersions(id)).toHaveLength(1);
    await expect(vizprompt.createNode({ prompt: 'x' }, { ifExists: 'keep' })).rejects.toMatchObject(
      { code: 'invalid-input' },
    );
  });
});
