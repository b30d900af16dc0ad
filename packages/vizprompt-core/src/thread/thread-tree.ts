import { omitUndefined as defined } from '@vizprompt/providers/internal';
import { VizPromptError } from '../errors.ts';
import { FlowGraph } from '../flow/flow-graph.ts';
import type { Flow } from '../flow/flow.ts';
import { askersOf } from '../node/edit-node.ts';
import type { NodePart, StoredNode } from '../node/node.ts';
import { answerOf, isSameSide, type MessageSide, readMark } from './message-side.ts';

/** A message in a tree. */
interface TreeItem {
  readonly parentId: string | null;
  readonly side: MessageSide;
}

/** Messages as a tree: each is known by its id, and siblings are in the order of the map. */
export interface MessageTree {
  readonly headId: string | null;
  readonly items: ReadonlyMap<string, TreeItem>;
  /** The new ids of messages that got another one since the tree was read, by those that they had. */
  readonly renamed: ReadonlyMap<string, string>;
}

/** A change of a tree, with messages as sides. */
export type TreeChange =
  | {
      readonly type: 'append';
      readonly side: MessageSide;
      readonly parentId: string | null;
      readonly isHead: boolean;
    }
  | { readonly type: 'update' | 'edit'; readonly side: MessageSide }
  | { readonly type: 'rename'; readonly id: string; readonly to: string }
  | { readonly type: 'delete'; readonly id: string }
  | { readonly type: 'head'; readonly id: string | null };

/**
 * Applies a change to a tree.
 *
 * @throws VizPromptError with the code `invalid-input` that names the message.
 */
export function changeTree(tree: MessageTree, change: TreeChange): MessageTree {
  switch (change.type) {
    case 'append':
      return append(tree, change);
    case 'update':
      return update(tree, change.side);
    case 'edit':
      return edit(tree, change.side);
    case 'rename':
      return rename(tree, change.id, change.to);
    case 'delete':
      return remove(tree, change.id);
    default:
      if (change.id !== null) itemOf(tree, change.id);
      return { ...tree, headId: change.id };
  }
}

function append(
  tree: MessageTree,
  { side, parentId, isHead }: Extract<TreeChange, { type: 'append' }>,
): MessageTree {
  if (tree.items.has(side.id)) return update(tree, side);
  if (parentId !== null) itemOf(tree, parentId);
  const items = new Map(tree.items).set(side.id, { parentId, side });
  return { ...tree, items, headId: isHead ? side.id : tree.headId };
}

function update(tree: MessageTree, side: MessageSide): MessageTree {
  const item = itemOf(tree, side.id);
  if (item.side.role !== side.role) {
    throw refused(side.id, `has the role '${item.side.role}', which cannot become '${side.role}'`);
  }
  const { model, status, speaker } = item.side;
  const next = { ...side, ...defined({ model, status, speaker }), ...defined(answerOf(side)) };
  if (isSameSide(item.side, next)) return tree;
  return { ...tree, items: new Map(tree.items).set(side.id, { ...item, side: next }) };
}

/** The old version gets the first id that is free; what follows it stays with it. */
function edit(tree: MessageTree, side: MessageSide): MessageTree {
  const { parentId, side: old } = itemOf(tree, side.id);
  if (isSameSide(old, side)) return { ...tree, headId: side.id };
  let version = 1;
  while (tree.items.has(`${side.id}~${version}`)) version++;
  const renamed = rename(tree, side.id, `${side.id}~${version}`);
  return append(renamed, { type: 'append', side, parentId, isHead: true });
}

function rename(tree: MessageTree, id: string, to: string): MessageTree {
  itemOf(tree, id);
  if (tree.items.has(to)) throw refused(to, 'exists, so that no other can have its id');
  const named = (other: string | null): string | null => (other === id ? to : other);
  const items = [...tree.items].map(([known, { parentId, side }]): [string, TreeItem] =>
    known === id
      ? [to, { parentId, side: withId(side, to) }]
      : [known, { parentId: named(parentId), side }],
  );
  // A message that is renamed twice has the last of its names.
  const first = [...tree.renamed].find(([, name]) => name === id)?.[0] ?? id;
  const renamed = new Map(tree.renamed).set(first, to);
  return { headId: named(tree.headId), items: new Map(items), renamed };
}

/** The id of a message is in its mark, too. */
function withId(side: MessageSide, id: string): MessageSide {
  const [mark, ...rest] = side.parts;
  const parts = mark?.source === side.id ? [{ ...mark, source: id }, ...rest] : side.parts;
  return { ...side, id, parts };
}

function remove(tree: MessageTree, id: string): MessageTree {
  const { parentId } = itemOf(tree, id);
  const items = new Map<string, TreeItem>();
  const moved: [string, TreeItem][] = [];
  for (const [known, item] of tree.items) {
    if (known === id) continue;
    if (item.parentId === id) moved.push([known, { ...item, parentId }]);
    else items.set(known, item);
  }
  for (const [known, item] of moved) items.set(known, item);
  return { ...tree, headId: tree.headId === id ? parentId : tree.headId, items };
}

function itemOf({ items }: MessageTree, id: string): TreeItem {
  const item = items.get(id);
  if (item) return item;
  throw refused(id, 'is not in the thread');
}

function refused(id: string, problem: string): VizPromptError {
  return new VizPromptError('invalid-input', `the message '${id}' ${problem}`, {
    context: { message: id },
  });
}

/** Returns the ids of the messages that follow each one; under `null` those at the root. */
export function childrenOf({ items }: MessageTree): ReadonlyMap<string | null, readonly string[]> {
  const children = new Map<string | null, string[]>();
  for (const [id, { parentId }] of items) {
    const siblings = children.get(parentId);
    if (siblings) siblings.push(id);
    else children.set(parentId, [id]);
  }
  return children;
}

/** Returns all ids, each after that of its parent, branch after branch. */
export function inPreOrder(tree: MessageTree): readonly string[] {
  const children = childrenOf(tree);
  const order: string[] = [];
  const open = (children.get(null) ?? []).toReversed();
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    order.push(id);
    open.push(...(children.get(id) ?? []).toReversed());
  }
  return order;
}

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
