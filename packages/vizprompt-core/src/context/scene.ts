import { guessLanguage, type Language, withForgedLinesQuoted } from '@vizprompt/providers/internal';
import { VizPromptError } from '../errors.ts';
import { FlowGraph } from '../flow/flow-graph.ts';
import type { Flow } from '../flow/flow.ts';
import { type FlowFiles, flowOfNode, type LoadedFlow } from '../graph/flow-files.ts';
import { type ContextRow, parseList } from '../index/node-index.ts';
import { shownName, withAskers } from '../node/chat-parts.ts';
import type { StoredNode } from '../node/node.ts';
import { readHealthyNode, readStoredNode } from '../node/read-node-xml.ts';
import type { Project } from '../project/project.ts';
import type { ContextOptions } from './context-options.ts';

/** A node that may be in a context, as the index knows it. */
export interface ContextNode {
  readonly id: string;
  readonly label: string;
  /** Absent: its file is gone or cannot be understood. */
  readonly row?: ContextRow;
}

/** All that a context is chosen from. Nothing of it has been read from node files. */
export interface Scene {
  readonly loaded: LoadedFlow | undefined;
  /** In the order of the context. */
  readonly ancestors: readonly ContextNode[];
  /** The ids of the nodes that the prompt continues from, the main one first. */
  readonly before: readonly string[];
  /** References and pins that are not ancestors. */
  readonly others: readonly ContextNode[];
  readonly pinned: ReadonlySet<string>;
  readonly referenced: ReadonlySet<string>;
  readonly excluded: ReadonlySet<string>;
  /** The numbers of the nodes of the flow. */
  readonly labels: ReadonlyMap<string, string>;
  readonly language: Language;
}

/**
 * Finds the flow, the ancestors of the prompt, and what the index knows of them.
 *
 * @throws VizPromptError with the code `flow-not-found`, `node-not-found` or `invalid-input`.
 */
export async function findScene(
  project: Project,
  flows: FlowFiles,
  options: ContextOptions,
): Promise<Scene> {
  const { prompt, node, exclude = [], pin = [], references = [] } = options;
  const given = typeof node === 'string' ? [node] : node;
  const name = options.flow ?? (await flowOfNode(project, given?.[0]));
  const loaded = await flows.loadIfMade(name);
  const graph = graphOf(loaded?.flow ?? NO_FLOW);
  const head = loaded?.flow.head;
  const before = given ?? (head === undefined || node === null ? [] : [head]);
  const lost = before.find((id) => !graph.has(id));
  if (lost !== undefined) {
    throw notFound(lost, `there is no node ${lost} in the flow '${loaded?.flow.name ?? name}'`);
  }
  const order = orderAncestors(graph, before);
  const ancestors = new Set(order);
  const others = [...new Set([...references, ...pin])].filter((id) => !ancestors.has(id));
  const rows = await findRows(project, loaded, order, others);
  const unknown = [...references, ...pin].find((id) => !rows.has(id));
  if (unknown !== undefined) throw notFound(unknown, `there is no node ${unknown}`);
  const contradiction = pin.find((id) => exclude.includes(id));
  if (contradiction !== undefined) {
    throw new VizPromptError('invalid-input', `${contradiction} is both pinned and excluded`);
  }
  const labels = new Map(loaded?.flow.nodes.map(({ id, index }) => [id, String(index)]));
  const toNode = (id: string, label: string): ContextNode => {
    const row = rows.get(id);
    return { id, label: labels.get(id) ?? label, ...(row ? { row } : {}) };
  };
  const begin = order.slice(0, FIRST).flatMap((id) => rows.get(id) ?? []);
  return {
    loaded,
    ancestors: order.map((id) => toNode(id, id)),
    before: before.filter((id) => !exclude.includes(id)),
    others: others
      .filter((id) => !exclude.includes(id))
      .map((id, place) => toNode(id, letterOf(place))),
    pinned: new Set(pin),
    referenced: new Set(references),
    excluded: new Set(exclude),
    labels,
    // Not the prompt's: the beginning of a context stays the same whatever is asked.
    language: guessLanguage(begin.length > 0 ? begin.map(({ title }) => title).join('\n') : prompt),
  };
}

/** The number of first nodes from which the language of a conversation is guessed. */
const FIRST = 4;
const NO_FLOW = { nodes: [], connections: [] };
/** Caches the graphs of cached flows. */
const graphs = new WeakMap<object, FlowGraph>();

function graphOf(flow: Pick<Flow, 'nodes' | 'connections'>): FlowGraph {
  const graph = graphs.get(flow) ?? new FlowGraph(flow);
  graphs.set(flow, graph);
  return graph;
}

/** For fewer ancestors than this, they are asked for one by one. */
const MANY = 1000;

async function findRows(
  { index: { nodes } }: Project,
  loaded: LoadedFlow | undefined,
  ancestors: readonly string[],
  others: readonly string[],
): Promise<ReadonlyMap<string, ContextRow>> {
  const isWhole = loaded && ancestors.length > Math.max(MANY, loaded.flow.nodes.length / 2);
  const rows = isWhole
    ? [...(await nodes.contextRowsOfFlow(loaded.file)), ...(await nodes.contextRows(others))]
    : await nodes.contextRows([...ancestors, ...others]);
  return new Map(rows.map((row) => [row.id, row]));
}

/** A, B, ... Z, AA, AB, ... */
export function letterOf(place: number): string {
  const rest = Math.floor(place / 26);
  return (rest > 0 ? letterOf(rest - 1) : '') + String.fromCodePoint(65 + (place % 26));
}

function notFound(node: string, message: string): VizPromptError {
  return new VizPromptError('node-not-found', message, { context: { node } });
}

/**
 * Returns the nodes and all that they continue from, each once and after its parents: the line of the main
 * parent first, then what only the others add. A node that is added at the end changes nothing
 * before it.
 *
 * @param starts - The nodes themselves, the main one first.
 */
function orderAncestors(graph: FlowGraph, starts: readonly string[]): string[] {
  const order: string[] = [];
  const seen = new Set<string>();
  const stack: { readonly id: string; next: number }[] = [];
  const enter = (id: string): void => {
    if (seen.has(id) || !graph.has(id)) return;
    seen.add(id);
    stack.push({ id, next: 0 });
  };
  for (const start of starts) {
    enter(start);
    for (let top = stack.at(-1); top !== undefined; top = stack.at(-1)) {
      const parent = graph.parents(top.id)[top.next++];
      if (parent !== undefined) enter(parent);
      else order.push(stack.pop()?.id ?? top.id);
    }
  }
  return order;
}

/** Reads the nodes that are given in full, each once. */
export class Bodies {
  readonly #project: Project;
  readonly #read = new Map<string, StoredNode | undefined>();

  constructor(project: Project) {
    this.#project = project;
  }

  /** The nodes that were read. */
  get known(): ReadonlyMap<string, StoredNode | undefined> {
    return this.#read;
  }

  /** Returns a node; `undefined`, and a `problem:found`, if its file cannot be understood or is gone. */
  async find({ id, row }: ContextNode): Promise<StoredNode | undefined> {
    if (!this.#read.has(id)) {
      this.#read.set(id, row && (await readHealthyNode(this.#project, row.file)));
    }
    return this.#read.get(id);
  }

  /**
   * A node that was asked for.
   *
   * @throws VizPromptError with the code `node-not-found` or `node-invalid`.
   */
  async get({ id, row }: ContextNode): Promise<StoredNode> {
    const node =
      this.#read.get(id) ?? (row && (await readStoredNode(this.#project.files, row.file)));
    if (!node) {
      throw new VizPromptError('node-not-found', `the file of the node ${id} is gone`, {
        context: { node: id, ...(row ? { file: row.file } : {}) },
      });
    }
    this.#read.set(id, node);
    return node;
  }
}

/** Says in a context who speaks, where it is more than one. */
export class Naming {
  readonly #namesAskers: boolean;
  readonly #namesAnswerers: boolean;
  /** All names, as they are shown. */
  readonly #names: readonly string[];

  /**
   * @param nodes - All nodes that may be in the context.
   * @param speaker - The name of the person asking now, if it is given.
   */
  constructor(nodes: readonly ContextNode[], speaker: string | undefined) {
    const asked = nodes.flatMap(({ row }) => (row ? parseList(row.askers) : []));
    const askers = new Set([...asked, ...(speaker === undefined ? [] : [speaker])]);
    const answerers = new Set(nodes.flatMap(({ row }) => row?.speaker ?? []));
    this.#namesAskers = askers.size > 1;
    this.#namesAnswerers = answerers.size > 1;
    this.#names = [...new Set([...askers, ...answerers])].map(shownName).filter(Boolean);
  }

  /** Returns what was asked, with names. */
  prompt(node: StoredNode): string {
    return this.#namesAskers ? withAskers(node, this.#names) : node.prompt;
  }

  /** Returns what was answered, with its speaker. */
  response({ response, speaker }: StoredNode): string {
    if (!this.#namesAnswerers || speaker === undefined || response === '') return response;
    return this.#said(speaker, response);
  }

  /** Returns what is asked now, with its speaker. */
  current(prompt: string, speaker: string | undefined): string {
    return this.#namesAskers && speaker !== undefined ? this.#said(speaker, prompt) : prompt;
  }

  /** Returns one line about a node, with who asked. */
  line({ row }: ContextNode, text: string): string {
    const askers = this.#namesAskers && row ? parseList(row.askers) : [];
    return askers.length === 0 ? text : `${askers.map(shownName).join(', ')}: ${text}`;
  }

  #said(speaker: string, text: string): string {
    return `${shownName(speaker)}: ${withForgedLinesQuoted(text, this.#names)}`;
  }
}
