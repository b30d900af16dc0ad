import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { FlowGraph } from '@vizprompt/core';
import { describe, expect, it } from 'vitest';
import { record, testProject } from '../support/open-project.ts';

describe('nodes', () => {
  it('continue in a straight line in the main flow, which is made on first use', async () => {
    const { vizprompt } = await testProject();
    const first = await vizprompt.createNode({ prompt: '質問', response: '回答' });
    const second = await vizprompt.createNode({ prompt: '続き' });
    const main = await vizprompt.getFlow();
    expect(main).toMatchObject({ name: 'main', alias: 'main', head: second.id });
    expect(main.connections).toEqual([{ from: first.id, to: second.id }]);
    expect(await vizprompt.getNode(first.id)).toEqual(first);
    expect(second).toMatchObject({
      prompt: '続き',
      response: '',
      tags: [],
      file: 'nodes/00/01.xml',
    });
    expect(second.summary).toEqual({ text: '', isOutdated: true });
  });

  it('keep everything they are given', async () => {
    const { vizprompt, folder } = await testProject();
    const node = await vizprompt.createNode({
      prompt: 'これは何？',
      response: '猫です。',
      model: 'gpt-4',
      tags: ['猫', 'cat'],
      stats: { assistant: { count: 4, duration: 0.5, rate: 8 } },
      status: 'done',
      speaker: 'A',
      responseParts: [{ type: 'reasoning', text: '耳がある' }],
      attachments: [
        { data: Buffer.from('png'), mediaType: 'image/png', fileName: '猫.png' },
        { data: Buffer.from('png'), mediaType: 'image/png' },
      ],
      timestamp: '2025-05-09T06:48:06.533720+09:00',
      id: '018f2c1e-7b1a-7c3d-8e4f-0123456789ab',
    });
    expect(await vizprompt.getNode(node.id)).toEqual(node);
    const [attached, same] = node.promptParts;
    expect(attached).toMatchObject({ type: 'file', fileName: '猫.png', size: 3 });
    expect(attached).toHaveProperty('path', (same as { path?: string }).path);
    expect(readdirSync(join(folder, 'attachments'))).toContain('.gitignore');
  });

  it('change in their file, and are then outdated', async () => {
    const { heard, on } = record();
    const { vizprompt } = await testProject({ on });
    const node = await vizprompt.createNode({ prompt: '古い', response: 'x', tags: ['a'] });
    await vizprompt.buildSummary(node.id);
    expect((await vizprompt.getNode(node.id)).summary.isOutdated).toBe(false);
    await vizprompt.updateNode(node.id, { tags: ['b'] });
    expect((await vizprompt.getNode(node.id)).summary.isOutdated).toBe(false);
    const changed = await vizprompt.updateNode(node.id, { prompt: '新しい', status: 'done' });
    expect(changed).toMatchObject({ prompt: '新しい', response: 'x', tags: ['b'], status: 'done' });
    expect(changed.summary.isOutdated).toBe(true);
    expect(changed.file).toBe(node.file);
    expect((await vizprompt.getNode(node.id)).prompt).toBe('新しい');
    await vizprompt.buildSummary(node.id);
    expect(await vizprompt.searchNodes({ text: '古い' })).toEqual([]);
    const own = await vizprompt.updateNode(node.id, { summary: '自分の要約' });
    expect(own.summary).toMatchObject({ text: '自分の要約', isOutdated: false });
    expect(heard.filter(([name]) => name === 'node:updated')).toHaveLength(5);
  });

  it('leave all flows when they are deleted, their parents joined to their children', async () => {
    const { heard, on } = record();
    const { vizprompt } = await testProject({ on });
    const nodes = [];
    for (const prompt of ['a', 'b', 'c']) nodes.push(await vizprompt.createNode({ prompt }));
    const [a, b, c] = nodes.map(({ id }) => id);
    await vizprompt.createFlow({ name: 'another', alias: 'other' });
    await vizprompt.addNodeToFlow('other', b ?? '');
    await vizprompt.deleteNode(b ?? '');
    expect((await vizprompt.getFlow()).connections).toEqual([{ from: a, to: c }]);
    expect((await vizprompt.getFlow('other')).nodes).toEqual([]);
    await expect(vizprompt.getNode(b ?? '')).rejects.toMatchObject({ code: 'node-not-found' });
    expect(heard.filter(([name]) => name === 'node:deleted')).toHaveLength(1);

    await vizprompt.deleteNode(a ?? '', { join: false });
    expect((await vizprompt.getFlow()).connections).toEqual([]);
    await expect(vizprompt.deleteNode(a ?? '')).rejects.toThrow(`there is no node ${a}`);
  });
});

describe('flows', () => {
  it('branch and merge, with names', async () => {
    const { vizprompt } = await testProject();
    const root = await vizprompt.createNode({ prompt: 'root' });
    const left = await vizprompt.createNode({ prompt: 'left' });
    const right = await vizprompt.createBranch(
      root.id,
      { prompt: 'right' },
      { branchName: '別案' },
    );
    const merge = await vizprompt.createNode({ prompt: 'both' }, { after: [left.id, right.id] });
    const flow = await vizprompt.getFlow();
    expect(flow.connections).toEqual([
      { from: root.id, to: left.id },
      { from: root.id, to: right.id, branch: '別案' },
      { from: left.id, to: merge.id },
      { from: right.id, to: merge.id },
    ]);
    expect(new FlowGraph(flow).parents(merge.id)).toEqual([left.id, right.id]);
    const again = await vizprompt.connectNodes(root.id, left.id, { branchName: '本線' });
    expect(again.connections[0]).toEqual({ from: root.id, to: left.id, branch: '本線' });
  });

  it('are called by id, alias, file or name', async () => {
    const { vizprompt } = await testProject();
    const flow = await vizprompt.createFlow({ name: '設計の相談', alias: 'design' });
    for (const name of [
      flow.id,
      'design',
      'flows/00/00.yaml',
      '00/00.yaml',
      '00/00',
      '設計の相談',
    ]) {
      expect((await vizprompt.getFlow(name)).id).toBe(flow.id);
    }
    await expect(vizprompt.getFlow('nowhere')).rejects.toThrow(
      "there is no flow 'nowhere'; there are: design",
    );
    for (const taken of [{ alias: 'design' }, { id: flow.id }]) {
      await expect(vizprompt.createFlow({ name: 'x', ...taken })).rejects.toMatchObject({
        code: 'exists',
      });
    }
    expect(await vizprompt.listFlows()).toHaveLength(1);
    await vizprompt.updateFlow('design', { alias: 'design', name: '設計の相談' });
    await expect(vizprompt.createNode({ prompt: 'x' }, { flow: 'nowhere' })).rejects.toMatchObject({
      code: 'flow-not-found',
    });
    await expect(
      vizprompt.createNode({ prompt: 'x' }, { flow: 'design', after: flow.id }),
    ).rejects.toMatchObject({ code: 'node-not-found' });
  });

  it('are rebuilt as a line, disconnected, and left by nodes that stay', async () => {
    const { vizprompt } = await testProject();
    const ids: string[] = [];
    for (const prompt of ['a', 'b', 'c']) ids.push((await vizprompt.createNode({ prompt })).id);
    const [a = '', b = '', c = ''] = ids;
    const line = await vizprompt.rebuildFlow('main', [c, a]);
    expect(line.connections).toEqual([{ from: c, to: a }]);
    expect(line.nodes.map(({ id }) => id)).toEqual([c, a]);
    const cut = await vizprompt.disconnectNodes(c, a);
    expect(cut.connections).toEqual([]);
    const { undo } = await vizprompt.structure.history();
    // A change to the present value is not an edit.
    expect(await vizprompt.disconnectNodes(c, a)).toEqual(cut);
    expect(await vizprompt.addNodeToFlow('main', a)).toEqual(cut);
    expect((await vizprompt.structure.history()).undo).toEqual(undo);
    expect((await vizprompt.removeNodeFromFlow('main', a)).nodes).toHaveLength(1);
    expect((await vizprompt.getNode(a)).prompt).toBe('a');
    expect((await vizprompt.getNode(b)).prompt).toBe('b');
    await expect(vizprompt.rebuildFlow('main', [a, '9'])).rejects.toThrow('there is no node 9');
  });

  it('are deleted, their nodes stay', async () => {
    const { vizprompt } = await testProject();
    const node = await vizprompt.createNode({ prompt: 'a' });
    await vizprompt.deleteFlow('main');
    expect(await vizprompt.listFlows()).toEqual([]);
    expect(await vizprompt.getNode(node.id)).toBeTruthy();
    const next = await vizprompt.createNode({ prompt: 'b' });
    expect((await vizprompt.getFlow()).nodes).toEqual([{ index: 1, id: next.id }]);
  });
});
