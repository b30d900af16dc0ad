import { type JsonObject, type JsonValue } from '@vizprompt/providers';
import { omitUndefined as defined, isJsonObject, type Role } from '@vizprompt/providers/internal';
import type { FlowGraph } from '../flow/flow-graph.ts';
import type { Flow } from '../flow/flow.ts';
import { type MessagePart, writeNotes } from '../import/conversation.ts';
import { isDocument } from '../import/documents.ts';
import type { StoredNode, VizNode } from '../node/node.ts';
import type { FlowView } from './flow-view.ts';
import { messagesOf, type NodeMessage } from './node-messages.ts';

/**
 * Returns a flow as a ChatGPT export with one conversation. All branches are in its `mapping`; a node that
 * continues from several is on its first branch and names the ends of the others in
 * `metadata.vizprompt.also_after`. Its last message has tags, keywords, summary and the names of branches
 * in `metadata.vizprompt`. Importing it gives the same graph, texts and notes.
 */
export function toChatGptExport(view: FlowView, nodes: ReadonlyMap<string, StoredNode>): string {
  const { flow, graph } = view;
  const { tree, ends } = placeAll(graph, nodes);
  const branches = branchesTo(flow, ends);
  for (const [id, end] of ends) {
    const { tags = [], summary } = nodes.get(id) ?? {};
    const { keywords = [] } = view.labels.get(id) ?? {};
    const notes = { tags, keywords, branches: branches.get(id) ?? new Map<string, string>() };
    tree.annotate(end, writeNotes({ ...notes, ...defined({ summary }) }));
  }
  const [, conversation = flow.id] = /^chatgpt:(.+)$/s.exec(flow.source ?? '') ?? [];
  const exported = {
    title: flow.name,
    create_time: secondsOf(flow.created),
    update_time: secondsOf(flow.updated),
    mapping: tree.mapping(),
    current_node: ends.get(flow.head ?? '') ?? ROOT,
    conversation_id: conversation,
    id: conversation,
  };
  return `${JSON.stringify([exported], null, 2)}\n`;
}

/** The node without a message that every mapping begins with. */
const ROOT = 'client-created-root';

/** Returns the names of the branches to each node, by the last messages of those that they come from. */
function branchesTo(
  { connections }: Flow,
  ends: ReadonlyMap<string, string>,
): ReadonlyMap<string, ReadonlyMap<string, string>> {
  const found = new Map<string, Map<string, string>>();
  for (const { from, to, branch } of connections) {
    const end = ends.get(from);
    if (branch === undefined || end === undefined) continue;
    const names = found.get(to) ?? new Map<string, string>();
    found.set(to, names.set(end, branch));
  }
  return found;
}

interface Placed {
  readonly tree: Tree;
  /** The last message of each node. */
  readonly ends: ReadonlyMap<string, string>;
}

/**
 * Puts the messages of all nodes into a tree. Answers to one message that was imported share it, as
 * they did; but where a node would then be no branch of its own any more, it gets copies.
 */
function placeAll(graph: FlowGraph, nodes: ReadonlyMap<string, VizNode>): Placed {
  const order = graph.topologicalOrder();
  const apart = new Set(order.filter((id) => graph.parents(id).length > 1));
  for (;;) {
    const placed = place(order, graph, nodes, apart);
    const merged = mergedNodes(placed).filter((id) => !apart.has(id));
    if (merged.length === 0) return placed;
    for (const id of merged) apart.add(id);
  }
}

function place(
  order: readonly string[],
  graph: FlowGraph,
  nodes: ReadonlyMap<string, VizNode>,
  apart: ReadonlySet<string>,
): Placed {
  const tree = new Tree();
  const ends = new Map<string, string>();
  for (const id of order) {
    const [parent, ...others] = graph.parents(id).map((other) => ends.get(other) ?? ROOT);
    let at = parent ?? ROOT;
    for (const [number, step] of stepsOf(id, nodes.get(id), parent !== undefined).entries()) {
      const isMerge = others.length > 0 && step.message.author.role === 'user';
      const message = isMerge ? merging(step.message, others) : step.message;
      const own = number === 0 ? id : `${id}/${number}`;
      at = tree.add(at, apart.has(id) ? own : (step.source ?? own), message);
    }
    ends.set(id, at);
  }
  return { tree, ends };
}

function merging(message: ChatGptMessage, others: readonly string[]): ChatGptMessage {
  return { ...message, metadata: { ...message.metadata, vizprompt: { also_after: others } } };
}

/** Nodes that cannot be distinguished from another: both end alike, or one ends within another's answers. */
function mergedNodes({ tree, ends }: Placed): string[] {
  const counts = new Map<string, number>();
  for (const end of ends.values()) counts.set(end, (counts.get(end) ?? 0) + 1);
  return [...ends].flatMap(([id, end]) => {
    return !tree.isEnd(end) || (counts.get(end) ?? 0) > 1 ? [id] : [];
  });
}

interface Step {
  readonly source?: string;
  readonly message: ChatGptMessage;
}

function stepsOf(id: string, node: VizNode | undefined, hasParent: boolean): Step[] {
  const { context, prompt, answers } = node
    ? messagesOf(node)
    : { context: [], prompt: textMessageOf(`(missing: ${id})`), answers: [] };
  // Without a message of the user, what follows would belong to the answers before it.
  const isNeeded = hasParent || context.length > 0 || answers[0]?.role !== 'assistant';
  const asked = prompt ?? (isNeeded ? textMessageOf('') : undefined);
  // A speaker next to the prompt sets the scene for it.
  const scene = context.map((message): NodeMessage => ({ ...message, role: 'system' }));
  const made = [...scene, ...(asked ? [asked] : []), ...answers].flatMap((message) =>
    toChatGpt(message, node?.model).map((piece, at) => ({
      ...defined({ source: sourceOf(message, at) }),
      message: piece,
    })),
  );
  return node?.status === 'aborted' ? interrupted(made) : made;
}

function textMessageOf(content: string): NodeMessage {
  return { role: 'user', parts: [{ type: 'text', text: content }] };
}

function sourceOf({ source }: NodeMessage, at: number): string | undefined {
  return source === undefined || at === 0 ? source : `${source}/${at}`;
}

function interrupted(steps: readonly Step[]): Step[] {
  return steps.map((step, at) => {
    if (at < steps.length - 1) return step;
    const metadata = { ...step.message.metadata, finish_details: { type: 'interrupted' } };
    return { ...step, message: { ...step.message, metadata } };
  });
}

interface Entry {
  readonly parent: string | null;
  readonly children: string[];
  readonly message: ChatGptMessage | null;
}

/** Messages by their ids. */
class Tree {
  readonly #entries = new Map<string, Entry>([
    [ROOT, { parent: null, children: [], message: null }],
  ]);

  /** Adds a message under another, or finds it there; gives the id that it has in the tree. */
  add(parent: string, wanted: string, message: ChatGptMessage): string {
    let id = wanted;
    for (let copy = 2; ; copy++) {
      const known = this.#entries.get(id);
      if (!known) break;
      if (known.parent === parent && isEqual(known.message, message)) return id;
      id = `${wanted}/copy-${copy}`;
    }
    this.#entries.set(id, { parent, children: [], message });
    this.#entries.get(parent)?.children.push(id);
    return id;
  }

  /** Adds to the metadata of a message what only VizPrompt knows. */
  annotate(id: string, notes: JsonObject): void {
    const entry = this.#entries.get(id);
    const message = entry?.message;
    if (!message || Object.keys(notes).length === 0) return;
    const { vizprompt } = message.metadata;
    const own = { ...(isJsonObject(vizprompt) ? vizprompt : {}), ...notes };
    const metadata = { ...message.metadata, vizprompt: own };
    this.#entries.set(id, { ...entry, message: { ...message, metadata } });
  }

  /** Checks whether answers end with a message: nothing continues from it, or a user does. */
  isEnd(id: string): boolean {
    const { children = [] } = this.#entries.get(id) ?? {};
    return children.length === 0 || children.some((child) => this.#leadsToPrompt(child));
  }

  /** Checks whether a message is a prompt, or one of those that set the scene for one. */
  #leadsToPrompt(start: string): boolean {
    const open = [start];
    for (let id = open.pop(); id !== undefined; id = open.pop()) {
      const { message, children = [] } = this.#entries.get(id) ?? {};
      const role = message?.author.role;
      if (role === 'user') continue;
      if (role !== 'system' || children.length === 0) return false;
      open.push(...children);
    }
    return true;
  }

  mapping(): Record<string, object> {
    return Object.fromEntries(
      [...this.#entries].map(([id, { parent, children, message }]) => {
        return [id, { id, message: message && { id, ...message }, parent, children }];
      }),
    );
  }
}

function isEqual(a: ChatGptMessage | null, b: ChatGptMessage): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

/** A message of ChatGPT, but for its place in the tree. */
interface ChatGptMessage {
  /** Its id, where it must have that very one. */
  readonly id?: string;
  readonly author: { readonly role: Role; readonly name: string | null; readonly metadata: object };
  readonly create_time: number | null;
  readonly content: JsonObject;
  readonly status: 'finished_successfully';
  readonly weight: 1;
  readonly metadata: JsonObject;
  readonly recipient: string;
}

/** Returns a message in ChatGPT's form, which knows one kind of content a message: often several. */
function toChatGpt(message: NodeMessage, model: string | undefined): ChatGptMessage[] {
  if (message.role === 'user') return [toUser(message)];
  const made: ChatGptMessage[] = [];
  let run: MessagePart[] = [];
  const end = (): void => {
    if (run.length > 0) made.push(...toContent(message, run, model));
    run = [];
  };
  for (const part of message.parts.filter((each) => !isDocument(each))) {
    const [first] = run;
    if (first && kindOf(first) !== kindOf(part)) end();
    run.push(part);
  }
  end();
  return made;
}

/** Parts of the same kind share a message. */
function kindOf(part: MessagePart): unknown {
  if (part.type === 'reasoning') return 'reasoning';
  return part.type === 'file' || (part.type === 'text' && !part.meta) ? 'content' : part;
}

function toContent(
  message: NodeMessage,
  parts: readonly MessagePart[],
  model: string | undefined,
): ChatGptMessage[] {
  const [part] = parts;
  const metadata = defined({ model_slug: message.role === 'assistant' ? model : undefined });
  const shared = { message, metadata };
  if (part?.type === 'reasoning') {
    return [
      make({ ...shared, content: { content_type: 'thoughts', thoughts: parts.map(thought) } }),
    ];
  }
  if (part?.type === 'tool-call') {
    const content = contentOf(part.input, 'code');
    return [{ ...make({ ...shared, content, recipient: part.tool || 'tool' }), ...idOf(part) }];
  }
  if (part?.type === 'tool-result' && message.role !== 'system') {
    const name = message.name ?? part.tool;
    const author = { role: 'tool' as const, name: name || null, metadata: {} };
    return [{ ...make({ ...shared, content: contentOf(part.output, 'text') }), author }];
  }
  if (part?.type === 'data') return [make({ ...shared, content: wrapped(part) })];
  if (part?.type === 'tool-result') {
    return [make({ ...shared, content: contentOf(part.output, 'text') })];
  }
  if (part?.type === 'text' && typeof part.meta?.['code'] === 'string') {
    const content = { content_type: 'code', language: part.meta['code'], text: part.text };
    return [make({ ...shared, content })];
  }
  const { content, attachments } = multimodal(parts);
  return [make({ ...shared, content, metadata: { ...metadata, ...attachments } })];
}

function toUser(message: NodeMessage): ChatGptMessage {
  const { content, attachments } = multimodal(message.parts);
  return make({ message, content, metadata: attachments });
}

function make({
  message,
  content,
  metadata,
  recipient = 'all',
}: {
  readonly message: NodeMessage;
  readonly content: JsonObject;
  readonly metadata: JsonObject;
  readonly recipient?: string;
}): ChatGptMessage {
  return {
    author: { role: message.role, name: message.name ?? null, metadata: {} },
    create_time: message.time === undefined ? null : secondsOf(message.time),
    content,
    status: 'finished_successfully',
    weight: 1,
    metadata,
    recipient,
  };
}

function idOf({ id }: { readonly id: string }): { readonly id?: string } {
  return id === '' ? {} : { id };
}

/** Texts and files as one content; files that are only attached are in the metadata. */
function multimodal(parts: readonly MessagePart[]): {
  readonly content: JsonObject;
  readonly attachments: JsonObject;
} {
  const isAttached = (part: MessagePart): part is MessagePart & { readonly meta: JsonObject } =>
    part.type === 'file' &&
    part.uri?.startsWith('data:') !== true &&
    typeof part.meta?.['id'] === 'string' &&
    !('asset_pointer' in part.meta);
  const pieces = parts.filter((part) => !isAttached(part)).map(toPiece);
  const attached = parts.filter(isAttached).map(({ meta }) => meta);
  const isPlain = pieces.length === 0 || (pieces.length === 1 && typeof pieces[0] === 'string');
  return {
    content: isPlain
      ? { content_type: 'text', parts: pieces.length > 0 ? pieces : [''] }
      : { content_type: 'multimodal_text', parts: pieces },
    attachments: attached.length > 0 ? { attachments: attached } : {},
  };
}

function toPiece(part: MessagePart): JsonValue {
  if (part.type === 'text') return part.text;
  if (part.type === 'data') return wrapped(part);
  if (part.type !== 'file') {
    return { content_type: `vizprompt_${part.type}`, ...defined(part) };
  }
  const { uri, path, size, mediaType, fileName, meta } = part;
  if (uri?.startsWith('data:') === true && path === undefined) {
    const details = defined({ mime_type: mediaType, name: fileName });
    return { content_type: 'image_asset_pointer', ...meta, ...details, asset_pointer: uri };
  }
  if (meta && 'asset_pointer' in meta) return meta;
  const details = { size_bytes: size, mime_type: mediaType, name: fileName };
  return {
    content_type: 'image_asset_pointer',
    asset_pointer: uri ?? path ?? '',
    ...defined(details),
  };
}

/** Content that was kept as it came, or is marked as what it is. */
function wrapped({ kind, value }: Extract<MessagePart, { readonly type: 'data' }>): JsonObject {
  if (isJsonObject(value) && typeof value['content_type'] === 'string') return value;
  return { content_type: `vizprompt_${kind}`, value };
}

/** Returns the input or the output of a tool as a string. */
function contentOf(value: JsonValue, kind: 'code' | 'text'): JsonObject {
  if (isJsonObject(value) && typeof value['content_type'] === 'string') return value;
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  const language = typeof value === 'string' ? 'unknown' : 'json';
  return kind === 'code'
    ? { content_type: 'code', language, text }
    : { content_type: 'text', parts: [text] };
}

function thought(part: MessagePart): JsonObject {
  const text = part.type === 'reasoning' ? part.text : '';
  const { meta = {} } = part;
  const isTheirs = typeof meta['summary'] === 'string' && typeof meta['content'] === 'string';
  return isTheirs ? meta : { summary: '', content: text, ...(part.meta ? { meta } : {}) };
}

/** Seconds since 1970, to the microsecond. */
function secondsOf(time: string): number | null {
  const milliseconds = Date.parse(time);
  if (Number.isNaN(milliseconds)) return null;
  const [, digits = '0'] = /[.,](\d+)/.exec(time) ?? [];
  return Math.floor(milliseconds / 1000) + Number(`0.${digits.slice(0, 6)}`);
}
