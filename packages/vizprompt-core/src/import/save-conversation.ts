import { FlowGraph } from '../flow/flow-graph.ts';
import type { Flow } from '../flow/flow.ts';
import { formatTime } from '../format/ids-and-times.ts';
import { findFlowFile, type FoundFlow } from '../graph/flow-files.ts';
import { attachmentKey, attachmentKeys, storeAttachment } from '../node/attachments.ts';
import type { StoredNode, VizNode } from '../node/node.ts';
import type { Project } from '../project/project.ts';
import { commit, type Committed, emitCommitEvents, type ProjectChanges } from '../write/commit.ts';
import type { ImportedConversation, ReadyFlow } from './conversation.ts';
import { sourcesOf } from './pair-messages.ts';
import { beginsWith, loadNodes, planEarlier, planFor } from './plan-conversation.ts';
import type { SavedConversation } from './report.ts';

/**
 * Writes a conversation as one batch: the nodes that are new, those that have grown, and its flow.
 *
 * @throws BrokenEntry if there is nothing in it.
 */
export async function saveConversation(
  project: Project,
  conversation: ImportedConversation | ReadyFlow,
): Promise<SavedConversation> {
  const own = planFor(project, conversation);
  let committed: Committed | undefined;
  const done = await project.write(async (): Promise<SavedConversation> => {
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
    const connected = flow.connections.length - (before?.connections.length ?? 0);
    const hasNews = flow !== before || newNodes.length + changedNodes.length > 0;
    if (hasNews) {
      const updated = before ? formatTime(project.clock()) : flow.updated;
      const change = flowChange(project, existing, { ...flow, updated });
      const newKeywords = plan.keywords;
      committed = await commit(project, { newNodes, newKeywords, changedNodes, ...change });
    }
    return {
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
      connected,
    };
  });
  if (committed) emitCommitEvents(project, committed);
  return done;
}

/** An alias that another flow has cannot be taken. */
async function withFreeAlias({ index }: Project, flow: Flow): Promise<Flow> {
  const { alias, ...rest } = flow;
  if (alias === undefined || (await index.flows.find(alias)).length === 0) return flow;
  return rest;
}

/** Whether a node holds all messages that it held, and more behind them. */
function hasGrown(stored: VizNode, node: VizNode): boolean {
  const before = sourcesOf(stored);
  const after = sourcesOf(node);
  return after.length > before.length && beginsWith(after, before);
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

/**
 * A flow with the nodes that it lacks, connected as they are in the conversation. How the nodes that
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

function flowChange(
  { config }: Project,
  existing: FoundFlow | undefined,
  flow: Flow,
): Pick<ProjectChanges, 'newFlows' | 'changedFlows'> {
  if (!existing) return { newFlows: [{ flow, withIds: config.settings.connectionIds }] };
  return { changedFlows: [{ ...existing, flow, before: existing.flow }] };
}

/** How many files are named; the rest is counted. */
const NAMED = 3;

/**
 * Stores the files that came with nodes and that the project lacks. A content that is not the one that
 * its path promises is left out.
 *
 * @param open - Gives a file that lies beside the flow, if there is one.
 * @returns What is missing then, as a warning.
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
