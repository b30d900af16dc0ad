import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, brotliDecompressSync } from 'node:zlib';
import { VizPrompt } from '@vizprompt/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  edit,
  expectFreshIndex,
  expectInvariants,
  flowBytes,
  randomEdit,
  seed,
} from '../support/random-edits.ts';
import {
  openProject,
  randomRuns,
  record,
  storageAt,
  temporaryFolder,
  testProject,
} from '../support/open-project.ts';

describe('undo and redo', () => {
  it('bring back the bytes of all flow files after any sequence of edits, and keep all invariants', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(randomEdit, { minLength: 1, maxLength: 10 }), async (edits) => {
        const folder = await temporaryFolder();
        await using storage = await storageAt(folder);
        await using vizprompt = await VizPrompt.open({ storage });
        await seed(vizprompt);
        const nodes = (await vizprompt.searchNodes({ limit: 100 })).map(({ id }) => id);
        const states = [flowBytes(folder)];
        for (const one of edits) {
          await edit(vizprompt, one);
          await expectInvariants(vizprompt);
          const steps = (await vizprompt.structure.history()).undo.length;
          states.splice(steps, states.length, flowBytes(folder));
        }
        const { undo } = await vizprompt.structure.history();
        expect(states).toHaveLength(undo.length + 1);
        for (let at = undo.length - 1; at >= 0; at--) {
          expect((await vizprompt.structure.undo())?.step.id).toBe(undo[at]?.id);
          expect(flowBytes(folder)).toEqual(states[at]);
          await expectInvariants(vizprompt);
        }
        expect(await vizprompt.structure.undo()).toBeUndefined();
        const left = (await vizprompt.searchNodes({ limit: 100 })).map(({ id }) => id);
        expect(left.toSorted()).toEqual(nodes.toSorted());
        await expectFreshIndex(vizprompt, folder);
        for (let at = 1; at < states.length; at++) {
          await vizprompt.structure.redo();
          expect(flowBytes(folder)).toEqual(states[at]);
          await expectInvariants(vizprompt);
        }
        expect(await vizprompt.structure.redo()).toBeUndefined();
        await expectFreshIndex(vizprompt, folder);
      }),
      { numRuns: randomRuns(4) },
    );
  });

  it('leave flows in memory as others read them from the files, field by field', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(randomEdit, { minLength: 1, maxLength: 6 }), async (edits) => {
        const folder = await temporaryFolder();
        await using storage = await storageAt(folder);
        await using vizprompt = await VizPrompt.open({ storage });
        const flows = async (project: VizPrompt): Promise<string> => {
          const ids = (await project.listFlows()).map(({ id }) => id);
          return JSON.stringify(await Promise.all(ids.map((id) => project.getFlow(id))));
        };
        const expectSame = async (): Promise<void> => {
          await using reader = await VizPrompt.open({ storage, lock: 'read-only' });
          expect(await flows(vizprompt)).toBe(await flows(reader));
        };
        await vizprompt.createNode({ prompt: '最初', response: 'ひとつ' });
        await expectSame();
        await seed(vizprompt);
        for (const one of edits) await edit(vizprompt, one);
        await expectSame();
        await vizprompt.structure.undo();
        await expectSame();
      }),
      { numRuns: randomRuns(4) },
    );
  });

  it('work after a restart, bring back comments, and emit events', async () => {
    const project = await testProject();
    await seed(project.vizprompt);
    const plain = await project.read('flows/00/00.yaml');
    const byHand = plain
      .replace('nodes:\n', '# 手で書いた注釈 🖋️\ncustom: "残る"   # x\nnodes:\n')
      .replaceAll('\n', '\r\n');
    await project.write('flows/00/00.yaml', byHand);
    await project.reopen();
    const flow = await project.vizprompt.getFlow();
    await project.vizprompt.structure.prune(flow.nodes[1]?.id ?? '');
    const pruned = await project.read('flows/00/00.yaml');
    expect(pruned).toContain('# 手で書いた注釈 🖋️');
    const { heard, on } = record();
    const again = await project.reopen({ on });
    expect((await again.structure.history()).undo).toMatchObject([
      { label: 'prune', flows: [flow.id] },
    ]);
    const undone = await again.structure.undo();
    expect(undone).toMatchObject({ step: { label: 'prune' }, flows: [{ id: flow.id }] });
    expect(await project.read('flows/00/00.yaml')).toBe(byHand);
    expect(heard.map(([name]) => name)).toContain('flow:updated');
    await (await project.reopen()).structure.redo();
    expect(await project.read('flows/00/00.yaml')).toBe(pruned);
  });

  it('never delete a node that was edited since, and never write over one', async () => {
    const vizprompt = await openProject();
    await seed(vizprompt);
    const flow = await vizprompt.getFlow();
    const [first, , third] = flow.nodes.map(({ id }) => id);
    const { node } = await vizprompt.structure.mergeByStructure(
      [flow.nodes[3]?.id ?? '', third ?? ''],
      { prompt: '合流' },
    );
    await vizprompt.updateNode(node.id, { response: '書き足した' });
    await vizprompt.structure.undo();
    expect((await vizprompt.getFlow()).nodes).toHaveLength(7);
    expect((await vizprompt.getNode(node.id)).response).toBe('書き足した');
    await vizprompt.structure.redo();
    expect((await vizprompt.getNode(node.id)).response).toBe('書き足した');
    expect(await vizprompt.getNodeVersions(node.id)).toHaveLength(1);

    // The last file: the place is taken by another node as soon as it is free.
    await vizprompt.deleteNode(node.id);
    const other = await vizprompt.createNode({ prompt: '同じ場所' }, { flow: null });
    await vizprompt.structure.undo();
    expect((await vizprompt.getNode(node.id)).response).toBe('書き足した');
    expect((await vizprompt.getNode(other.id)).prompt).toBe('同じ場所');
    expect(await vizprompt.problems()).toEqual([]);
    expect((await vizprompt.getNode(first ?? '')).id).toBe(first);
  });

  it('are bounded, off on request, and kept from git', async () => {
    const project = await testProject({ undoSteps: 3 });
    await seed(project.vizprompt);
    for (const name of ['一', '二', '三', '四', '五']) {
      await project.vizprompt.updateFlow('main', { name });
    }
    const { undo } = await project.vizprompt.structure.history();
    expect(undo).toHaveLength(3);
    expect(await project.read('history/.gitignore')).toBe('*\n');
    expect(readdirSync(join(project.folder, 'history'))).toHaveLength(5);
    for (let at = 0; at < 3; at++) await project.vizprompt.structure.undo();
    expect((await project.vizprompt.getFlow()).name).toBe('二');

    const off = await testProject({ undoSteps: 0 });
    await off.vizprompt.createFlow({ name: 'x' });
    expect(existsSync(join(off.folder, 'history'))).toBe(false);
  });

  it('take a damaged history for none, and say so of a damaged step', async () => {
    const project = await testProject();
    await seed(project.vizprompt);
    await project.vizprompt.updateFlow('main', { name: '二' });
    const [step] = (await project.vizprompt.structure.history()).undo;
    await project.write(`history/${step?.id}.json.br`, 'x');
    await expect(project.vizprompt.structure.undo()).rejects.toMatchObject({ code: 'conflict' });
    await project.write('history/stack.json', '{');
    expect(await project.vizprompt.structure.undo()).toBeUndefined();
    await project.vizprompt.updateFlow('main', { name: '三' });
    await project.vizprompt.structure.undo();
    expect((await project.vizprompt.getFlow()).name).toBe('二');
  });

  it('read steps that hold both texts in full, as older versions wrote them', async () => {
    const project = await testProject();
    await seed(project.vizprompt);
    const before = flowBytes(project.folder);
    await project.vizprompt.updateFlow('main', { name: '二' });
    const after = flowBytes(project.folder);
    const [step] = (await project.vizprompt.structure.history()).undo;
    const key = `history/${step?.id}.json.br`;
    const stored: unknown = JSON.parse(
      brotliDecompressSync(readFileSync(join(project.folder, key))).toString(),
    );
    const flows = Object.keys(after)
      .filter((file) => before[file] !== after[file])
      .map((file) => {
        const [old, current] = [before, after].map((bytes) =>
          Buffer.from(bytes[file] ?? '', 'base64').toString(),
        );
        return { file: `flows/${file}`, before: old, after: current };
      });
    expect(flows).toHaveLength(1);
    expect(stored).toMatchObject({ flows: [{ file: flows[0]?.file, before: flows[0]?.before }] });
    const full = brotliCompressSync(JSON.stringify({ flows, nodes: [] }));
    writeFileSync(join(project.folder, key), full);
    await project.vizprompt.structure.undo();
    expect(flowBytes(project.folder)).toEqual(before);
    await project.vizprompt.structure.redo();
    expect(flowBytes(project.folder)).toEqual(after);
  });

  it('are one history for all processes; a step that is meant can be named', async () => {
    const { vizprompt, folder } = await testProject();
    await seed(vizprompt);
    await using theirs = await storageAt(folder);
    await using other = await VizPrompt.open({ storage: theirs });
    await vizprompt.updateFlow('main', { name: 'mine' });
    const mine = (await vizprompt.structure.history()).undo.at(-1);
    await other.updateFlow('main', { name: 'yours' });
    const naming = vizprompt.structure.undo({ ifStep: mine?.id ?? '' });
    await expect(naming).rejects.toMatchObject({ code: 'conflict' });
    expect((await vizprompt.getFlow()).name).toBe('yours');
    await vizprompt.structure.undo();
    expect((await other.getFlow()).name).toBe('mine');
    await other.structure.undo({ ifStep: mine?.id ?? '' });
    expect((await vizprompt.getFlow()).name).toBe('main');
  });

  it('refuse a name that is taken by now', async () => {
    const { vizprompt, read, write } = await testProject();
    const flow = await vizprompt.createFlow({ name: 'a', alias: '別名' });
    const text = await read(flow.file);
    await vizprompt.deleteFlow(flow.id);
    const id = 'aaaaaaaa-0000-4000-8000-000000000000';
    await write('flows/by-hand.yaml', text.replace(flow.id, id));
    await vizprompt.refresh();
    const undoing = vizprompt.structure.undo();
    await expect(undoing).rejects.toMatchObject({ code: 'exists' });
    await expect(undoing).rejects.toThrow("flows/by-hand.yaml is called '別名' by now");
    await write('flows/by-hand.yaml', text.replace(flow.id, id).replace('別名', '他'));
    await vizprompt.refresh();
    await vizprompt.structure.undo();
    expect((await vizprompt.getFlow('別名')).id).toBe(flow.id);
  });
});
