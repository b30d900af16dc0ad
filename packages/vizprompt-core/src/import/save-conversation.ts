import { omitUndefined as defined } from '@vizprompt/providers/internal';
import { emptyFlow, FlowGraph } from '../flow/flow-graph.ts';
import type { Flow, FlowConnection } from '../flow/flow.ts';
import { formatTime } from '../format/ids-and-times.ts';
import { findFlowFile, flowChange } from '../graph/flow-files.ts';
import { titleOf } from '../index/node-index.ts';
import { attachmentKey, attachmentKeys, storeAttachment } from '../node/attachments.ts';
import type { StoredNode, VizNode } from '../node/node.ts';
import { readStoredNode } from '../node/read-node-xml.ts';
import type { Project } from '../project/project.ts';
import { commit, type Committed, emitCommitEvents, type ProjectChanges } from '../write/commit.ts';
import { BrokenEntry, type ImportedConversation, type ReadyFlow } from './conversation.ts';
import {
  flowIdOf,
  lastOf,
  type MessagePair,
  nodeFromPair,
  nodeIdOf,
  pairMessages,
  sourcesOf,
} from './pair-messages.ts';
import type { SavedConversation } from './import-options.ts';

type Imported = ImportedConversation | ReadyFlow;

/** The nodes and the flow that a conversation becomes. */
interface Plan {
  /** The flow as it is where the project has none yet. */
  readonly flow: Flow;
  readonly nodes: readonly VizNode[];
  readonly keywords: ReadonlyMap<string, readonly string[]>;
  readonly messages: number;
}

/**
 * Returns the plan of a conversation.
 *
 * @throws BrokenEntry if there is nothing in it.
 */
function planFor(project: Project, conversation: Imported): Plan {
  return 'flow' in conversation ? planOfFlow(conversation) : planOf(project, conversation);
}

/** Plans a conversation whose id comes from its content, if it continues what the project has of it. */
async function planEarlier(project: Project, conversation: Imported): Promise<Plan | undefined> {
  if ('flow' in conversation) return undefined;
  for (const id of await earlierIds(project, conversation)) {
    const plan = planOf(project, { ...conversation, id });
    if (await goesOn(project, plan)) return plan;
  }
  return undefined;
}

/** Returns the ids under which the project may have the beginning of a conversation that it does not have. */
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

/** Checks whether the conversation continues what the flow took from it, or the reverse. */
async function goesOn(project: Project, { flow, nodes }: Plan): Promise<boolean> {
  const existing = await findFlowFile(project, flow.id);
  const ids = existing?.flow.nodes.map(({ id }) => id) ?? [];
  const stored = [...(await loadNodes(project, ids)).values()].filter(({ source }) =>
    source?.startsWith(`${flow.source}:`),
  );
  return isWithin(stored, nodes) || isWithin(nodes, stored);
}

/** Checks whether nodes are all among others, which hold their messages, and perhaps more after them. */
function isWithin(nodes: readonly VizNode[], others: readonly VizNode[]): boolean {
  const known = new Map(others.map((node) => [node.id, node]));
  return nodes.every((node) => {
    const other = known.get(node.id);
    return other !== undefined && beginsWith(sourcesOf(other), sourcesOf(node));
  });
}

/** Checks whether a list begins with another. */
function beginsWith(list: readonly string[], start: readonly string[]): boolean {
  return start.length <= list.length && start.every((item, at) => item === list[at]);
}

function planOf(project: Project, conversation: ImportedConversation): Plan {
  const { pairs, head } = pairMessages(conversation);
  const nodes = pairs.map((pair) => nodeFromPair(conversation, pair));
  const ids = new Map(pairs.map((pair, at) => [pair, nodes[at]?.id]));
  const idOf = (pair: MessagePair): string => ids.get(pair) ?? nodeIdOf(conversation, pair);
  const [first] = nodes;
  if (!first) throw new BrokenEntry('it holds no messages');
  const name = conversation.title.trim() || titleOf(first) || conversation.id;
  const numbered = nodes.map(({ id }, at) => ({ index: at + 1, id }));
  const connections = pairs.flatMap((pair) =>
    [...(pair.parent ? [pair.parent] : []), ...(pair.alsoAfter ?? [])].map((parent) => ({
      from: idOf(parent),
      to: idOf(pair),
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
      ...(head ? { head: idOf(head) } : {}),
    },
    keywords: new Map(
      pairs.flatMap((pair) => {
        const { keywords = [] } = lastOf(pair)?.notes ?? {};
        return keywords.length > 0 ? [[idOf(pair), keywords]] : [];
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

/** Returns the nodes with these ids that the project has. */
async function loadNodes(
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
 * Returns the sound connections of a flow: those that lead from node to node, once, and not in a circle. The
 * last connection of each circle is left out.
 *
 * @param warnings - Receives the connections that are left out.
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
  return isTwice ? 'occurs twice' : undefined;
}

/** A conversation that is to be written, and what it becomes. */
export interface PlannedConversation {
  readonly conversation: Imported;
  readonly plan: Plan;
}

/**
 * Plans a conversation.
 *
 * @throws BrokenEntry if there is nothing in it.
 */
export function planConversation(project: Project, conversation: Imported): PlannedConversation {
  return { conversation, plan: planFor(project, conversation) };
}

/** Returns the names by which a conversation has to do with others: of its flow, of its nodes, of what it was. */
export function namesOf({ conversation, plan: { flow, nodes } }: PlannedConversation): string[] {
  const earlier = 'flow' in conversation ? [] : (conversation.earlier ?? []);
  const { format } = conversation;
  return [
    flow.id,
    ...(flow.alias === undefined ? [] : [`alias ${flow.alias}`]),
    ...nodes.map(({ id }) => id),
    ...earlier.map((id) => flowIdOf({ format, id })),
  ];
}

/**
 * Writes conversations that have nothing to do with each other as one batch: of each the nodes that are new, those that
 * have grown, and its flow.
 *
 * @throws VizPromptError with the code `too-large` if a file of any of them is; then none is written.
 */
export async function saveConversations(
  project: Project,
  planned: readonly PlannedConversation[],
): Promise<readonly SavedConversation[]> {
  let committed: Committed | undefined;
  const done = await project.write(async () => {
    const works: Work[] = [];
    for (const one of planned) works.push(await workOf(project, one));
    const changes = works.flatMap((work) => work.changes ?? []);
    if (changes.length > 0) {
      committed = await commit(project, {
        newNodes: changes.flatMap(({ newNodes = [] }) => newNodes),
        newKeywords: new Map(changes.flatMap(({ newKeywords = [] }) => [...newKeywords])),
        changedNodes: changes.flatMap(({ changedNodes = [] }) => changedNodes),
        newFlows: changes.flatMap(({ newFlows = [] }) => newFlows),
        changedFlows: changes.flatMap(({ changedFlows = [] }) => changedFlows),
        isImport: true,
      });
    }
    return works.map(({ saved }) => saved);
  });
  if (committed) emitCommitEvents(project, committed);
  return done;
}

interface Work {
  /** Absent where there is nothing new. */
  readonly changes?: ProjectChanges;
  readonly saved: SavedConversation;
}

/** Compares a conversation with what the project has of it. */
async function workOf(
  project: Project,
  { conversation, plan: own }: PlannedConversation,
): Promise<Work> {
  const plan = (await planEarlier(project, conversation)) ?? own;
  const known = await loadNodes(
    project,
    plan.nodes.map(({ id }) => id),
  );
  const newNodes = plan.nodes.filter(({ id }) => !known.has(id));
  const changedNodes = plan.nodes.flatMap((node) => {
    const stored = known.get(node.id);
    return stored && hasGrown(stored, node) ? [grow(stored, node)] : [];
  });
  const existing = await findFlowFile(project, plan.flow.id);
  const before = existing?.flow;
  const flow = before ? mergeInto(before, plan.flow) : await withFreeAlias(project, plan.flow);
  const hasNews = flow !== before || newNodes.length + changedNodes.length > 0;
  const updated = before ? formatTime(project.clock()) : flow.updated;
  const change = hasNews && flowChange(project, existing, { ...flow, updated });
  const newKeywords = plan.keywords;
  return {
    ...(change ? { changes: { newNodes, newKeywords, changedNodes, ...change } } : {}),
    saved: {
      flow: {
        id: flow.id,
        name: flow.name,
        nodes: plan.nodes.length,
        connections: plan.flow.connections.length,
        outcome: before ? (hasNews ? 'updated' : 'unchanged') : 'imported',
      },
      messages: plan.messages,
      created: newNodes.length,
      updated: changedNodes.length,
      connected: flow.connections.length - (before?.connections.length ?? 0),
    },
  };
}

/** Returns an alias that another flow has cannot be taken. */
async function withFreeAlias({ index }: Project, flow: Flow): Promise<Flow> {
  const { alias, ...rest } = flow;
  if (alias === undefined || (await index.flows.find(alias)).length === 0) return flow;
  return rest;
}

/** Checks whether a node holds all messages that it held, and more after them. */
function hasGrown(stored: VizNode, node: VizNode): boolean {
  const before = sourcesOf(stored);
  const after = sourcesOf(node);
  return after.length > before.length && beginsWith(after, before);
}

/** Returns the node as it is now, with what was found out about it since. */
function grow(
  { file, version, ...stored }: StoredNode,
  node: VizNode,
): NonNullable<ProjectChanges['changedNodes']>[number] {
  const { tags, stats, summary } = stored;
  return {
    file,
    version,
    node: { ...node, tags, stats, summary: { ...summary, isOutdated: true } },
  };
}

/**
 * Returns a flow with the nodes that it lacks, connected as they are in the conversation. How the nodes that
 * were in it follow each other is left as it is: that may have been changed by hand.
 */
function mergeInto(flow: Flow, fresh: Flow): Flow {
  const known = new Set(flow.nodes.map(({ id }) => id));
  let index = flow.nodes.reduce((highest, node) => Math.max(highest, node.index), 0);
  const added = fresh.nodes
    .filter(({ id }) => !known.has(id))
    .map(({ id }) => ({ id, index: ++index }));
  if (added.length === 0) return flow;
  const isNew = new Set(added.map(({ id }) => id));
  const nodes = [...flow.nodes, ...added];
  const whole = [
    ...flow.connections,
    ...fresh.connections.filter(({ from, to }) => isNew.has(from) || isNew.has(to)),
  ];
  // Where connections were changed, those from a new node to a known one may close a circle.
  const isSound = !new FlowGraph({ nodes, connections: whole }).findCycle();
  const connections = isSound
    ? whole
    : [...flow.connections, ...fresh.connections.filter(({ to }) => isNew.has(to))];
  return { ...flow, ...(fresh.head === undefined ? {} : { head: fresh.head }), nodes, connections };
}

/** How many files are named; the rest is counted. */
const NAMED = 3;

/**
 * Stores the files that came with nodes and that the project lacks. A content that is not the one that
 * its path promises is left out.
 *
 * @param open - Gives a file that is next to the flow, if there is one.
 * @returns The missing parts then, as a warning.
 */
export async function keepAttachments(
  { files }: Project,
  { nodes, attachments }: ReadyFlow,
  open: (path: string) => Promise<Uint8Array | undefined> = async () => undefined,
): Promise<string[]> {
  const keys = attachmentKeys(nodes);
  if (keys.length === 0) return [];
  const known = new Set<string>();
  for await (const { key } of files.list('attachments/')) known.add(key);
  const missing: string[] = [];
  for (const key of keys) {
    if (known.has(key)) continue;
    const data = attachments.get(key) ?? (await open(key));
    if (data && attachmentKey(data) === key) await storeAttachment(files, data);
    else missing.push(data ? `${key} has another content than it says` : `${key} is not contained`);
  }
  if (missing.length === 0) return [];
  const more = missing.length > NAMED ? ` and ${missing.length - NAMED} more` : '';
  const named = missing.slice(0, NAMED).join(', ');
  return [`attached files were left out: ${named}${more}`];
}
