import { proseOf } from '../build/sentences.ts';
import { VizPromptError } from '../errors.ts';
import { FlowGraph } from '../flow/flow-graph.ts';
import type { Flow, StoredFlow } from '../flow/flow.ts';
import { type NodeRow, parseList } from '../index/node-index.ts';
import { noFormat } from '../input-kinds.ts';
import type { StoredNode } from '../node/node.ts';
import { readHealthyNode } from '../node/read-node-xml.ts';
import type { Project } from '../project/project.ts';
import { toCanvas } from './canvas.ts';
import { toChatGptExport } from './chatgpt.ts';
import { toCytoscape } from './cytoscape.ts';
import { toDot } from './dot.ts';
import type { ExportFormat, ExportOptions, TextMapOptions } from './export-options.ts';
import { cut, flowView, type FlowView, type NodeLabel } from './flow-view.ts';
import { toGraphml } from './graphml.ts';
import { toHtml } from './html.ts';
import { embedAttachments, type EmbeddedAttachment, embedInNodes, toJson } from './json-export.ts';
import { toMarkdown } from './markdown.ts';
import { toMermaid } from './mermaid.ts';
import { toOpenAi } from './openai.ts';
import { toTextMap } from './text-map.ts';

type Nodes = ReadonlyMap<string, StoredNode>;

/** Forms for which the index is enough: no node is read. */
type LabelFormat = 'mermaid' | 'dot' | 'svg';

const OF_LABELS: Readonly<Record<LabelFormat, (view: FlowView) => string | Promise<string>>> = {
  mermaid: toMermaid,
  dot: toDot,
  // The module that checks the layout takes as long to load as everything else.
  svg: async (view) => (await import('./svg.ts')).toSvg(view),
};

/** Further input of some formats. */
interface Extras {
  readonly leaf?: string | undefined;
  readonly attachments: readonly EmbeddedAttachment[];
}

type Written = string | Promise<string>;

/** Forms that show what nodes hold. */
const OF_NODES: Readonly<
  Record<
    Exclude<ExportFormat, LabelFormat>,
    (view: FlowView, nodes: Nodes, extras: Extras) => Written
  >
> = {
  html: async (view, nodes) => {
    const { markdownRenderer } = await import('./render-markdown.ts');
    return toHtml(view, nodes, markdownRenderer());
  },
  markdown: toMarkdown,
  json: (view, nodes, { attachments }) => toJson(view, nodes, attachments),
  chatgpt: toChatGptExport,
  openai: (view, nodes, { leaf }) => toOpenAi(view, nodes, leaf),
  canvas: toCanvas,
  cytoscape: toCytoscape,
  graphml: toGraphml,
};

/** Returns a map of the branches of a flow, for terminals. */
export async function flowAsText(
  project: Project,
  flow: Flow,
  options: TextMapOptions,
): Promise<string> {
  return toTextMap(await viewFlow(project, flow), options);
}

/** Returns a flow with what is shown of its nodes. */
async function viewFlow({ index }: Project, flow: Flow): Promise<FlowView> {
  return flowView(flow, labelsOf(await index.nodes.rowsOf(flow.nodes.map(({ id }) => id))));
}

function labelsOf(rows: readonly NodeRow[]): ReadonlyMap<string, NodeLabel> {
  const labels = rows.map(({ id, title, spoken, summary, tags, keywords }) => {
    const lists = { tags: parseList(tags), keywords: parseList(keywords) };
    return [id, { title: spoken ?? title, summary, ...lists }] as const;
  });
  return new Map(labels);
}

/** Writes a flow in a form for other programs or for people. */
export async function exportFlow(
  project: Project,
  { file: _file, version: _version, ...flow }: StoredFlow,
  { format, leaf, attachments: how = 'embed' }: ExportOptions,
): Promise<string> {
  if (isKey(OF_LABELS, format)) {
    const view = await viewFlow(project, flow);
    return OF_LABELS[format](format === 'mermaid' ? view : await withAnswers(project, view));
  }
  if (!isKey(OF_NODES, format)) {
    throw noFormat(format, [...Object.keys(OF_LABELS), ...Object.keys(OF_NODES)]);
  }
  if (how !== 'embed' && how !== 'omit') {
    throw new VizPromptError(
      'invalid-input',
      `attachments: '${String(how)}' is none of embed, omit`,
    );
  }
  const graph = new FlowGraph(flow);
  // One line of a long conversation may be a small part of it.
  const line = format === 'openai' ? graph.lineTo(leaf ?? flow.head ?? '') : undefined;
  const ids = line ?? flow.nodes.map(({ id }) => id);
  const rows = await project.index.nodes.rowsOf(ids);
  const read = await readNodes(project, ids, rows);
  const isEmbedded = how === 'embed';
  const attachments =
    format === 'json' && isEmbedded ? await embedAttachments(project, read.values()) : [];
  const holdsFiles = format === 'chatgpt' || format === 'openai';
  const nodes = holdsFiles && isEmbedded ? await embedInNodes(project, read) : read;
  return OF_NODES[format]({ flow, graph, labels: labelsOf(rows) }, nodes, { leaf, attachments });
}

/** Characters of an answer that a box may show. */
const ANSWER = 80;

/** Adds the beginnings of the answers, without code and marks, which distinguish boxes with like prompts. */
async function withAnswers(project: Project, view: FlowView): Promise<FlowView> {
  const ids = view.flow.nodes.map(({ id }) => id);
  const nodes = await readNodes(project, ids, await project.index.nodes.rowsOf(ids));
  const labels = Array.from(view.labels, ([id, label]) => {
    const { prompt = '', response = '' } = nodes.get(id) ?? {};
    const said = proseOf(response.slice(0, 4000)).replaceAll(/\s\s*/g, ' ').trim();
    const isTitle = prompt.trim() === '' || label.title.includes(said.slice(0, 20));
    const answer = cut(said, ANSWER);
    return [id, said === '' || isTitle ? label : { ...label, answer }] as const;
  });
  return { ...view, labels: new Map(labels) };
}

function isKey<T extends object>(object: T, key: PropertyKey): key is keyof T {
  return Object.hasOwn(object, key);
}

async function readNodes(
  project: Project,
  ids: readonly string[],
  rows: readonly Pick<NodeRow, 'id' | 'file'>[],
): Promise<Nodes> {
  const byId = new Map(rows.map((row) => [row.id, row.file]));
  const nodes = new Map<string, StoredNode>();
  for (const id of ids) {
    const file = byId.get(id);
    const node = file === undefined ? undefined : await readHealthyNode(project, file);
    if (node) nodes.set(id, node);
  }
  return nodes;
}
