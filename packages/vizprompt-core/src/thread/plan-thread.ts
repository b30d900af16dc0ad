import { omitUndefined as defined } from '@vizprompt/providers/internal';
import { addNode, connect, disconnect, FlowGraph, removeNode } from '../flow/flow-graph.ts';
import type { Flow } from '../flow/flow.ts';
import { checkNode } from '../node/edit-node.ts';
import type { StoredNode, VizNode } from '../node/node.ts';
import { answerOf, markedSide, type MessageSide } from './message-side.ts';
import {
  childrenOf,
  inPreOrder,
  type MessageTree,
  type PlacedNode,
  type ReadTree,
} from './thread-tree.ts';

/** The changes in a project that a change of a thread causes. */
export interface ThreadPlan {
  readonly flow: Flow;
  readonly newNodes: readonly VizNode[];
  readonly changedNodes: readonly { readonly stored: StoredNode; readonly node: VizNode }[];
  readonly removed: readonly string[];
}

/** The input of a plan. */
export interface ThreadEdit {
  readonly flow: Flow;
  readonly before: ReadTree;
  readonly after: MessageTree;
  readonly createId: () => string;
  readonly now: string;
}

/**
 * Plans what becomes of the nodes of a flow where its messages change. Nodes that hold the same messages stay as they are,
 * with their ids, summaries and tags; nodes that the thread did not need before are not touched.
 */
export function planThread(edit: ThreadEdit): ThreadPlan {
  const { before, after } = edit;
  const old = placeMessages(before.tree);
  const next = placeMessages(after);
  const held = heldPairs(edit, old);
  const { nodeOf, created } = assignNodes(edit, next, held);
  const used = new Set(nodeOf.values());
  const removed = [...held.keys()].filter((id) => !used.has(id));
  let flow = edit.flow;
  for (const id of removed) flow = removeNode(flow, id, true);
  for (const id of created) flow = addNode(flow, id, []);
  flow = connectPairs(flow, edit, { old, next, nodeOf, held });
  flow = withHead(orderSiblings(flow, after, next, nodeOf), edit, next, nodeOf);
  const contents = contentsOf(edit, next, nodeOf);
  return { flow, removed, ...contents };
}

/** The pair that each node held before, by the ids that messages have now. */
type HeldPairs = ReadonlyMap<string, MessagePair>;

function heldPairs({ before, after }: ThreadEdit, old: Placement): HeldPairs {
  const nameOf = (id: string | undefined): string | null =>
    id === undefined ? null : (after.renamed.get(id) ?? id);
  const held = new Map<string, MessagePair>();
  const seen = new Set<string>();
  for (const [id, { prompt, answer }] of before.placed) {
    const key = keyOf({ prompt: prompt?.id ?? null, answer: answer?.id ?? null });
    if (seen.has(key) || !old.pairs.has(key)) continue;
    seen.add(key);
    held.set(id, { prompt: nameOf(prompt?.id), answer: nameOf(answer?.id) });
  }
  return held;
}

type NodeOf = ReadonlyMap<string, string>;

/** Finds the node of each pair: the one that holds it, or its answer, or its question alone; or a new one. */
function assignNodes(
  { createId }: ThreadEdit,
  { pairs }: Placement,
  held: HeldPairs,
): { readonly nodeOf: NodeOf; readonly created: readonly string[] } {
  const nodeOf = new Map<string, string>();
  const free = new Map(held);
  const take = (key: string, id: string): void => {
    nodeOf.set(key, id);
    free.delete(id);
  };
  for (const [id, pair] of held) if (pairs.has(keyOf(pair))) take(keyOf(pair), id);
  const fits: readonly ((wanted: MessagePair, has: MessagePair) => boolean)[] = [
    ({ answer }, has) => answer !== null && has.answer === answer,
    ({ prompt }, has) => prompt !== null && has.prompt === prompt && has.answer === null,
    ({ prompt, answer }, has) => answer === null && prompt !== null && has.prompt === prompt,
  ];
  for (const fit of fits) {
    for (const [key, pair] of pairs) {
      if (nodeOf.has(key)) continue;
      const found = [...free].find(([, has]) => fit(pair, has));
      if (found) take(key, found[0]);
    }
  }
  const created: string[] = [];
  for (const key of pairs.keys()) {
    if (nodeOf.has(key)) continue;
    const id = createId();
    created.push(id);
    nodeOf.set(key, id);
  }
  return { nodeOf, created };
}

interface Moves {
  readonly old: Placement;
  readonly next: Placement;
  readonly nodeOf: NodeOf;
  readonly held: HeldPairs;
}

/** Connects nodes that are new, and those that follow another one than before. */
function connectPairs(flow: Flow, { before }: ThreadEdit, moves: Moves): Flow {
  const { old, next, nodeOf, held } = moves;
  const oldNodeOf = new Map<string, string>();
  for (const [id, { prompt, answer }] of before.placed) {
    const key = keyOf({ prompt: prompt?.id ?? null, answer: answer?.id ?? null });
    if (held.has(id)) oldNodeOf.set(key, id);
  }
  const parentBefore = (id: string): string | null | undefined => {
    const placed = held.has(id) ? before.placed.get(id) : undefined;
    if (!placed) return undefined;
    const parent = old.parentOf(pairOf(placed));
    return parent && (oldNodeOf.get(keyOf(parent)) ?? null);
  };
  let changed = flow;
  for (const [key, pair] of next.pairs) {
    const id = nodeOf.get(key) ?? '';
    const parent = next.parentOf(pair);
    const wanted = parent && (nodeOf.get(keyOf(parent)) ?? null);
    if (parentBefore(id) === wanted) continue;
    for (const from of new FlowGraph(changed).parents(id)) changed = disconnect(changed, from, id);
    if (wanted !== null) changed = connect(changed, wanted, id);
  }
  return changed;
}

function pairOf({ prompt, answer }: PlacedNode): MessagePair {
  return { prompt: prompt?.id ?? null, answer: answer?.id ?? null };
}

/** Siblings are in the order in which the list of the flow first names them. */
function orderSiblings(flow: Flow, after: MessageTree, next: Placement, nodeOf: NodeOf): Flow {
  const pairAt = new Map([...nodeOf].map(([key, id]) => [id, next.pairs.get(key)]));
  const places = new Map<string, number>();
  for (const { id } of flow.nodes) {
    const { prompt = null, answer = null } = pairAt.get(id) ?? {};
    for (const message of [prompt, answer]) {
      if (message !== null && !places.has(message)) places.set(message, places.size);
    }
  }
  const placeOf = (id: string | undefined): number => places.get(id ?? '') ?? 0;
  const isInOrder = [...childrenOf(after).values()].every((siblings) =>
    siblings.every((id, at) => at === 0 || placeOf(siblings[at - 1]) < placeOf(id)),
  );
  if (isInOrder) return flow;
  const order = new Map([...next.pairs.keys()].map((key, at) => [nodeOf.get(key), at]));
  const rankOf = (id: string): number => order.get(id) ?? order.size;
  return { ...flow, nodes: flow.nodes.toSorted((a, b) => rankOf(a.id) - rankOf(b.id)) };
}

function withHead(flow: Flow, edit: ThreadEdit, next: Placement, nodeOf: NodeOf): Flow {
  const { headId } = edit.after;
  const { head: _, ...rest } = flow;
  if (headId === null) return rest;
  const { headId: old } = edit.before.tree;
  const isSame = old !== null && (edit.after.renamed.get(old) ?? old) === headId;
  // The head may be a node after the message in which nothing was said yet.
  const { head: before = '' } = edit.flow;
  const { prompt, answer } = edit.before.placed.get(before) ?? {};
  const isKept = isSame && !prompt && !answer && flow.nodes.some(({ id }) => id === before);
  const head = isKept ? before : nodeOf.get(keyOf(next.pairEndingWith(headId)));
  return { ...rest, ...defined({ head }) };
}

/** Writes what nodes hold that are new, that hold other messages, or whose messages say something else. */
function contentsOf(
  { before, after, now }: ThreadEdit,
  next: Placement,
  nodeOf: NodeOf,
): Pick<ThreadPlan, 'newNodes' | 'changedNodes'> {
  const oldIds = new Map([...after.renamed].map(([from, to]) => [to, from]));
  const isChanged = (id: string): boolean => {
    const old = before.tree.items.get(oldIds.get(id) ?? id);
    return old?.side !== after.items.get(id)?.side;
  };
  const newNodes: VizNode[] = [];
  const changedNodes: { readonly stored: StoredNode; readonly node: VizNode }[] = [];
  for (const [key, { prompt, answer }] of next.pairs) {
    const id = nodeOf.get(key) ?? '';
    const placed = before.placed.get(id);
    const wanted = {
      prompt: prompt === null ? undefined : after.items.get(prompt)?.side,
      answer: answer === null ? undefined : after.items.get(answer)?.side,
    };
    if (!placed) {
      const asked = withPrompt(emptyNode(id, now), wanted.prompt);
      newNodes.push(checkNode(withAnswer(asked, wanted.answer)));
      continue;
    }
    const isSame = (side: 'prompt' | 'answer'): boolean => {
      const message = wanted[side]?.id;
      return placed[side]?.id === message && (message === undefined || !isChanged(message));
    };
    if (isSame('prompt') && isSame('answer')) continue;
    const { file: _file, version: _version, ...node } = placed.node;
    const asked = isSame('prompt') ? node : withPrompt(node, wanted.prompt);
    const answered = isSame('answer') ? asked : withAnswer(asked, wanted.answer);
    changedNodes.push({ stored: placed.node, node: checkNode(outdated(node, answered)) });
  }
  return { newNodes, changedNodes };
}

function emptyNode(id: string, timestamp: string): VizNode {
  return {
    id,
    timestamp,
    prompt: '',
    response: '',
    stats: {},
    summary: { text: '', isOutdated: true },
    tags: [],
    promptParts: [],
    responseParts: [],
  };
}

function withPrompt(node: VizNode, side: MessageSide | undefined): VizNode {
  const { text = '', parts = [] } = side ? markedSide(side) : {};
  return { ...node, prompt: text, promptParts: parts };
}

function withAnswer(node: VizNode, side: MessageSide | undefined): VizNode {
  const { text = '', parts = [] } = side ? markedSide(side) : {};
  const answered = { ...node, response: text, responseParts: parts };
  if (side) return { ...answered, ...defined(answerOf(side)) };
  const { model: _model, status: _status, speaker: _speaker, ...rest } = answered;
  return { ...rest, stats: defined({ user: node.stats.user }) };
}

function outdated(before: VizNode, after: VizNode): VizNode {
  const isSame = before.prompt === after.prompt && before.response === after.response;
  return isSame ? after : { ...after, summary: { ...after.summary, isOutdated: true } };
}

/** The messages that one node holds: a question, its answer, or both. */
interface MessagePair {
  readonly prompt: string | null;
  readonly answer: string | null;
}

/** Returns the key of a pair. */
function keyOf({ prompt, answer }: MessagePair): string {
  return JSON.stringify([prompt, answer]);
}

/** The nodes that a tree of messages needs. */
interface Placement {
  /** Each pair by its key, so that messages come after their parents and siblings in their order. */
  readonly pairs: ReadonlyMap<string, MessagePair>;
  /** Returns the pair that ends with a message; its replies follow this pair. */
  pairEndingWith(message: string): MessagePair;
  /** The pair that a pair follows; `null`: none. */
  parentOf(pair: MessagePair): MessagePair | null;
}

/**
 * Says which nodes hold the messages of a tree. Each answer to a question makes a node of both. A question is in a node of
 * its own where it has no answer, where another question follows it, and where it is the head.
 */
function placeMessages(tree: MessageTree): Placement {
  const { items, headId } = tree;
  const children = childrenOf(tree);
  const isAnswer = (id: string): boolean => items.get(id)?.side.role === 'assistant';
  const parentIn = (id: string): string | null => items.get(id)?.parentId ?? null;
  const questionOf = (answer: string): string | null => {
    const parent = parentIn(answer);
    return parent === null || isAnswer(parent) ? null : parent;
  };
  const pairEndingWith = (id: string): MessagePair =>
    isAnswer(id) ? { prompt: questionOf(id), answer: id } : { prompt: id, answer: null };
  const pairs = new Map<string, MessagePair>();
  for (const id of inPreOrder(tree)) {
    const below = children.get(id) ?? [];
    const isBare = id === headId || below.length === 0 || below.some((child) => !isAnswer(child));
    if (!isAnswer(id) && !isBare) continue;
    const pair = pairEndingWith(id);
    pairs.set(keyOf(pair), pair);
  }
  return {
    pairs,
    pairEndingWith,
    parentOf({ prompt, answer }) {
      const before = parentIn(prompt ?? answer ?? '');
      return before === null ? null : pairEndingWith(before);
    },
  };
}
