import { once } from 'node:events';
import { readFile, readdir } from 'node:fs/promises';
import { FlowGraph, VizPrompt } from '@vizprompt/core';
import { openStorage } from '@vizprompt/providers/node';
import { describe, expect, it } from 'vitest';
import { startWriter } from '../support/start-children.ts';
import { temporaryFolder, testProject } from '../support/open-project.ts';

describe('processes that write to one project', () => {
  it('lose no node and break no map', async () => {
    const folder = await temporaryFolder();
    const acknowledged: string[] = [];
    const deleted: string[] = [];
    const children = ['eins', 'zwei'].map((name) =>
      startWriter([folder, name, '15'], (message) => {
        if (message.node) acknowledged.push(message.node);
        if (message.deleted) deleted.push(message.deleted);
      }),
    );
    const codes = await Promise.all(
      children.map(async (child) => {
        const [code]: unknown[] = await once(child, 'exit');
        return code;
      }),
    );
    expect(codes).toEqual([0, 0]);
    expect(acknowledged).toHaveLength(90);
    expect(deleted).toHaveLength(30);

    await using vizprompt = await VizPrompt.open(folder);
    expect(await vizprompt.problems()).toEqual([]);
    const main = await vizprompt.getFlow();
    expect(main.nodes).toHaveLength(30);
    expect(new Set(main.nodes.map(({ index }) => index)).size).toBe(30);
    expect(new FlowGraph(main).lineTo(main.head ?? '')).toHaveLength(30);
    for (const id of acknowledged.filter((other) => !deleted.includes(other))) {
      expect((await vizprompt.getNode(id)).id).toBe(id);
    }
    const map = await readFile(`${folder}/metadata/node_map.tsv`, 'utf8');
    const files = (await readdir(`${folder}/nodes`, { recursive: true })).filter((name) =>
      name.endsWith('.xml'),
    );
    expect(map.trimEnd().split('\n')).toHaveLength(files.length + 1);
  });

  it('see what the others wrote, without opening again', async () => {
    const { vizprompt, folder } = await testProject();
    await using other = await VizPrompt.open(folder);
    const node = await vizprompt.createNode({ prompt: '見える？' });
    expect((await other.getNode(node.id)).prompt).toBe('見える？');
    expect(await other.searchNodes({ text: '見える' })).toHaveLength(1);
    const next = await other.createNode({ prompt: '見えた' });
    expect((await vizprompt.getFlow()).head).toBe(next.id);
    await vizprompt.updateNode(node.id, { prompt: '変えた' });
    expect((await other.getNode(node.id)).prompt).toBe('変えた');
  });

  it('wait for each other, and say so when it takes too long', async () => {
    const { vizprompt, folder } = await testProject({ lockTimeoutMs: 60 });
    await using storage = await openStorage(folder);
    const lock = await storage.files.lock('vizprompt-project');
    const writing = vizprompt.createNode({ prompt: 'x' });
    await expect(writing).rejects.toMatchObject({ code: 'locked' });
    await expect(writing).rejects.toThrow('more than 60 ms');
    await lock.release();
    expect((await vizprompt.createNode({ prompt: 'x' })).file).toBe('nodes/00/00.xml');
  });

  it('do not take a place that a file by hand has taken meanwhile', async () => {
    const { vizprompt, read, write } = await testProject();
    const first = await vizprompt.createNode({ prompt: 'a' });
    const id = 'aaaaaaaa-0000-4000-8000-000000000000';
    await write('nodes/00/01.xml', (await read(first.file)).replace(first.id, id));
    expect((await vizprompt.createNode({ prompt: 'b' })).file).toBe('nodes/00/02.xml');
    expect((await vizprompt.getNode(id)).prompt).toBe('a');
  });

  it('take many calls at once', async () => {
    const { vizprompt } = await testProject();
    const prompts = Array.from({ length: 40 }, (_, at) => `call ${at}`);
    const nodes = await Promise.all(prompts.map((prompt) => vizprompt.createNode({ prompt })));
    expect(new Set(nodes.map(({ file }) => file)).size).toBe(40);
    const flow = await vizprompt.getFlow();
    expect(new FlowGraph(flow).lineTo(flow.head ?? '')).toHaveLength(40);
  });
});
