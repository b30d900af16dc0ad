import { omitUndefined as defined } from '@vizprompt/providers/internal';
import { VizPromptError } from '../errors.ts';
import { addNode, assertNode, FlowGraph } from '../flow/flow-graph.ts';
import type { Flow, FlowConnection } from '../flow/flow.ts';
import type { LoadedFlow } from '../graph/flow-files.ts';
import { assertNamesFree, checkNames } from '../graph/preconditions.ts';
import { parseList } from '../index/node-index.ts';
import type { VizNode } from '../node/node.ts';
import { readStoredNode } from '../node/read-node-xml.ts';
import type { Project } from '../project/project.ts';
import type { Committed } from '../write/commit.ts';
import { changedFlow, editStructure, type StructureContext } from './edit-structure.ts';
import { subtreeAt, partOf } from './flow-parts.ts';
import type {
  EditOptions,
  CopiedSubtree,
  CopyOptions,
  MergedNode,
  PartOptions,
} from './options.ts';

/** Copies a node and all that continues from it, under new ids. */
export async function copySubtree(
  context: StructureContext,
  node: string,
  { to, after, ...options }: CopyOptions,
): Promise<CopiedSubtree> {
  let ids: ReadonlyMap<string, string> = new Map();
  const committed = await editStructure(context, 'copySubtree', options, async (loaded) => {
    assertNode(loaded.flow, node);
    const originals = subtreeAt(new FlowGraph(loaded.flow), node);
    const target = await targetOf(context, loaded, to);
    const copied = await copyNodes(context.project, originals);
    ({ ids } = copied);
    const isSame = target.file === loaded.file;
    const parents = typeof after === 'string' ? [after] : after;
    const flow = addCopies(loaded.flow, target.flow, node, ids, parents, isSame);
    return {
      newNodes: copied.nodes,
      newKeywords: copied.keywords,
      ...(isSame ? { flow } : { other: { loaded: target, flow } }),
    };
  });
  return { flow: changedFlow(committed), nodes: committed.newNodes, ids };
}

async function targetOf(
  { flows }: StructureContext,
  loaded: LoadedFlow,
  to: string | undefined,
): Promise<LoadedFlow> {
  if (to === undefined) return loaded;
  const target = (await flows.loadIfMade(to)) ?? (await flows.load(to));
  return target.file === loaded.file ? loaded : target;
}

function addCopies(
  source: Flow,
  target: Flow,
  node: string,
  ids: ReadonlyMap<string, string>,
  parents: readonly string[] | null | undefined,
  isSame: boolean,
): Flow {
  for (const parent of parents ?? []) assertNode(target, parent);
  const root = ids.get(node) ?? node;
  const given = (parents ?? []).map((from): FlowConnection => ({ from, to: root }));
  const connections = source.connections.flatMap((connection): FlowConnection[] => {
    const to = ids.get(connection.to);
    if (to === undefined) return [];
    if (connection.to === node && parents !== undefined) return [];
    const from = ids.get(connection.from) ?? (isSame ? connection.from : undefined);
    return from === undefined ? [] : [{ ...connection, from, to }];
  });
  const joined = [...ids.values()].reduce((flow, id) => addNode(flow, id, []), target);
  const { head: _, ...rest } = joined;
  const head = target.head ?? root;
  return { ...rest, head, connections: [...target.connections, ...given, ...connections] };
}

/** Nodes under new ids, with all that they hold. */
interface CopiedNodes {
  readonly nodes: readonly VizNode[];
  /** The new id of each old one. */
  readonly ids: ReadonlyMap<string, string>;
  /** By the new ids. */
  readonly keywords: ReadonlyMap<string, readonly string[]>;
}

/**
 * Copies nodes.
 *
 * @throws VizPromptError with the code `node-not-found` if one of them is in no file.
 */
async function copyNodes(
  { index, files, createId }: Project,
  originals: readonly string[],
): Promise<CopiedNodes> {
  const rows = new Map((await index.nodes.rowsOf(originals)).map((row) => [row.id, row]));
  const nodes: VizNode[] = [];
  const ids = new Map<string, string>();
  const keywords = new Map<string, readonly string[]>();
  for (const original of originals) {
    const row = rows.get(original);
    const stored = row && (await readStoredNode(files, row.file));
    if (!stored) {
      throw new VizPromptError('node-not-found', `there is no node ${original} to copy`, {
        context: { node: original },
      });
    }
    const { file: _file, version: _version, ...node } = stored;
    const id = createId();
    ids.set(original, id);
    keywords.set(id, parseList(row.keywords));
    nodes.push({ ...node, id });
  }
  return { nodes, ids, keywords };
}

/** The nodes of a flow that form the new one, and the rest of the old one. */
interface PartPlan {
  readonly nodes: readonly string[];
  /** The head of the new flow. Default: the head of the old one, or the nearest node before it. */
  readonly head?: string;
  /** Absent: it stays as it is. */
  readonly rest?: Flow;
}

/** Creates a flow from some nodes of another. */
export async function makePart(
  context: StructureContext,
  step: string,
  node: string,
  { name, alias, description, ...options }: PartOptions,
  plan: (graph: FlowGraph, flow: Flow) => PartPlan,
): Promise<Committed> {
  const { project } = context;
  return editStructure(context, step, options, async ({ flow }) => {
    assertNode(flow, node);
    const { nodes, rest, head } = plan(new FlowGraph(flow), flow);
    const given = {
      id: project.createId(),
      name: name ?? (await titleOf(context, node)),
      ...defined({ alias, description }),
    };
    const part = partOf(flow, nodes, given, project.clock());
    const newFlow = checkNames({ ...part, ...defined({ head }) });
    await assertNamesFree(project, [newFlow.id, newFlow.alias]);
    return { newFlow, ...(rest ? { flow: rest } : {}) };
  });
}

async function titleOf({ project }: StructureContext, node: string): Promise<string> {
  const [row] = await project.index.nodes.rowsOf([node]);
  return row?.title.trim() || node;
}

/** Adds a new node after several others, as their merge; it becomes the head. */
export async function joinParents(
  context: StructureContext,
  step: string,
  parents: readonly string[],
  node: VizNode,
  options: EditOptions,
): Promise<MergedNode> {
  const distinct = [...new Set(parents)];
  if (distinct.length < 2) {
    throw new VizPromptError('invalid-input', 'a merge needs at least two nodes to join', {
      context: { parents },
    });
  }
  const committed = await editStructure(context, step, options, ({ flow }) => {
    for (const parent of distinct) assertNode(flow, parent);
    return { flow: addNode(flow, node.id, distinct), newNodes: [node] };
  });
  const [merged] = committed.newNodes;
  if (!merged) throw new Error('a merge gave no node back');
  return { flow: changedFlow(committed), node: merged };
}
