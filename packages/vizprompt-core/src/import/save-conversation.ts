import type { Flow, FlowConnection } from '../flow/flow.ts';
import { emptyFlow } from '../flow/flow-files.ts';
import { readFlowFile, type FlowFile } from '../flow/flow-file.ts';
import { titleOf } from '../index/node-index.ts';
import type { StoredNode, VizNode } from '../node/node.ts';
import { readStoredNode } from '../node/read-stored-node.ts';
import { commit, type Committed, type ProjectChanges } from '../project/commit.ts';
import type { Project } from '../project/project.ts';
import { formatTime } from '../project/time.ts';
import { BrokenEntry, type ImportedConversation } from './conversation.ts';
import { flowIdOf, nodeFromPair, nodeIdOf, sourcesOf } from './node-from-pair.ts';
import { pairMessages } from './pair-messages.ts';
import type { SavedConversation } from './report.ts';

/** A conversation as nodes and the way they follow each other. */
interface Plan {
  readonly nodes: readonly VizNode[];
  readonly connections: readonly FlowConnection[];
  readonly head: string;
}

/**
 * Writes a conversation as one batch: the nodes that are new, those that have grown, and its flow.
 *
 * @throws BrokenEntry if there is nothing in it.
 */
export async function saveConversation(
  project: Project,
  conversation: ImportedConversation,
): Promise<SavedConversation> {
  const plan = planOf(conversation);
  const [first] = plan.nodes;
  if (!first) throw new BrokenEntry('it holds no messages');
  const name = conversation.title.trim() || titleOf(first) || conversation.id;

  let committed: Committed | undefined;
  const done = await project.write(async (): Promise<SavedConversation> => {
    const known = await loadNodes(
      project,
      plan.nodes.map(({ id }) => id),
    );
    const newNodes = plan.nodes.filter(({ id }) => !known.has(id));
    const changedNodes = plan.nodes.flatMap((node) => {
      const stored = known.get(node.id);
      return stored && hasGrown(stored, node) ? [grow(stored, node)] : [];
    });
    const existing = await loadFlow(project, flowIdOf(conversation));
    const before = existing?.flow ?? newFlow(project, conversation, name);
    const flow = mergeInto(before, plan);
    const connected = flow.connections.length - before.connections.length;
    const isNew = !existing;
    const hasNews = flow !== before || newNodes.length + changedNodes.length > 0;
    if (hasNews || isNew) {
      const updated = isNew ? before.updated : formatTime(project.clock());
      const change = flowChange(project, existing, { ...flow, updated });
      committed = await commit(project, { newNodes, changedNodes, ...change });
    }
    return {
      flow: {
        id: flow.id,
        name: flow.name,
        nodes: plan.nodes.length,
        connections: plan.connections.length,
        outcome: isNew ? 'imported' : hasNews ? 'updated' : 'unchanged',
      },
      messages: conversation.messages.length,
      created: newNodes.length,
      updated: changedNodes.length,
      connected,
    };
  });
  if (committed) tell(project, committed);
  return done;
}

function tell({ events }: Project, committed: Committed): void {
  for (const node of committed.newNodes) events.emit('node:created', { node });
  for (const node of committed.changedNodes) events.emit('node:updated', { node });
  for (const flow of committed.newFlows) events.emit('flow:created', { flow });
  for (const flow of committed.changedFlows) events.emit('flow:updated', { flow });
}

function planOf(conversation: ImportedConversation): Plan {
  const { pairs, head } = pairMessages(conversation);
  return {
    nodes: pairs.map((pair) => nodeFromPair(conversation, pair)),
    connections: pairs.flatMap((pair) =>
      pair.parent
        ? [{ from: nodeIdOf(conversation, pair.parent), to: nodeIdOf(conversation, pair) }]
        : [],
    ),
    head: head ? nodeIdOf(conversation, head) : '',
  };
}

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

/** Whether a node holds all messages that it held, and more behind them. */
function hasGrown(stored: VizNode, node: VizNode): boolean {
  const before = sourcesOf(stored);
  const after = sourcesOf(node);
  return after.length > before.length && before.every((source, at) => source === after[at]);
}

/** The node as it is now, with what was found out about it since. */
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

interface ExistingFlow extends FlowFile {
  readonly file: string;
  readonly version: string;
}

async function loadFlow({ index, files }: Project, id: string): Promise<ExistingFlow | undefined> {
  const [file] = await index.flows.find(id);
  const stored = file === undefined ? null : await files.read(file);
  if (file === undefined || !stored) return undefined;
  return { ...readFlowFile(file, stored.text), file, version: stored.version };
}

function newFlow({ clock }: Project, conversation: ImportedConversation, name: string): Flow {
  const { format, id, created, updated } = conversation;
  const source = `${format}:${id}`;
  const flow = emptyFlow({ id: flowIdOf(conversation), name, source }, clock());
  const first = created ?? flow.created;
  return { ...flow, created: first, updated: updated ?? first };
}

/**
 * A flow with the nodes that it lacks, connected as they are in the conversation. How the nodes that
 * were in it follow each other is left as it is: that may have been changed by hand.
 */
function mergeInto(flow: Flow, { nodes, connections, head }: Plan): Flow {
  const known = new Set(flow.nodes.map(({ id }) => id));
  let index = flow.nodes.reduce((highest, node) => Math.max(highest, node.index), 0);
  const added = nodes.filter(({ id }) => !known.has(id)).map(({ id }) => ({ id, index: ++index }));
  if (added.length === 0) return flow;
  const isNew = new Set(added.map(({ id }) => id));
  return {
    ...flow,
    head,
    nodes: [...flow.nodes, ...added],
    connections: [...flow.connections, ...connections.filter(({ to }) => isNew.has(to))],
  };
}

function flowChange(
  { config }: Project,
  existing: ExistingFlow | undefined,
  flow: Flow,
): Pick<ProjectChanges, 'newFlows' | 'changedFlows'> {
  if (!existing) return { newFlows: [{ flow, withIds: config.settings.connectionIds }] };
  return { changedFlows: [{ ...existing, flow, before: existing.flow }] };
}
