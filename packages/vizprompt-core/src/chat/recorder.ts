import type { Turn, TurnRecorder } from '@vizprompt/providers';
import { TURN } from '@vizprompt/providers/config/internal';
import type { ErrorJson } from '@vizprompt/providers/internal';
import { VizPromptError } from '../errors.ts';
import { addNode, connect, emptyFlow } from '../flow/flow-graph.ts';
import type { Flow } from '../flow/flow.ts';
import { formatTime, timeValue, uuidFromName } from '../format/ids-and-times.ts';
import { findFlowFile, flowChange } from '../graph/flow-files.ts';
import { sideOf } from '../node/chat-parts.ts';
import { checkNode, sayWhoAsks } from '../node/edit-node.ts';
import type { NodePart, NodeStats, StoredNode, VizNode } from '../node/node.ts';
import { checkArgument } from '../input-kinds.ts';
import { readStoredNode } from '../node/read-node-xml.ts';
import type { Project } from '../project/project.ts';
import { commit, type Committed, emitCommitEvents, repeatOnConflict } from '../write/commit.ts';

/**
 * Keeps the turns of conversations that are led elsewhere: each conversation becomes a flow, each turn a
 * node. Turns that follow the same turn are branches; a turn that follows several is a merge.
 */
export function createRecorder(project: Project): TurnRecorder {
  return {
    specVersion: 1,
    async record(turn) {
      project.assertOpen();
      checkArgument('the turn of record', turn, TURN);
      const node = await nodeOf(project, turn);
      const committed = await project.write(() =>
        repeatOnConflict(() => save(project, turn, node)),
      );
      emitCommitEvents(project, committed);
    },
  };
}

/** Returns the id of the flow of a conversation: always the same. */
function flowIdOf(conversation: string): string {
  return uuidFromName('flow', 'turns', conversation);
}

function nodeIdOf(conversation: string, turn: string): string {
  return uuidFromName('node', 'turns', conversation, turn);
}

async function nodeOf({ files }: Project, turn: Turn): Promise<VizNode> {
  const { conversationId, id, kind, model, speaker, status, startedAt, error } = turn;
  const asked = await sideOf(files, turn.input);
  const answered = await sideOf(files, turn.output);
  const failure: readonly NodePart[] = error ? [errorPart(error)] : [];
  return checkNode({
    id: nodeIdOf(conversationId, id),
    timestamp: startedAt,
    prompt: asked.text,
    response: answered.text,
    ...(model === undefined ? {} : { model }),
    stats: statsOf(turn),
    summary: { text: '', isOutdated: true },
    tags: kind === 'turn' ? [] : [kind],
    ...(status === 'done' ? {} : { status }),
    speaker,
    source: `turn:${conversationId}:${id}`,
    promptParts: sayWhoAsks(asked.text, asked.parts, turn.askedBy),
    responseParts: [...answered.parts, ...failure],
  });
}

function errorPart({ name, code, message }: ErrorJson): NodePart {
  return { type: 'data', kind: 'error', value: { name, code, message } };
}

function statsOf({ usage = {}, startedAt, endedAt }: Turn): VizNode['stats'] {
  const { inputTokens, outputTokens } = usage;
  const seconds = endedAt === undefined ? 0 : (timeValue(endedAt) - timeValue(startedAt)) / 1000;
  const stats = (count: number, duration: number): NodeStats => ({
    count,
    duration,
    rate: duration > 0 ? count / duration : 0,
  });
  return {
    ...(inputTokens === undefined ? {} : { user: stats(inputTokens, 0) }),
    ...(outputTokens === undefined ? {} : { assistant: stats(outputTokens, Math.max(0, seconds)) }),
  };
}

async function save(project: Project, turn: Turn, node: VizNode): Promise<Committed> {
  const stored = await find(project, node.id);
  const existing = await findFlowFile(project, flowIdOf(turn.conversationId));
  const before = existing?.flow ?? newFlow(project, turn.conversationId);
  const flow = { ...place(before, turn, node.id), updated: formatTime(project.clock()) };
  return commit(project, {
    ...(stored ? { changedNodes: [replace(stored, node)] } : { newNodes: [node] }),
    ...flowChange(project, existing, flow),
  });
}

async function find({ index, files }: Project, id: string): Promise<StoredNode | undefined> {
  const [file] = await index.nodes.filesOf(id);
  return file === undefined ? undefined : readStoredNode(files, file);
}

/** Keeps what was derived from a node since, and its time, which the node map has, too. */
function replace(
  { file, version, ...stored }: StoredNode,
  node: VizNode,
): { file: string; version: string; node: VizNode } {
  const isSame = stored.prompt === node.prompt && stored.response === node.response;
  const summary = isSame ? stored.summary : { ...stored.summary, isOutdated: true };
  return {
    file,
    version,
    node: {
      ...node,
      timestamp: stored.timestamp,
      tags: [...new Set([...stored.tags, ...node.tags])],
      summary,
    },
  };
}

function newFlow({ clock }: Project, conversation: string): Flow {
  const source = `turn:${conversation}`;
  return emptyFlow({ id: flowIdOf(conversation), name: conversation, source }, clock());
}

/** Returns the flow with the turn after those that it follows, and after no others. */
function place(flow: Flow, { conversationId, id, follows }: Turn, node: string): Flow {
  const known = new Set(flow.nodes.map((entry) => entry.id));
  const parents = [...new Set(follows)].map((turn) => {
    const parent = nodeIdOf(conversationId, turn);
    if (known.has(parent)) return parent;
    throw new VizPromptError(
      'node-not-found',
      `the turn '${id}' follows '${turn}', which was not recorded in '${conversationId}'`,
      { context: { conversation: conversationId, turn, follows: id } },
    );
  });
  if (!known.has(node)) return addNode(flow, node, parents);
  const kept = flow.connections.filter(({ from, to }) => to !== node || parents.includes(from));
  const moved: Flow = { ...flow, connections: kept };
  return parents.reduce((changed, parent) => connect(changed, parent, node), moved);
}
