import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { FlowGraph, type StoredFlow, type VizPrompt } from '@vizprompt/core';
import fc from 'fast-check';
import { expect } from 'vitest';

/** Returns the bytes of all flow files. */
export function flowBytes(folder: string): Record<string, string> {
  const flows = join(folder, 'flows');
  if (!existsSync(flows)) return {};
  const files = readdirSync(flows, { recursive: true, encoding: 'utf8' }).filter((file) =>
    /\.ya?ml$/.test(file),
  );
  return Object.fromEntries(
    files.toSorted().map((file) => [file, readFileSync(join(flows, file)).toString('base64')]),
  );
}

/** A random edit: which one, and which nodes and flows it picks. */
export interface RandomEdit {
  readonly kind: number;
  readonly picks: readonly number[];
}

const NAMES = ['猫カフェ', '🐈‍⬛ ねこ: #1', 'a: b', "it's", 'メイン', 'ÅÄÖ', '- x'];

/** Every edit that is a step. They may refuse, as when a circle would be closed. */
const EDITS: readonly ((
  vizprompt: VizPrompt,
  flow: StoredFlow,
  node: (at: number) => string,
  picks: readonly number[],
) => Promise<unknown>)[] = [
  (v, { id }, node) => v.connectNodes(node(0), node(1), { flow: id, branchName: NAMES[1] ?? '' }),
  (v, { id }, node) => v.disconnectNodes(node(0), node(1), { flow: id }),
  (v, { id }, node, picks) => v.removeNodeFromFlow(id, node(0), { join: picks[1] === 0 }),
  (v, { id }, node) => v.addNodeToFlow(id, node(2), { after: node(0) }),
  (v, { id }, node) => v.rebuildFlow(id, [...new Set([node(0), node(1), node(2)])]),
  (v, { id }, node, picks) =>
    v.updateFlow(id, { name: NAMES[(picks[0] ?? 0) % NAMES.length] ?? '', head: node(1) }),
  (v, _, __, picks) => v.createFlow({ name: NAMES[(picks[0] ?? 0) % NAMES.length] ?? '' }),
  (v, { id, alias }) => (alias === 'main' ? Promise.resolve() : v.deleteFlow(id)),
  (v, _, node) => v.deleteNode(node(0)),
  (v, { id }, node) => v.structure.relink(node(0), { flow: id, to: node(1) }),
  (v, { id, connections }, _, picks) => {
    const { from = '', to = '' } = connections[(picks[0] ?? 0) % connections.length] ?? {};
    return v.structure.insertBetween(from, to, { prompt: '間に' }, { flow: id });
  },
  (v, { id }, node, picks) =>
    v.structure.deleteNodes(node(0), {
      flow: id,
      descendants: picks[1] === 0,
      files: picks[2] === 0,
    }),
  (v, { id }, node) => v.structure.splitFlow(node(0), { flow: id }),
  (v, { id }, node) => v.structure.keepPath(node(0), { flow: id }),
  (v, { id }, node) => v.structure.tailFork(node(0), { flow: id, name: NAMES[0] ?? '' }),
  (v, { id }, node) => v.structure.copySubtree(node(0), { flow: id }),
  (v, { id }, node) => v.structure.extract(node(0), { flow: id }),
  (v, { id }, node) =>
    v.structure.mergeByStructure([node(0), node(1)], { prompt: '合流' }, { flow: id }),
];

/** Makes an edit, if it can be made. */
export async function edit(vizprompt: VizPrompt, { kind, picks }: RandomEdit): Promise<void> {
  const flows = await vizprompt.listFlows();
  const chosen = flows[(picks[0] ?? 0) % flows.length];
  if (!chosen) return;
  const flow = await vizprompt.getFlow(chosen.id);
  const all = await vizprompt.searchNodes({ limit: 1000 });
  const node = (at: number): string => {
    const pick = picks[at] ?? 0;
    if (at < 2 && flow.nodes.length > 0) return flow.nodes[pick % flow.nodes.length]?.id ?? '';
    return all[pick % Math.max(1, all.length)]?.id ?? '';
  };
  const work = EDITS[kind % EDITS.length];
  await work?.(vizprompt, flow, node, picks).catch((error: unknown) => {
    const { code } = error as { code?: string };
    if (!['cycle', 'invalid-input', 'node-not-found', 'exists'].includes(code ?? '')) throw error;
  });
}

/** No circle, no edge to nowhere, no index twice, a head that is a node, no problem anywhere. */
export async function expectInvariants(vizprompt: VizPrompt): Promise<void> {
  expect(await vizprompt.problems()).toEqual([]);
  for (const { id } of await vizprompt.listFlows()) {
    const flow = await vizprompt.getFlow(id);
    const ids = new Set(flow.nodes.map((node) => node.id));
    expect(ids.size).toBe(flow.nodes.length);
    expect(new Set(flow.nodes.map(({ index }) => index)).size).toBe(flow.nodes.length);
    expect(new FlowGraph(flow).findCycle()).toBeUndefined();
    for (const { from, to } of flow.connections) expect(ids.has(from) && ids.has(to)).toBe(true);
    expect(flow.head === undefined ? flow.nodes.length === 0 : ids.has(flow.head)).toBe(true);
  }
}

/** The content of the index must be that of the files. */
export async function expectFreshIndex(vizprompt: VizPrompt, folder: string): Promise<void> {
  const report = await vizprompt.refresh();
  expect(report).toEqual({ read: 0, removed: 0 });
  const map = readFileSync(join(folder, 'metadata/flow_map.tsv'), 'utf8');
  expect(map.trimEnd().split('\n')).toHaveLength((await vizprompt.listFlows()).length + 1);
}

/** A tree of six nodes, and one more that joins two branches. */
export async function seed(vizprompt: VizPrompt): Promise<void> {
  const ids: string[] = [];
  for (let at = 0; at < 7; at++) {
    const after = [ids[Math.floor((at - 1) / 2)], at === 6 ? ids[4] : undefined];
    const node = await vizprompt.createNode(
      { prompt: `質問 ${at} 🐟`, response: '答え' },
      { flow: 'main', after: after.filter((id) => id !== undefined) },
    );
    ids.push(node.id);
  }
}

/** Any edit that there is. */
export const randomEdit: fc.Arbitrary<RandomEdit> = fc.record({
  kind: fc.nat({ max: EDITS.length - 1 }),
  picks: fc.array(fc.nat({ max: 30 }), { minLength: 3, maxLength: 3 }),
});
