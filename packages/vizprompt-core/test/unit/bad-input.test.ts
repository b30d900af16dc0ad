import { VizPrompt, type NewNode, type NodePatch } from '@vizprompt/core';
import { inMemoryStorage } from '@vizprompt/providers/node';
import { describe, expect, it } from 'vitest';
import { branched } from '../fixtures/chatgpt.ts';
import { openProject, record, temporaryFolder } from '../support/open-project.ts';
import type { ExportFormat } from '../../src/export/export-options.ts';

const refused = { code: 'invalid-input' };

describe('a node that its file could not say', () => {
  const bad: readonly (readonly [Partial<NewNode>, RegExp])[] = [
    [{ status: 'weird' as 'done' }, /status: 'weird' is none of pending, done, failed, aborted/],
    [{ tags: ['a', ''] }, /tags: '' is empty/],
    [
      { stats: { user: { count: -1, duration: 0, rate: 0 } } },
      /stats\.user\.count: '-1' is no number/,
    ],
    [
      { stats: { assistant: { count: 1, duration: Number.NaN, rate: 0 } } },
      /stats\.assistant\.duration: 'NaN'/,
    ],
    [
      { responseParts: [{ type: 'text', start: 0, end: 3 }] },
      /responseParts: '0 to 3' is not within the text of 2/,
    ],
    [
      { prompt: null as unknown as string },
      /the option 'prompt' of the node of createNode: expected a string, got null/,
    ],
  ];
  it.each(bad)('is refused: %j', async (fields, message) => {
    const vizprompt = await openProject();
    const node = { prompt: 'a', response: 'bc', ...fields };
    await expect(vizprompt.createNode(node)).rejects.toThrow(message);
    await expect(vizprompt.createNode(node)).rejects.toMatchObject(refused);
    expect(await vizprompt.searchNodes({})).toEqual([]);
  });

  it('is refused as a change, too', async () => {
    const vizprompt = await openProject();
    const { id } = await vizprompt.createNode({ prompt: 'a' });
    const patch = { tags: [''] } satisfies NodePatch;
    await expect(vizprompt.updateNode(id, patch)).rejects.toMatchObject(refused);
  });

  it('is no matter of a field that is undefined: it is absent', async () => {
    const vizprompt = await openProject();
    const absent = { response: undefined, model: undefined } as unknown as Partial<NewNode>;
    const node = await vizprompt.createNode({ prompt: 'a', ...absent });
    expect(node.response).toBe('');
    const patch = { prompt: 'b', response: undefined } as unknown as NodePatch;
    expect(await vizprompt.updateNode(node.id, patch)).toMatchObject({ prompt: 'b', response: '' });
  });
});

describe('other arguments that make no sense', () => {
  it('are refused, with what there is', async () => {
    const vizprompt = await openProject();
    const { id } = await vizprompt.createNode({ prompt: 'a' });
    await expect(vizprompt.createFlow({ name: 'x', id: 'q' })).rejects.toThrow("the id 'q'");
    await expect(vizprompt.createFlow({ name: ' ' })).rejects.toThrow('the name of a flow');
    await expect(vizprompt.updateFlow('main', { alias: '' })).rejects.toThrow('the alias of a');
    for (const limit of [0, -1, 1.5, Number.NaN]) {
      await expect(vizprompt.searchNodes({ limit })).rejects.toMatchObject(refused);
    }
    const format = 'pdf' as ExportFormat;
    await expect(vizprompt.exportFlow('main', { format })).rejects.toThrow(
      /^'pdf' is no format: there are mermaid, dot, .*openai/,
    );
    await expect(vizprompt.importConversations([], { format: 'pdf' as 'claude' })).rejects.toThrow(
      "'pdf' is no format: there are vizprompt, chatgpt, ",
    );
    await expect(
      vizprompt.importConversations([], { format: 'chatgtp' as 'claude' }),
    ).rejects.toThrow("'chatgtp' is no format: is 'chatgpt' meant? there are vizprompt, ");
    for (const after of [id, [id]]) {
      await expect(
        vizprompt.createNode({ prompt: 'b' }, { flow: null, after }),
      ).rejects.toMatchObject(refused);
    }
  });

  it('are distinguished where several flows have one name', async () => {
    const vizprompt = await openProject();
    await vizprompt.createFlow({ name: '相談' });
    await vizprompt.createFlow({ name: '相談' });
    await expect(vizprompt.getFlow('相談')).rejects.toThrow(
      "2 flows are called '相談': name one by its file or its id: flows/00/00.yaml, flows/00/01.yaml",
    );
  });
});

describe('opening', () => {
  it('makes no project where none is to be made', async () => {
    const folder = await temporaryFolder();
    const opening = VizPrompt.open(folder, { create: false });
    await expect(opening).rejects.toMatchObject({ code: 'project-not-found' });
    const storage = await inMemoryStorage();
    await expect(VizPrompt.open({ storage, create: false })).rejects.toMatchObject({
      code: 'project-not-found',
    });
    await (await VizPrompt.open(folder)).close();
    await (await VizPrompt.open(folder, { create: false })).close();
    await storage.close();
  });

  it('takes its options next to a storage, too', async () => {
    const storage = await inMemoryStorage();
    const { heard, on } = record();
    const vizprompt = await VizPrompt.open({ storage }, { on });
    await vizprompt.createNode({ prompt: 'a' });
    expect(heard.map(([name]) => name)).toContain('node:created');
    await vizprompt.close();
    await storage.close();
  });
});

describe('continuing from a node', () => {
  it('means the flow that the node is in', async () => {
    const { heard, on } = record();
    const vizprompt = await openProject({ on });
    await vizprompt.importConversations([branched().export()]);
    const [hit] = await vizprompt.searchNodes({ limit: 1 });
    const [flow] = await vizprompt.listFlows();
    expect(hit?.flows).toEqual([flow?.id]);
    expect(heard.filter(([name]) => name === 'node:created')).toHaveLength(flow?.nodes ?? 0);
    expect(heard.filter(([name]) => name === 'flow:created')).toHaveLength(1);

    const branch = await vizprompt.createBranch(hit?.id ?? '', { prompt: '枝' });
    expect((await vizprompt.getFlow(flow?.id)).head).toBe(branch.id);
    await vizprompt.createFlow({ name: 'other' });
    await vizprompt.addNodeToFlow('other', hit?.id ?? '', { after: null });
    await expect(vizprompt.createBranch(hit?.id ?? '', { prompt: '枝' })).rejects.toThrow(
      "is in several flows, so say which by 'flow'",
    );
  });

  it('connects once to each parent, however often it is named', async () => {
    const vizprompt = await openProject();
    const a = await vizprompt.createNode({ prompt: 'a' });
    await vizprompt.createNode({ prompt: 'b' }, { after: [a.id, a.id] });
    expect((await vizprompt.getFlow()).connections).toHaveLength(1);
  });
});
