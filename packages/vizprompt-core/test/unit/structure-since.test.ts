import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { FlowGraph, VizPrompt, type VizPromptError } from '@vizprompt/core';
import { scriptedModel } from '@vizprompt/providers/testing';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { branched } from '../fixtures/chatgpt.ts';
import {
  edit,
  expectFreshIndex,
  expectInvariants,
  flowBytes,
  randomEdit,
  seed,
} from '../support/random-edits.ts';
import { Talk } from '../support/random-talk.ts';
import {
  openProject,
  randomRuns,
  storageAt,
  temporaryFolder,
  testProject,
} from '../support/open-project.ts';
import type { EditStep } from '../../src/write/undo-history.ts';

/** Which nodes a flow has, and how they are connected. */
interface Shape {
  readonly nodes: ReadonlySet<string>;
  readonly edges: ReadonlySet<string>;
}

type Shapes = ReadonlyMap<string, Shape>;

const NOTHING: Shape = { nodes: new Set(), edges: new Set() };

async function shapes(vizprompt: VizPrompt): Promise<Shapes> {
  const found = new Map<string, Shape>();
  for (const { id } of await vizprompt.listFlows()) {
    const { nodes, connections } = await vizprompt.getFlow(id);
    found.set(id, {
      nodes: new Set(nodes.map((node) => node.id)),
      edges: new Set(connections.map(({ from, to }) => `${from} ${to}`)),
    });
  }
  return found;
}

/** Returns `now` with a change applied: both lists as sets. */
function applied(
  now: ReadonlySet<string>,
  before: ReadonlySet<string>,
  after: ReadonlySet<string>,
): string[] {
  const stayed = [...now].filter((key) => after.has(key) || !before.has(key));
  return [...new Set([...stayed, ...[...after].filter((key) => !before.has(key))])].toSorted();
}

/** The work of a person: an edit, or a message. */
const anything = fc.oneof(
  randomEdit.map((one) => ({ one })),
  fc.record({ kind: fc.nat({ max: 4 }), pick: fc.nat({ max: 30 }) }),
);

/** An edit, and the flows before and after it. */
interface Edited {
  readonly before: Shapes;
  readonly after: Shapes;
  /** The messages since. */
  readonly said: { readonly flow: string; readonly shape: Shape }[];
}

function without(set: ReadonlySet<string>, others: ReadonlySet<string> | undefined): Set<string> {
  return new Set([...set].filter((key) => !others?.has(key)));
}

/** The step is undone, and all else is as it was. */
function expectReversed({ flows }: EditStep, edited: Edited, now: Shapes, left: Shapes): void {
  for (const { flow, shape } of edited.said) {
    const [is, was] = [left.get(flow), now.get(flow)];
    for (const id of shape.nodes) expect(is?.nodes.has(id)).toBe(was?.nodes.has(id));
    for (const key of shape.edges) expect(is?.edges.has(key)).toBe(was?.edges.has(key));
  }
  for (const flow of flows) {
    const from = edited.after.get(flow) ?? NOTHING;
    const to = edited.before.get(flow) ?? NOTHING;
    const [was, is] = [now.get(flow) ?? NOTHING, left.get(flow) ?? NOTHING];
    for (const kind of ['nodes', 'edges'] as const) {
      expect([...is[kind]].toSorted()).toEqual(applied(was[kind], from[kind], to[kind]));
    }
  }
}

/** The error says what it is about, and nothing was written. */
function expectRefused(
  error: unknown,
  { id }: EditStep,
  { before, after }: { readonly before: unknown; readonly after: unknown },
): void {
  expect(after).toEqual(before);
  expect(error).toMatchObject({ context: { step: id } });
  expect(['conflict', 'exists']).toContain((error as VizPromptError).code);
  expect((error as Error).message).toContain(`forget({ step: '${id}' })`);
}

describe('undo and redo, when the conversation continued in between,', () => {
  it('reverse what the edit did and nothing else, and are the opposite of each other, byte for byte', async () => {
    const counts = { undone: 0, refused: 0 };
    await fc.assert(
      fc.asyncProperty(fc.array(anything, { minLength: 2, maxLength: 12 }), async (acts) => {
        const folder = await temporaryFolder();
        await using storage = await storageAt(folder);
        await using vizprompt = await VizPrompt.open({ storage });
        const { structure } = vizprompt;
        await seed(vizprompt);
        const talk = new Talk(vizprompt);
        const edits = new Map<string, Edited>();
        for (const act of acts) {
          const before = await shapes(vizprompt);
          const known = (await structure.history()).undo.length;
          await ('one' in act ? edit(vizprompt, act.one) : talk.add(act.kind, act.pick));
          const after = await shapes(vizprompt);
          const { undo } = await structure.history();
          const step = undo.length > known ? undo.at(-1) : undefined;
          if (step) edits.set(step.id, { before, after, said: [] });
          if ('one' in act) continue;
          for (const [flow, { nodes, edges }] of after) {
            const old = before.get(flow);
            const shape = {
              nodes: without(nodes, old?.nodes),
              edges: without(edges, old?.edges),
            };
            for (const { said } of edits.values()) said.push({ flow, shape });
          }
        }

        const states: Record<string, string>[] = [];
        for (;;) {
          const now = await shapes(vizprompt);
          const bytes = flowBytes(folder);
          const step = (await structure.history()).undo.at(-1);
          if (!step) break;
          const failed = await structure.undo().then(
            () => undefined,
            (error: unknown) => error,
          );
          if (failed === undefined) {
            counts.undone++;
            states.push(bytes);
            await expectInvariants(vizprompt);
            const edited = edits.get(step.id) ?? { before: now, after: now, said: [] };
            expectReversed(step, edited, now, await shapes(vizprompt));
          } else {
            counts.refused++;
            expectRefused(failed, step, { before: bytes, after: flowBytes(folder) });
            await structure.forget({ step: step.id });
          }
        }
        const { findings } = await vizprompt.check();
        expect(findings.filter(({ severity }) => severity !== 'info')).toEqual([]);
        await expectFreshIndex(vizprompt, folder);
        const end = flowBytes(folder);
        for (const bytes of states.toReversed()) {
          await structure.redo();
          expect(flowBytes(folder)).toEqual(bytes);
          await expectInvariants(vizprompt);
        }
        expect(await structure.redo()).toBeUndefined();
        for (const _ of states) await structure.undo();
        expect(flowBytes(folder)).toEqual(end);
        await expectFreshIndex(vizprompt, folder);
      }),
      { numRuns: randomRuns(4) },
    );
    expect(counts.undone).toBeGreaterThan(3 * counts.refused);
  });

  it('keep what was said since in its place, and the head with it', async () => {
    const { vizprompt, read, reopen } = await testProject();
    await seed(vizprompt);
    const { nodes, head } = await vizprompt.getFlow();
    const ids = nodes.map(({ id }) => id);
    const [root = '', branch = ''] = ids;
    await vizprompt.structure.prune(branch);
    const model = scriptedModel(['はい。']);
    const said = await vizprompt.chat({ prompt: '話は続く', model }).node();
    const before = await read('flows/00/00.yaml');

    const again = await reopen();
    const undone = await again.structure.undo();
    expect(undone?.flows[0]?.head).toBe(said.id);
    const flow = await again.getFlow();
    expect(flow.nodes.map(({ id }) => id)).toEqual([...ids, said.id]);
    expect(new Set(flow.nodes.map(({ index }) => index)).size).toBe(8);
    const graph = new FlowGraph(flow);
    expect(graph.children(root)).toContain(branch);
    expect(graph.parents(said.id)).toEqual([head]);
    expect(Date.parse(flow.updated)).toBeGreaterThan(Date.parse(said.timestamp) - 1);
    const after = await read('flows/00/00.yaml');
    await again.structure.redo();
    expect(await read('flows/00/00.yaml')).toBe(before);
    await again.structure.undo();
    expect(await read('flows/00/00.yaml')).toBe(after);
  });

  it('bring back deleted nodes whose files others have by now, and comments', async () => {
    const { vizprompt, read, write } = await testProject();
    await seed(vizprompt);
    const { nodes } = await vizprompt.getFlow();
    const [leaf = '', last = ''] = nodes.slice(-2).map(({ id }) => id);
    const text = await read('flows/00/00.yaml');
    await write('flows/00/00.yaml', text.replace(leaf, `${leaf} # ここが大事 🖋️`));
    await vizprompt.refresh();
    await vizprompt.structure.deleteNodes([leaf, last], { files: true });
    const made = await vizprompt.createNode({ prompt: '同じ場所' });
    const now = await read('flows/00/00.yaml');
    await write('flows/00/00.yaml', `# 後から\n${now}`);
    await vizprompt.structure.undo();
    const files = await Promise.all([leaf, last, made.id].map((id) => vizprompt.getNode(id)));
    expect(new Set(files.map(({ file }) => file)).size).toBe(3);
    expect(files.map(({ prompt }) => prompt)).toEqual(['質問 5 🐟', '質問 6 🐟', '同じ場所']);
    const merged = await read('flows/00/00.yaml');
    expect(merged).toContain('# 後から');
    expect(merged).toContain(`${leaf} # ここが大事 🖋️`);
    expect((await vizprompt.check()).isHealthy).toBe(true);
    await vizprompt.structure.redo();
    expect(await read('flows/00/00.yaml')).toBe(`# 後から\n${now}`);
  });

  it('bring a deleted flow back next to the one that has its file by now', async () => {
    const vizprompt = await openProject();
    await seed(vizprompt);
    const { id } = await vizprompt.createFlow({ name: '消えた流れ' });
    await vizprompt.deleteFlow(id);
    await vizprompt.importConversations([branched().export()]);
    expect((await vizprompt.structure.undo())?.flows).toMatchObject([{ id, name: '消えた流れ' }]);
    const names = (await vizprompt.listFlows()).map(({ name }) => name);
    expect(names).toEqual(['main', 'Conversation branched', '消えた流れ']);
    expect((await vizprompt.check()).isHealthy).toBe(true);
    expect((await vizprompt.structure.undo())?.deletedFlows).toEqual([id]);
    expect(await vizprompt.structure.undo()).toBeUndefined();
  });

  it('are refused where something continues from what the edit made; it can be left as it is', async () => {
    const { vizprompt, folder } = await testProject();
    await seed(vizprompt);
    const { nodes } = await vizprompt.getFlow();
    const [first = '', second = ''] = new FlowGraph(await vizprompt.getFlow()).leaves();
    await vizprompt.structure.prune(nodes.at(-1)?.id ?? '');
    const { node } = await vizprompt.structure.mergeByStructure([first, second], {
      prompt: '合流',
    });
    const said = await vizprompt.createNode({ prompt: '話は続く' });
    const bytes = flowBytes(folder);
    const undoing = vizprompt.structure.undo();
    const [prune, merge] = (await vizprompt.structure.history()).undo;
    await expect(undoing).rejects.toMatchObject({
      code: 'conflict',
      context: { label: 'mergeByStructure', changed: { nodesAdded: [said.id] } },
    });
    await expect(undoing).rejects.toThrow(`nodes added: ${said.id}`);
    await expect(undoing).rejects.toThrow(
      `${said.id} continues from ${node.id}, which it would remove`,
    );
    await expect(undoing).rejects.toThrow(`forget({ step: '${merge?.id}' })`);
    expect(flowBytes(folder)).toEqual(bytes);

    await vizprompt.structure.forget({ step: merge?.id ?? '' });
    expect((await vizprompt.structure.undo())?.step.id).toBe(prune?.id);
    const graph = new FlowGraph(await vizprompt.getFlow());
    expect(graph.has(nodes.at(-1)?.id ?? '')).toBe(true);
    expect(graph.lineTo(said.id).slice(-2)).toEqual([node.id, said.id]);
  });

  it('are refused where it would delete a flow, or a value was set again', async () => {
    const { vizprompt, folder, read, write } = await testProject();
    await seed(vizprompt);
    await vizprompt.updateFlow('main', { name: '二' });
    await vizprompt.createFlow({ name: '新しい', alias: 'new' });
    const said = await vizprompt.createNode({ prompt: '始まり' }, { flow: 'new' });
    await expect(vizprompt.structure.undo()).rejects.toThrow(`nodes added: ${said.id}`);
    await expect(vizprompt.structure.undo()).rejects.toThrow('deleteFlow() deletes it');
    const [file = ''] = Object.keys(flowBytes(folder));
    const change = async (by: (text: string) => string): Promise<void> => {
      await write(`flows/${file}`, by(await read(`flows/${file}`)));
    };
    const [, made] = (await vizprompt.structure.history()).undo;
    await vizprompt.structure.forget({ step: made?.id ?? '' });
    await change((text) => text.replace(/^name: .*$/m, 'name: 三'));
    await expect(vizprompt.structure.undo()).rejects.toThrow('fields changed: name');
    await expect(vizprompt.structure.undo()).rejects.toThrow('updateFlow() sets it');
    await change((text) => text.replace(/^id: .*$/m, 'id: ['));
    await expect(vizprompt.structure.undo()).rejects.toMatchObject({ code: 'conflict' });
    await vizprompt.structure.forget();
    expect(await vizprompt.structure.undo()).toBeUndefined();
    expect(readdirSync(join(folder, 'history'))).toEqual(['.gitignore']);
  });

  it('are refused where they would close a circle, or need a node that is gone', async () => {
    const { vizprompt, read, write } = await testProject();
    await seed(vizprompt);
    const { nodes } = await vizprompt.getFlow();
    const [root = '', second = ''] = nodes.map(({ id }) => id);
    await vizprompt.disconnectNodes(root, second);
    const file = 'flows/00/00.yaml';
    const text = await read(file);
    await write(file, `${text}  - from: 2\n    to: 1\n`);
    await vizprompt.refresh();
    await expect(vizprompt.structure.undo()).rejects.toThrow(/close a circle: .* → /);
    const rest = text
      .replace(`  - index: 2\n    id: ${second}\n`, '')
      .replaceAll(/ {2}- from: 2\n {4}to: \d+\n/g, '');
    await write(file, rest);
    await vizprompt.refresh();
    await expect(vizprompt.structure.undo()).rejects.toThrow(`${second} was removed`);
    await write(file, text);
    await vizprompt.structure.undo();
    expect(new FlowGraph(await vizprompt.getFlow()).parents(second)).toEqual([root]);
  });

  it('take back a name, and keep an order of nodes that was set since', async () => {
    const { vizprompt, read, write } = await testProject();
    await seed(vizprompt);
    await vizprompt.updateFlow('main', { name: '二', description: '説明' });
    const file = 'flows/00/00.yaml';
    const text = await read(file);
    const [, first = '', second = ''] = /^nodes:\n((?: .*\n){2})((?: .*\n){2})/m.exec(text) ?? [];
    await write(file, text.replace(first + second, second + first));
    await vizprompt.structure.undo();
    const flow = await vizprompt.getFlow();
    expect(flow).toMatchObject({ name: 'main', description: '' });
    expect(flow.nodes.map(({ index }) => index)).toEqual([2, 1, 3, 4, 5, 6, 7]);
  });
});
