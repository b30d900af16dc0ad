import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ThreadMessage } from '@vizprompt/core';
import { checkThread } from '../support/check-threads.ts';
import { openProject, randomRuns, testProject } from '../support/open-project.ts';
import { steps } from '../support/random-threads.ts';

function message(id: string, role: ThreadMessage['role'], text = id): ThreadMessage {
  return { id, role, parts: [{ type: 'text', text }] };
}

async function filesIn(folder: string): Promise<string[]> {
  return (await readdir(folder)).filter((name) => name.endsWith('.xml'));
}

/** The bytes of the files of a project, but for those that may be deleted. */
async function sizeOf(folder: string): Promise<number> {
  const names = await readdir(folder, { recursive: true });
  const own = names.filter((name) => !name.startsWith('.vizprompt'));
  const sizes = await Promise.all(
    own.map(async (name) => {
      const found = await stat(join(folder, name));
      return found.isFile() ? found.size : 0;
    }),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}

describe('a thread', () => {
  it('is the same tree after any changes, with its head and the order of siblings', async () => {
    const property = fc.asyncProperty(steps, fc.boolean(), checkThread);
    await expect(fc.assert(property, { numRuns: randomRuns(10) })).resolves.toBeUndefined();
  });

  it('holds a question and its answer in one node, and another answer in a sibling', async () => {
    const vizprompt = await openProject();
    const { id } = await vizprompt.createFlow({ name: 'chat' });
    await vizprompt.editThread({ id }, [
      { type: 'append', parentId: null, message: message('u', 'user', '質問') },
    ]);
    const [asked] = (await vizprompt.getFlow({ id })).nodes;
    await vizprompt.editThread({ id }, [
      { type: 'append', parentId: 'u', message: message('a', 'assistant', '回答') },
    ]);
    const flow = await vizprompt.getFlow({ id });
    expect(flow.nodes).toHaveLength(1);
    expect(flow.head).toBe(asked?.id);
    expect(await vizprompt.getNode(asked?.id ?? '')).toMatchObject({
      prompt: '質問',
      response: '回答',
    });
    await vizprompt.editThread({ id }, [
      { type: 'append', parentId: 'u', message: message('b', 'assistant', '別の回答') },
    ]);
    const { nodes, connections } = await vizprompt.getFlow({ id });
    expect({ nodes: nodes.length, connections: connections.length }).toEqual({
      nodes: 2,
      connections: 0,
    });
    const [hit] = await vizprompt.searchNodes({ text: '別の回答' });
    expect(hit?.id).toBe(nodes[1]?.id);
  });

  it('has a message once, however often and by however many it is sent', async () => {
    const { vizprompt, folder } = await testProject();
    const { id } = await vizprompt.createFlow({ name: 'chat' });
    const change = { type: 'append', parentId: null, message: message('u', 'user') } as const;
    await Promise.all(Array.from({ length: 4 }, () => vizprompt.editThread({ id }, [change])));
    expect((await vizprompt.getFlow({ id })).nodes).toHaveLength(1);
    expect(await filesIn(`${folder}/nodes/00`)).toHaveLength(1);
    expect((await vizprompt.check()).findings).toEqual([]);
  });

  it('changes all or nothing', async () => {
    const vizprompt = await openProject();
    const { id } = await vizprompt.createFlow({ name: 'chat' });
    const edit = vizprompt.editThread({ id }, [
      { type: 'append', parentId: null, message: message('u', 'user') },
      { type: 'append', parentId: 'nobody', message: message('a', 'assistant') },
    ]);
    await expect(edit).rejects.toMatchObject({ code: 'invalid-input' });
    await expect(edit).rejects.toThrow("the message 'nobody' is not in the thread");
    expect((await vizprompt.readThread({ id })).messages).toEqual([]);
  });

  it('stores the bytes of a file once, and gives its URL back', async () => {
    const { vizprompt, folder } = await testProject();
    const { id } = await vizprompt.createFlow({ name: 'chat' });
    const uri = `data:image/png;name="a b";base64,${Buffer.alloc(50_000, 7).toString('base64')}`;
    const asked: ThreadMessage = {
      id: 'u',
      role: 'user',
      parts: [{ type: 'file', uri, mediaType: 'image/png', fileName: 'a b.png' }],
    };
    await vizprompt.editThread({ id }, [
      { type: 'append', parentId: null, message: asked },
      ...['a', 'b', 'c'].map((name) => ({
        type: 'append' as const,
        parentId: 'u',
        message: message(name, 'assistant'),
      })),
    ]);
    const { messages } = await vizprompt.readThread({ id });
    expect(messages[0]?.message).toEqual(asked);
    expect(await sizeOf(folder)).toBeLessThan(100_000);
  });

  it('shows what other parts of the SDK made, and continues it', async () => {
    const vizprompt = await openProject();
    const first = await vizprompt.createNode({
      prompt: 'Why?',
      response: 'Because.',
      askedBy: 'Ann',
    });
    await vizprompt.createNode({ prompt: 'And?', response: 'So.' }, { after: first.id });
    const { headId, messages } = await vizprompt.readThread('main');
    expect(messages.map(({ message: { role, parts } }) => [role, parts])).toEqual([
      ['user', [{ type: 'text', text: 'Why?', name: 'Ann' }]],
      ['assistant', [{ type: 'text', text: 'Because.' }]],
      ['user', [{ type: 'text', text: 'And?' }]],
      ['assistant', [{ type: 'text', text: 'So.' }]],
    ]);
    await vizprompt.editThread('main', [
      {
        type: 'append',
        parentId: messages[0]?.message.id ?? null,
        message: message('x', 'assistant'),
      },
    ]);
    const after = await vizprompt.readThread('main');
    expect(after.messages).toHaveLength(5);
    expect(after.messages.find(({ message: { id } }) => id === headId)?.parentId).toBe(
      messages[2]?.message.id,
    );
    expect(await vizprompt.getNode(first.id)).toMatchObject({
      prompt: 'Why?',
      response: 'Because.',
    });
  });

  it('loses merges alone: of several parents the main one counts', async () => {
    const vizprompt = await openProject();
    const a = await vizprompt.createNode({ prompt: 'a', response: 'A' });
    const b = await vizprompt.createNode({ prompt: 'b', response: 'B' }, { after: null });
    const both = await vizprompt.createNode({ prompt: 'c' }, { after: [a.id, b.id] });
    const { messages } = await vizprompt.readThread('main');
    expect(messages.find(({ message: { id } }) => id === `${both.id}:prompt`)?.parentId).toBe(
      `${a.id}:response`,
    );
    await vizprompt.editThread('main', [
      { type: 'append', parentId: `${both.id}:prompt`, message: message('x', 'assistant') },
    ]);
    expect((await vizprompt.getFlow()).connections).toHaveLength(2);
  });

  it('names what is wrong with a change', async () => {
    const vizprompt = await openProject();
    const { id } = await vizprompt.createFlow({ name: 'chat' });
    // @ts-expect-error -- no change
    const wrong = vizprompt.editThread({ id }, [{ type: 'append', message: { id: '' } }]);
    await expect(wrong).rejects.toThrow(/editThread.*a list of changes/s);
    await expect(vizprompt.readThread({ id: 'chat' })).rejects.toMatchObject({
      code: 'flow-not-found',
    });
  });
});
