import { rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { VizPrompt, type VizPromptEvents } from '@vizprompt/core';
import { describe, expect, it, onTestFinished } from 'vitest';
import { storageAt, testProject } from '../support/open-project.ts';

const NAMES = [
  'node:created',
  'node:updated',
  'node:deleted',
  'flow:created',
  'flow:updated',
  'flow:deleted',
] as const;

/** Writes down the events of a project: the name, and the prompt, the name of the flow, or the id. */
function listenTo(vizprompt: VizPrompt): string[] {
  const heard: string[] = [];
  for (const name of NAMES) {
    vizprompt.on(name, (payload: VizPromptEvents[typeof name]) => {
      const what =
        'node' in payload
          ? payload.node.prompt
          : 'flow' in payload
            ? payload.flow.name
            : payload.id;
      heard.push(`${name} ${what}`);
    });
  }
  return heard;
}

/** Another one that works on the project, with an index of its own process. */
async function somebodyElse(folder: string): Promise<VizPrompt> {
  const storage = await storageAt(folder);
  const other = await VizPrompt.open({ storage });
  onTestFinished(async () => {
    await other.close();
    await storage.close();
  });
  return other;
}

/**
 * Resolves when a watched project has reported a write of another one that happens now: it has reported earlier writes,
 * if it ever does.
 */
async function untilTold(heard: string[], other: VizPrompt): Promise<void> {
  await other.createNode({ prompt: '印' }, { flow: null });
  await expect.poll(() => heard).toContain('node:created 印');
}

describe('a project that is watched', () => {
  it('reports what another process creates, changes and deletes, and not what is there already', async () => {
    const { vizprompt, folder } = await testProject();
    await vizprompt.createNode({ prompt: '前から' });
    const heard = listenTo(vizprompt);
    await vizprompt.watch({ pollMs: 10 });
    const other = await somebodyElse(folder);
    const { id } = await other.createNode({ prompt: '新しい😀' });
    // A scan between the two files reports the flow first.
    await expect
      .poll(() => heard.toSorted())
      .toEqual(['flow:updated main', 'node:created 新しい😀']);
    await other.updateNode(id, { response: 'はい' });
    await expect.poll(() => heard.slice(2)).toEqual(['node:updated 新しい😀']);
    await other.createFlow({ name: '別の流れ' });
    await expect.poll(() => heard.slice(3)).toEqual(['flow:created 別の流れ']);
    await other.deleteNode(id);
    await expect
      .poll(() => heard.slice(4).toSorted())
      .toEqual(['flow:updated main', `node:deleted ${id}`]);
    const flow = await other.getFlow('別の流れ');
    await other.deleteFlow(flow.id);
    await expect.poll(() => heard.slice(6)).toEqual([`flow:deleted ${flow.id}`]);
  });

  it('reports what it writes itself once, while others write too', async () => {
    const { vizprompt, folder } = await testProject();
    const heard = listenTo(vizprompt);
    await vizprompt.watch({ pollMs: 5 });
    const other = await somebodyElse(folder);
    const write = async (writer: VizPrompt, name: string): Promise<void> => {
      for (let at = 1; at <= 20; at++) await writer.createNode({ prompt: `${name} ${at}` });
    };
    await Promise.all([write(vizprompt, '自分'), write(other, '他人')]);
    const expected = Array.from({ length: 20 }, (_, at) => [`自分 ${at + 1}`, `他人 ${at + 1}`]);
    const created = (): string[] =>
      heard.flatMap((line) => /^node:created (.*)/.exec(line)?.[1] ?? []);
    await expect.poll(() => created().toSorted()).toEqual(expected.flat().toSorted());
    await untilTold(heard, other);
    expect(created()).toHaveLength(41);
    expect(heard.filter((line) => line.startsWith('node:updated'))).toEqual([]);
    // The index that both share knows what the files hold.
    // All that can be said is that the last node is in no flow.
    expect((await vizprompt.check()).findings).toMatchObject([{ code: 'orphan' }]);
  });

  it('reports when another process removes its own creation', async () => {
    const { vizprompt, folder } = await testProject();
    await vizprompt.watch({ pollMs: 10 });
    const other = await somebodyElse(folder);
    const heard = listenTo(vizprompt);
    const { id } = await vizprompt.createNode({ prompt: '一' });
    await other.deleteNode(id);
    await expect
      .poll(() => heard.slice(2).toSorted())
      .toEqual(['flow:updated main', `node:deleted ${id}`]);
    expect(heard.slice(0, 2)).toEqual(['node:created 一', 'flow:created main']);
  });

  it('reports the same of imports, edits and undo of its own as an unwatched one', async () => {
    const told: string[][] = [];
    for (const isWatched of [false, true]) {
      const { vizprompt, folder } = await testProject();
      const heard = listenTo(vizprompt);
      if (isWatched) await vizprompt.watch({ pollMs: 5 });
      const { id } = await vizprompt.createNode({ prompt: '一' });
      await vizprompt.createNode({ prompt: '二' });
      await vizprompt.importConversations([{ role: 'user', content: '三' }]);
      await vizprompt.deleteNode(id);
      await vizprompt.structure.undo();
      await vizprompt.build({ model: null });
      if (isWatched) await untilTold(heard, await somebodyElse(folder));
      told.push(heard.filter((line) => !line.endsWith('印')).map((line) => line.replace(id, '一')));
    }
    expect(told[1]).toEqual(told[0]);
  });

  it('reports files that are moved, changed or removed by hand', async () => {
    const { vizprompt, folder, read, write } = await testProject();
    const { id, file } = await vizprompt.createNode({ prompt: '手で' }, { flow: null });
    const heard = listenTo(vizprompt);
    await vizprompt.watch({ pollMs: 10 });
    await write(file, (await read(file)).replace('手で', 'エディタで'));
    await expect.poll(() => heard).toEqual(['node:updated エディタで']);
    await rename(join(folder, file), join(folder, 'nodes/00/a0.xml'));
    await expect.poll(() => heard.slice(1)).toEqual(['node:updated エディタで']);
    await write('nodes/00/a1.xml', '<node');
    await rm(join(folder, 'nodes/00/a0.xml'));
    await expect.poll(() => heard.slice(2)).toEqual([`node:deleted ${id}`]);
  });

  it('is watched until the watch or the project ends, and not with pauses that make no sense', async () => {
    const { vizprompt, folder } = await testProject();
    for (const pollMs of [0, -1, 1.5, Number.NaN]) {
      await expect(vizprompt.watch({ pollMs })).rejects.toMatchObject({ code: 'invalid-input' });
    }
    const heard = listenTo(vizprompt);
    const watch = await vizprompt.watch({ pollMs: 5 });
    await watch[Symbol.asyncDispose]();
    const [other, witness] = [await somebodyElse(folder), await somebodyElse(folder)];
    await witness.watch({ pollMs: 5 });
    await other.createNode({ prompt: '後で' });
    await untilTold(listenTo(witness), other);
    expect(heard).toEqual([]);
    await vizprompt.watch({ pollMs: 5 });
    await vizprompt.close();
    await other.createNode({ prompt: '閉じた後' });
    await untilTold(listenTo(witness), other);
    expect(heard).toEqual([]);
    await expect(vizprompt.watch()).rejects.toMatchObject({ code: 'closed' });
  });
});
