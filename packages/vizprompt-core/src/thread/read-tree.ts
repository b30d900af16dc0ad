import { FlowGraph } from '../flow/flow-graph.ts';
import type { Flow } from '../flow/flow.ts';
import { askersOf } from '../node/askers.ts';
import type { NodePart, StoredNode } from '../node/node.ts';
import { answerOf, type MessageSide, readMark } from './message-side.ts';
import type { MessageTree, TreeItem } from './thread-tree.ts';

/** A node of a flow with the messages that its sides are. */
export interface PlacedNode {
  readonly node: StoredNode;
  readonly prompt?: MessageSide;
  readonly answer?: MessageSide;
}

/** A flow as a tree of messages, and the nodes that hold them. */
export interface ReadTree {
  readonly tree: MessageTree;
  readonly placed: ReadonlyMap<string, PlacedNode>;
}

/**
 * Reads the messages of a flow. A message that several nodes hold, as answers to one question do, is one; the first node
 * of the list counts.
 */
export function readTree(
  flow: Pick<Flow, 'nodes' | 'connections' | 'head'>,
  nodes: ReadonlyMap<string, StoredNode>,
): ReadTree {
  const placed = new Map<string, PlacedNode>();
  for (const { id } of flow.nodes) {
    const node = nodes.get(id);
    if (node) placed.set(id, placedNode(node));
  }
  const graph = new FlowGraph(flow);
  /** The last message at a node or before it. */
  const lastAt = (start: string | undefined): string | null => {
    for (let at = start; at !== undefined; at = graph.parents(at)[0]) {
      const last = placed.get(at)?.answer ?? placed.get(at)?.prompt;
      if (last) return last.id;
    }
    return null;
  };
  const items = new Map<string, TreeItem>();
  for (const [id, { prompt, answer }] of placed) {
    let parentId = lastAt(graph.parents(id)[0]);
    for (const side of [prompt, answer]) {
      if (!side) continue;
      if (!items.has(side.id)) items.set(side.id, { parentId, side });
      parentId = side.id;
    }
  }
  return { tree: { headId: lastAt(flow.head), items, renamed: new Map() }, placed };
}

/** The sides of nodes stay the same as long as the nodes do, so that what changed is known without comparing. */
const known = new WeakMap<StoredNode, PlacedNode>();

function placedNode(node: StoredNode): PlacedNode {
  const cached = known.get(node);
  if (cached) return cached;
  const prompt = promptSide(node);
  const answer = answerSide(node);
  const placed = { node, ...(prompt ? { prompt } : {}), ...(answer ? { answer } : {}) };
  known.set(node, placed);
  return placed;
}

function promptSide(node: StoredNode): MessageSide | undefined {
  const { prompt: text, promptParts: parts } = node;
  const [speaker] = askersOf(node);
  const side = sideOf(text, parts, { id: `${node.id}:prompt`, role: 'user' });
  return side && { ...side, ...(speaker === undefined ? {} : { speaker }) };
}

function answerSide(node: StoredNode): MessageSide | undefined {
  const { response: text, responseParts: parts } = node;
  const side = sideOf(text, parts, { id: `${node.id}:response`, role: 'assistant' });
  return side && { ...side, ...answerOf(node) };
}

/** A side that says nothing is not a message. */
function sideOf(
  text: string,
  parts: readonly NodePart[],
  other: Pick<MessageSide, 'id' | 'role'>,
): MessageSide | undefined {
  const { id, role } = readMark(parts) ?? other;
  return text === '' && parts.length === 0 ? undefined : { id, role, text, parts };
}
