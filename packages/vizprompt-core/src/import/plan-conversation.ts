import { omitUndefined as defined } from '@vizprompt/providers/internal';
import { emptyFlow } from '../flow/edit-flow.ts';
import { FlowGraph } from '../flow/flow-graph.ts';
import type { Flow, FlowConnection } from '../flow/flow.ts';
import { findFlowFile } from '../graph/flow-files.ts';
import { titleOf } from '../index/node-index.ts';
import type { StoredNode, VizNode } from '../node/node.ts';
import { readStoredNode } from '../node/read-node-xml.ts';
import type { Project } from '../project/project.ts';
import { BrokenEntry, type ImportedConversation, type ReadyFlow } from './conversation.ts';
import {
  flowIdOf,
  lastOf,
  nodeFromPair,
  nodeIdOf,
  pairMessages,
  sourcesOf,
} from './pair-messages.ts';

/** The nodes and the flow that a conversation becomes. */
export interface Plan {
  /** The flow as it is where the project has none yet. */
  readonly flow: Flow;
  readonly nodes: readonly VizNode[];
  readonly keywords: ReadonlyMap<string, readonly string[]>;
  readonly messages: number;
}

/**
 * The plan of a conversation.
 *
 * @throws BrokenEntry if there is nothing in it.
 */
export function planFor(project: Project, conversation: ImportedConversation | ReadyFlow): Plan {
  return 'flow' in conversation ? planOfFlow(conversation) : planOf(project, conversation);
}

/** The plan of one that is called by its content, if it goes on from what the project has of it. */
export async function planEarlier(
  project: Project,
  conversation: ImportedConversation | ReadyFlow,
): Promise<Plan | undefined> {
  if ('flow' in conversation) return undefined;
  for (const id of await earlierIds(project, conversation)) {
    const plan = planOf(project, { ...conversation, id });
    if (await goesOn(project, plan)) return plan;
  }
  return undefined;
}

/** The ids under which the project may have the beginning of a conversation that it does not have. */
async function earlierIds(
  { index }: Project,
  { format, id, earlier = [] }: ImportedConversation,
): Promise<readonly string[]> {
  if (earlier.length === 0) return [];
  const flowIds = new Map([id, ...earlier].map((name) => [name, flowIdOf({ format, id: name })]));
  const known = await index.flows.known([...flowIds.values()]);
  const isKnown = (name: string): boolean => known.has(flowIds.get(name) ?? '');
  return isKnown(id) ? [] : earlier.filter(isKnown);
}

/** Whether one goes on from the other: the conversation from what the flow took from it, or that from it. */
async function goesOn(project: Project, { flow, nodes }: Plan): Promise<boolean> {
  const existing = await findFlowFile(project, flow.id);
  const ids = existing?.flow.nodes.map(({ id }) => id) ?? [];
  const stored = [...(await loadNodes(project, ids)).values()].filter(({ source }) =>
    source?.startsWith(`${flow.source}:`),
  );
  return isWithin(stored, nodes) || isWithin(nodes, stored);
}

/** Whether nodes are all among others, which hold their messages, and perhaps more behind them. */
function isWithin(nodes: readonly VizNode[], others: readonly VizNode[]): boolean {
  const known = new Map(others.map((node) => [node.id, node]));
  return nodes.every((node) => {
    const other = known.get(node.id);
    return other !== undefined && beginsWith(sourcesOf(other), sourcesOf(node));
  });
}

/** Whether a list begins with another. */
export function beginsWith(list: readonly string[], start: readonly string[]): boolean {
  return start.length <= list.length && start.every((item, at) => item === list[at]);
}

function planOf(project: Project, conversation: ImportedConversation): Plan {
  const { pairs, head } = pairMessages(conversation);
  const nodes = pairs.map((pair) => nodeFromPair(conversation, pair));
  const [first] = nodes;
  if (!first) throw new BrokenEntry('it holds no messages');
  const name = conversation.title.trim() || titleOf(first) || conversation.id;
  const numbered = nodes.map(({ id }, at) => ({ index: at + 1, id }));
  const connections = pairs.flatMap((pair) =>
    [...(pair.parent ? [pair.parent] : []), ...(pair.alsoAfter ?? [])].map((parent) => ({
      from: nodeIdOf(conversation, parent),
      to: nodeIdOf(conversation, pair),
      ...defined({ branch: lastOf(pair)?.notes?.branches.get(lastOf(parent)?.id ?? '') }),
    })),
  );
  const hasMerges = pairs.some(({ alsoAfter }) => alsoAfter);
  return {
    nodes,
    flow: {
      ...newFlow(project, conversation, name),
      nodes: numbered,
      // A tree is sound, and most conversations are trees.
      connections: hasMerges ? soundConnections({ nodes: numbered, connections }, []) : connections,
      ...(head ? { head: nodeIdOf(conversation, head) } : {}),
    },
    keywords: new Map(
      pairs.flatMap((pair) => {
        const { keywords = [] } = lastOf(pair)?.notes ?? {};
        return keywords.length > 0 ? [[nodeIdOf(conversation, pair), keywords]] : [];
      }),
    ),
    messages: conversation.messages.length,
  };
}

function planOfFlow({ flow, nodes, keywords }: ReadyFlow): Plan {
  const sides = nodes.flatMap(({ prompt, promptParts, response, responseParts }) => [
    prompt !== '' || promptParts.length > 0,
    response !== '' || responseParts.length > 0,
  ]);
  return { flow, nodes, keywords, messages: sides.filter(Boolean).length };
}

function newFlow({ clock }: Project, conversation: ImportedConversation, name: string): Flow {
  const { format, id, created, updated } = conversation;
  const source = `${format}:${id}`;
  const flow = emptyFlow({ id: flowIdOf(conversation), name, source }, clock());
  const first = created ?? flow.created;
  return { ...flow, created: first, updated: updated ?? first };
}

/** The nodes with these ids that the project has. */
export async function loadNodes(
  { index, files }: Project,
  ids: readonly string[],
): Promise<ReadonlyMap<string, StoredNode>> {
  const nodes = new Map<string, StoredNode>();
  for (const { id, file } of await index.nodes.rowsOf(ids)) {
    const node = await readStoredNode(files, file);
    if (node) nodes.set(id, node);
  }
  return nodes;
}

/**
 * The connections of a flow that make sense: those that lead from node to node, once, and not round
 * in a circle. Of each circle, the connection that stands last is left out.
 *
 * @param warnings - Takes what was left out.
 */
export function soundConnections(
  { nodes, connections }: Pick<Flow, 'nodes' | 'connections'>,
  warnings: string[],
): readonly FlowConnection[] {
  const ids = new Set(nodes.map(({ id }) => id));
  const known = new Set<string>();
  let sound = connections.filter(({ from, to }) => {
    const problem = problemOf(ids.has(from) && ids.has(to), known.has(`${from} ${to}`));
    if (problem) warnings.push(`the connection ${from} → ${to} ${problem}: it was left out`);
    known.add(`${from} ${to}`);
    return problem === undefined;
  });
  for (;;) {
    const cycle = new FlowGraph({ nodes, connections: sound }).findCycle();
    if (!cycle) return sound;
    const edges = new Set(cycle.map((id, at) => `${id} ${cycle[at + 1] ?? ''}`));
    const last = sound.findLast(({ from, to }) => edges.has(`${from} ${to}`));
    warnings.push(`the connection ${last?.from} → ${last?.to} closes a circle: it was left out`);
    sound = sound.filter((connection) => connection !== last);
  }
}

function problemOf(isBetweenNodes: boolean, isTwice: boolean): string | undefined {
  if (!isBetweenNodes) return 'leads to no node of the flow';
  return isTwice ? 'stands twice' : undefined;
}
