import { join } from 'node:path';
import { FlowGraph, VizPrompt } from '@vizprompt/core';
import { describe, expect, it } from 'vitest';
import { openProject, record, testProject } from '../support/open-project.ts';

describe('nodes', () => {
  it('represent their whole text when it is replaced', async () => {
    const vizprompt = await openProject();
    const node = await vizprompt.createNode({
      prompt: 'p',
      response: 'abcdef',
      responseParts: [
        { type: 'reasoning', text: 'r' },
        { type: 'text', start: 0, end: 3 },
        { type: 'tool-call', id: '1', tool: 't', input: {} },
        { type: 'text', start: 3, end: 6 },
      ],
    });
    const changed = await vizprompt.updateNode(node.id, { response: 'xy' });
    expect(changed.responseParts).toEqual([
      { type: 'reasoning', text: 'r' },
      { type: 'text', start: 0, end: 2 },
      { type: 'tool-call', id: '1', tool: 't', input: {} },
    ]);
  });

  it('refuse invalid ids and times', async () => {
    const vizprompt = await openProject();
    for (const bad of [{ id: '7' }, { timestamp: 'yesterday' }]) {
      const creating = vizprompt.createNode({ prompt: 'x', ...bad });
      await expect(creating).rejects.toMatchObject({ code: 'invalid-input' });
    }
    await expect(vizprompt.getNode('7')).rejects.toMatchObject({ code: 'node-not-found' });
    await expect(vizprompt.updateNode('7', {})).rejects.toMatchObject({ code: 'node-not-found' });
    expect(await vizprompt.getNodeVersions('7')).toEqual([]);
    expect(await vizprompt.listFlows()).toEqual([]);
  });

  it('need no flow', async () => {
    const vizprompt = await openProject();
    const node = await vizprompt.createNode({ prompt: 'alone' }, { flow: null });
    expect(await vizprompt.listFlows()).toEqual([]);
    await vizprompt.addNodeToFlow('main', node.id);
    await vizprompt.addNodeToFlow('main', node.id);
    expect((await vizprompt.getFlow()).nodes).toEqual([{ index: 1, id: node.id }]);
  });
});

describe('flows', () => {
  it('refuse circles with the way that would be closed', async () => {
    const vizprompt = await openProject();
    const a = await vizprompt.createNode({ prompt: 'a' });
    const b = await vizprompt.createNode({ prompt: 'b' });
    await expect(vizprompt.connectNodes(b.id, a.id)).rejects.toMatchObject({ code: 'cycle' });
    await expect(vizprompt.connectNodes(b.id, a.id)).rejects.toThrow(`${a.id} → ${b.id} → ${a.id}`);
    expect((await vizprompt.getFlow()).connections).toHaveLength(1);
  });

  it('are renamed, and continue from another node', async () => {
    const { heard, on } = record();
    const vizprompt = await openProject({ on });
    const a = await vizprompt.createNode({ prompt: 'a' });
    await vizprompt.createNode({ prompt: 'b' });
    await vizprompt.updateFlow('main', { name: '本線', description: '説明', head: a.id });
    const c = await vizprompt.createNode({ prompt: 'c' });
    const flow = await vizprompt.getFlow();
    expect(flow).toMatchObject({ name: '本線', description: '説明', head: c.id });
    expect(new FlowGraph(flow).parents(c.id)).toEqual([a.id]);
    await expect(vizprompt.updateFlow('main', { head: 'x' })).rejects.toMatchObject({
      code: 'node-not-found',
    });
    expect(heard.filter(([name]) => name === 'flow:updated')).toHaveLength(3);
  });
});

describe('a project', () => {
  it('refuses work once it is closed, and may be closed twice', async () => {
    const vizprompt = await openProject();
    const node = await vizprompt.createNode({ prompt: 'a' });
    await vizprompt.close();
    await vizprompt.close();
    for (const use of [
      () => vizprompt.createNode({ prompt: 'b' }),
      () => vizprompt.getNode(node.id),
      () => vizprompt.searchNodes({}),
      () => vizprompt.getFlow(),
    ]) {
      await expect(use()).rejects.toMatchObject({ code: 'closed' });
    }
  });

  it('lets listeners hear what happens, and leave', async () => {
    const vizprompt = await openProject();
    const heard: string[] = [];
    const stop = vizprompt.on('node:created', ({ node }) => heard.push(node.prompt));
    vizprompt.once('flow:created', ({ flow }) => heard.push(flow.name));
    await vizprompt.createNode({ prompt: 'a' });
    stop();
    await vizprompt.createNode({ prompt: 'b' });
    expect(heard).toEqual(['a', 'main']);
  });

  it('does not take a folder that is a file', async () => {
    const { folder, write } = await testProject();
    await write('file', '');
    await expect(VizPrompt.open(join(folder, 'file'))).rejects.toMatchObject({ code: 'io' });
  });
});
