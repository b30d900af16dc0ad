import { FlowGraph, VizPromptError, type StoredFlow, type StoredNode } from '@vizprompt/core';
import { describe, expect, it } from 'vitest';
import { openProject, record, testProject, type TestProject } from '../support/open-project.ts';

/** Makes nodes and connects them: `{ b: ['a'], c: ['a'] }`. */
async function grow(
  { vizprompt }: TestProject,
  parents: Readonly<Record<string, readonly string[]>>,
): Promise<Record<string, string>> {
  const ids: Record<string, string> = {};
  for (const [name, names] of Object.entries(parents)) {
    const node = await vizprompt.createNode(
      { prompt: `${name} とは？🐈`, response: `${name} です` },
      { flow: 'main', after: names.map((parent) => ids[parent] ?? '') },
    );
    ids[name] = node.id;
  }
  return ids;
}

const DIAMOND = { a: [], b: ['a'], c: ['a'], d: ['b', 'c'], e: ['d'], f: ['b'] };

/** Returns a flow by the names of its nodes: `a>b b>d`. */
function shape(flow: StoredFlow, ids: Record<string, string>): string {
  const names = new Map(Object.entries(ids).map(([name, id]) => [id, name]));
  const nameOf = (id: string): string => names.get(id) ?? '?';
  const edges = flow.connections.map(({ from, to }) => `${nameOf(from)}>${nameOf(to)}`);
  return `${flow.nodes.map(({ id }) => nameOf(id)).join('')} ${edges.join(' ')} ^${nameOf(flow.head ?? '')}`;
}

describe('edits of the structure', () => {
  it('relink a node: the new parent takes the place of the old one', async () => {
    const project = await testProject();
    const ids = await grow(project, DIAMOND);
    const { structure } = project.vizprompt;
    const { a = '', b = '', c = '', d = '', e = '' } = ids;
    await project.vizprompt.connectNodes(b, d, { branchName: '本命' });
    const flow = await structure.relink(d, { from: b, to: a });
    expect(shape(flow, ids)).toBe('abcdef a>b a>c a>d c>d d>e b>f ^f');
    expect(flow.connections[2]).toEqual({ from: a, to: d, branch: '本命' });
    expect(shape(await structure.relink(e, { to: c }), ids)).toBe(
      'abcdef a>b a>c a>d c>d c>e b>f ^f',
    );
    expect(shape(await structure.relink(e, { to: null }), ids)).toBe(
      'abcdef a>b a>c a>d c>d b>f ^f',
    );
    const unclear = structure.relink(d, { to: b });
    await expect(unclear).rejects.toMatchObject({ code: 'invalid-input' });
    await expect(unclear).rejects.toThrow(`${a}, ${c}`);
    await expect(structure.relink(b, { from: c, to: d })).rejects.toMatchObject({
      code: 'invalid-input',
    });
  });

  it('refuse circles with the way that would be closed', async () => {
    const project = await testProject();
    const { a = '', b = '', d = '', e = '' } = await grow(project, DIAMOND);
    const { structure } = project.vizprompt;
    const relinking = structure.relink(b, { to: e });
    await expect(relinking).rejects.toMatchObject({ code: 'cycle', context: { path: [b, d, e] } });
    await expect(relinking).rejects.toThrow(`${b} → ${d} → ${e} → ${b}`);
    await expect(structure.insertBetween(a, b, e)).rejects.toMatchObject({ code: 'cycle' });
    await expect(structure.insertBetween(a, b, a)).rejects.toMatchObject({ code: 'cycle' });
    expect((await structure.history()).undo).toEqual([]);
  });

  it('insert a node between two, new or known', async () => {
    const project = await testProject();
    const ids = await grow(project, DIAMOND);
    const { vizprompt } = project;
    const { a = '', b = '', d = '', e = '', f = '' } = ids;
    const flow = await vizprompt.structure.insertBetween(b, d, { prompt: '間', response: 'g' });
    const g = flow.nodes.at(-1)?.id ?? '';
    expect(shape(flow, { ...ids, g })).toBe('abcdefg a>b a>c b>g g>d c>d d>e b>f ^f');
    expect((await vizprompt.getNode(g)).prompt).toBe('間');
    expect(new FlowGraph(flow).parents(d)[0]).toBe(g);
    const again = await vizprompt.structure.insertBetween(d, e, f);
    expect(shape(again, { ...ids, g })).toBe('abcdefg a>b a>c b>g g>d c>d d>f f>e b>f ^f');
    await expect(vizprompt.structure.insertBetween(a, e, f)).rejects.toMatchObject({
      code: 'invalid-input',
    });
    const missing = '01a1fe58-b098-7000-9af9-21f2f641b88f';
    await expect(vizprompt.structure.insertBetween(a, b, missing)).rejects.toMatchObject({
      code: 'node-not-found',
    });
  });

  it('delete nodes with what only they lead to, and say beforehand what would go', async () => {
    const project = await testProject();
    const ids = await grow(project, DIAMOND);
    const { structure } = project.vizprompt;
    const { b = '', c = '', d = '', e = '', f = '' } = ids;
    const before = await project.read('flows/00/00.yaml');
    const preview = await structure.prune(b, { dryRun: true });
    expect(preview).toMatchObject({ removed: [b, f], kept: [d, e], deleted: [] });
    expect(await project.read('flows/00/00.yaml')).toBe(before);
    const { flow, removed } = await structure.prune(b);
    expect(removed).toEqual([b, f]);
    expect(shape(flow, ids)).toBe('acde a>c c>d d>e ^a');
    expect((await project.vizprompt.getNode(b)).id).toBe(b);

    const rest = await structure.deleteNodes(c, { descendants: false });
    expect(shape(rest.flow, ids)).toBe('ade d>e a>d ^a');
    const gone = await structure.deleteNodes([d, e]);
    expect(shape(gone.flow, ids)).toBe('a  ^a');
    await expect(structure.prune(d)).rejects.toMatchObject({ code: 'node-not-found' });
  });

  it('delete files only when asked, and only of nodes that are in no other flow', async () => {
    const { heard, on } = record();
    const project = await testProject({ on });
    const { b = '', c = '', d = '', e = '', f = '' } = await grow(project, DIAMOND);
    const { vizprompt } = project;
    await vizprompt.structure.extract(d, { name: '抜粋' });
    expect((await vizprompt.structure.prune(b, { dryRun: true, files: true })).deleted).toEqual([
      b,
      f,
    ]);
    const { deleted } = await vizprompt.structure.deleteNodes([b, c], { files: true });
    expect(deleted).toEqual([b, f, c]);
    await expect(vizprompt.getNode(b)).rejects.toMatchObject({ code: 'node-not-found' });
    expect((await vizprompt.getNode(e)).id).toBe(e);
    expect(heard.filter(([name]) => name === 'node:deleted')).toHaveLength(3);
    const found = async (): Promise<readonly string[]> =>
      (await vizprompt.searchNodes({ text: 'b です' })).map(({ id }) => id);
    expect(await found()).not.toContain(b);
    await vizprompt.structure.undo();
    expect((await vizprompt.getNode(b)).id).toBe(b);
    expect(await found()).toContain(b);
    expect(await vizprompt.problems()).toEqual([]);
  });

  it('keep only a path, with all that was merged into it or along the main line', async () => {
    const project = await testProject();
    const ids = await grow(project, DIAMOND);
    const { structure } = project.vizprompt;
    expect(shape(await structure.keepPath(ids['e'] ?? ''), ids)).toBe(
      'abcde a>b a>c b>d c>d d>e ^e',
    );
    expect(shape(await structure.keepPath(ids['e'] ?? '', { mainLine: true }), ids)).toBe(
      'abde a>b b>d d>e ^e',
    );
  });

  it('split a flow: what something else leads to is in both', async () => {
    const project = await testProject();
    const ids = await grow(project, DIAMOND);
    const { vizprompt } = project;
    const { flow, created } = await vizprompt.structure.splitFlow(ids['b'] ?? '', {
      alias: '枝🌿',
    });
    expect(shape(flow, ids)).toBe('acde a>c c>d d>e ^a');
    expect(shape(created, ids)).toBe('bdef b>d d>e b>f ^f');
    expect(created).toMatchObject({ name: 'b とは？🐈', alias: '枝🌿' });
    expect(created.nodes.map(({ index }) => index)).toEqual([1, 2, 3, 4]);
    expect((await vizprompt.getFlow('枝🌿')).id).toBe(created.id);
    await expect(
      vizprompt.structure.splitFlow(ids['e'] ?? '', { alias: '枝🌿' }),
    ).rejects.toMatchObject({ code: 'exists' });
  });

  it('fork the tail, extract a subtree, and leave the flow as it is', async () => {
    const project = await testProject();
    const ids = await grow(project, DIAMOND);
    const { vizprompt } = project;
    const before = await project.read('flows/00/00.yaml');
    const fork = await vizprompt.structure.tailFork(ids['d'] ?? '', { name: '続き' });
    expect(shape(fork, ids)).toBe('abcd a>b a>c b>d c>d ^d');
    const extract = await vizprompt.structure.extract(ids['b'] ?? '');
    expect(shape(extract, ids)).toBe('bdef b>d d>e b>f ^f');
    expect(await project.read('flows/00/00.yaml')).toBe(before);
    const next = await vizprompt.createNode({ prompt: '続く' }, { flow: fork.id });
    expect(new FlowGraph(await vizprompt.getFlow(fork.id)).parents(next.id)).toEqual([ids['d']]);
  });

  it('copy a subtree under new ids, next to the original or elsewhere', async () => {
    const project = await testProject();
    const ids = await grow(project, DIAMOND);
    const { vizprompt } = project;
    const { a = '', b = '', c = '', d = '' } = ids;
    await vizprompt.updateNode(d, { tags: ['猫'], summary: '要約' });
    const { flow, nodes, ids: copies } = await vizprompt.structure.copySubtree(b);
    expect(nodes).toHaveLength(4);
    const named = Object.fromEntries(
      Object.entries(ids).map(([name, id]) => [name.toUpperCase(), copies.get(id) ?? '']),
    );
    expect(shape(flow, { ...ids, ...named })).toBe(
      'abcdefBDEF a>b a>c b>d c>d d>e b>f a>B B>D c>D D>E B>F ^f'.replace(
        'abcdefBDEF',
        `abcdef${nodes
          .map(({ id }) => Object.entries(named).find(([, copy]) => copy === id)?.[0])
          .join('')}`,
      ),
    );
    const copy = await vizprompt.getNode(named['D'] ?? '');
    expect(copy).toMatchObject({ prompt: 'd とは？🐈', tags: ['猫'], summary: { text: '要約' } });

    const other = await vizprompt.createFlow({ name: '別', alias: 'other' });
    const moved = await vizprompt.structure.copySubtree(d, { to: other.alias ?? '' });
    expect(moved.flow).toMatchObject({ id: other.id, head: moved.ids.get(d) });
    expect(moved.flow.connections).toHaveLength(1);
    expect((await vizprompt.getFlow()).nodes).toHaveLength(10);
    const placed = await vizprompt.structure.copySubtree(c, { after: [a, b] });
    expect(new FlowGraph(placed.flow).parents(placed.ids.get(c) ?? '')).toEqual([a, b]);
    await vizprompt.structure.undo();
    await expect(vizprompt.getNode(placed.ids.get(c) ?? '')).rejects.toMatchObject({
      code: 'node-not-found',
    });
  });

  it('merge branches in a new node', async () => {
    const project = await testProject();
    const ids = await grow(project, DIAMOND);
    const { structure } = project.vizprompt;
    const { e = '', f = '' } = ids;
    const { flow, node } = await structure.mergeByStructure([e, f], { prompt: 'まとめ' });
    expect(flow.head).toBe(node.id);
    expect(new FlowGraph(flow).parents(node.id)).toEqual([e, f]);
    await expect(structure.mergeByStructure([e, e], { prompt: 'x' })).rejects.toMatchObject({
      code: 'invalid-input',
    });
  });
});

describe('a stale writer', () => {
  it('gets the changes of the flow, by any caller', async () => {
    const project = await testProject();
    const { a = '', b = '' } = await grow(project, { a: [], b: ['a'] });
    const { vizprompt } = project;
    const flow = await vizprompt.getFlow();
    const added = await vizprompt.createNode({ prompt: '割り込み' });
    await vizprompt.updateFlow('main', { name: '新しい名前' });
    const edits: (() => Promise<unknown>)[] = [
      () => vizprompt.structure.relink(b, { to: null, ifVersion: flow.version }),
      () => vizprompt.structure.prune(b, { dryRun: true, ifVersion: flow }),
      () => vizprompt.connectNodes(a, b, { ifVersion: flow.version }),
      () => vizprompt.disconnectNodes(a, b, { ifVersion: flow }),
      () => vizprompt.updateFlow('main', { description: 'x' }, { ifVersion: flow.version }),
      () => vizprompt.removeNodeFromFlow('main', b, { ifVersion: flow.version }),
      () => vizprompt.addNodeToFlow('main', b, { ifVersion: flow.version }),
      () => vizprompt.rebuildFlow('main', [a], { ifVersion: flow.version }),
      () => vizprompt.deleteFlow('main', { ifVersion: flow.version }),
    ];
    for (const edit of edits) {
      const error = await edit().catch((reason: unknown) => reason);
      expect(error).toBeInstanceOf(VizPromptError);
      const { code, message, context } = error as VizPromptError;
      expect(code).toBe('conflict');
      expect(message).toContain(`nodes added: ${added.id}`);
      expect(message).toContain(`connections added: ${b} → ${added.id}`);
      expect(message).toContain('fields changed: name, head');
      expect(context).toMatchObject({
        expected: flow.version,
        changed: { nodesAdded: [added.id], fields: ['name', 'head'] },
      });
    }
    const now = await vizprompt.getFlow();
    await vizprompt.structure.relink(b, { to: null, ifVersion: now.version });
  });

  it('gets the fields of a node that changed', async () => {
    const vizprompt = await openProject();
    const node: StoredNode = await vizprompt.createNode({ prompt: '前', response: 'r' });
    await vizprompt.updateNode(node.id, { response: '後', tags: ['猫'] });
    const stale = vizprompt.updateNode(node.id, { prompt: 'x' }, { ifVersion: node.version });
    await expect(stale).rejects.toMatchObject({
      code: 'conflict',
      context: { fields: ['response', 'tags'] },
    });
    await expect(stale).rejects.toThrow('fields changed: response, tags');
    const fresh = await vizprompt.getNode(node.id);
    const changed = await vizprompt.updateNode(node.id, { prompt: 'x' }, { ifVersion: fresh });
    expect(changed.prompt).toBe('x');
  });

  it('gets the fields of one of many nodes that were made at once and changed by hand', async () => {
    const project = await testProject();
    const names = Array.from({ length: 70 }, (_, at) => `n${at}`);
    const { n0 = '' } = await grow(
      project,
      Object.fromEntries(names.map((name, at) => [name, at === 0 ? [] : [`n${at - 1}`]])),
    );
    const { nodes } = await project.vizprompt.structure.copySubtree(n0);
    const [node] = nodes;
    if (!node) throw new Error('no copy');
    const text = await project.read(node.file);
    await project.write(node.file, text.replace('n0 です', '後です'));
    await expect(
      project.vizprompt.updateNode(node.id, { prompt: 'x' }, { ifVersion: node.version }),
    ).rejects.toMatchObject({ code: 'conflict', context: { fields: ['response'] } });
  });
});

describe('branches side by side', () => {
  it('have all nearest common ancestors as their base', async () => {
    const project = await testProject();
    // A criss-cross: both x and y were merged into both u and v.
    const ids = await grow(project, { r: [], x: ['r'], y: ['r'], u: ['x', 'y'], v: ['y', 'x'] });
    const graph = new FlowGraph(await project.vizprompt.getFlow());
    const { r = '', x = '', y = '', u = '', v = '' } = ids;
    expect(graph.mergeBase(u, v)).toEqual([x, y]);
    expect(graph.mergeBase(x, u)).toEqual([x]);
    expect(graph.mergeBase(u, u)).toEqual([u]);
    expect(graph.mergeBase(u, 'nowhere')).toEqual([]);
    expect(graph.diff(u, v)).toEqual({ base: [x, y], common: [r, x, y], left: [u], right: [v] });
  });
});
