import { VizPromptError } from '../errors.ts';
import { parseList } from '../index/node-index.ts';
import type { Flow } from '../flow/flow.ts';
import type { StoredNode } from '../node/node.ts';
import { readHealthyNode } from '../node/read-healthy-node.ts';
import type { Project } from '../project/project.ts';
import { toChatGptExport } from './chatgpt.ts';
import { flowView, type FlowView } from './flow-view.ts';
import { toHtml } from './html.ts';
import { toMarkdown } from './markdown.ts';
import { toMermaid } from './mermaid.ts';
import { toOpenAi } from './openai.ts';

/** The forms in which a flow can be written. */
export type ExportFormat = 'mermaid' | 'markdown' | 'json' | 'html' | 'chatgpt' | 'openai';

const FORMATS: readonly string[] = ['mermaid', 'markdown', 'json', 'html', 'chatgpt', 'openai'];

/** Options of `exportFlow`. */
export interface ExportOptions {
  readonly format: ExportFormat;
  /** For `openai`: the id of the node that the line ends with. Default: the head of the flow. */
  readonly leaf?: string;
}

/** A flow with what is shown of its nodes. */
export async function viewFlow({ index }: Project, flow: Flow): Promise<FlowView> {
  const rows = await index.nodes.rowsOf(flow.nodes.map(({ id }) => id));
  const labels = rows.map(({ id, title, summary, tags, keywords }) => {
    const lists = { tags: parseList(tags), keywords: parseList(keywords) };
    return [id, { title, summary, ...lists }] as const;
  });
  return flowView(flow, new Map(labels));
}

/** Writes a flow in a form for other programs or for people. */
export async function exportFlow(
  project: Project,
  flow: Flow,
  { format, leaf }: ExportOptions,
): Promise<string> {
  if (!FORMATS.includes(format)) {
    const known = FORMATS.join(', ');
    throw new VizPromptError('invalid-input', `'${format}' is no format: there are ${known}`);
  }
  const view = await viewFlow(project, flow);
  if (format === 'mermaid') return toMermaid(view);
  const nodes = await readNodes(project, flow);
  if (format === 'markdown') return toMarkdown(view, nodes);
  if (format === 'html') return toHtml(view, nodes);
  if (format === 'chatgpt') return toChatGptExport(view, nodes);
  if (format === 'openai') return toOpenAi(view, nodes, leaf);
  const exported = {
    format: 'vizprompt-flow',
    version: 1,
    flow,
    nodes: [...nodes.values()].map(({ file: _file, version: _version, ...node }) => {
      const keywords = view.labels.get(node.id)?.keywords ?? [];
      return keywords.length > 0 ? { ...node, keywords } : node;
    }),
  };
  return `${JSON.stringify(exported, null, 2)}\n`;
}

async function readNodes(project: Project, flow: Flow): Promise<ReadonlyMap<string, StoredNode>> {
  const rows = await project.index.nodes.rowsOf(flow.nodes.map(({ id }) => id));
  const byId = new Map(rows.map((row) => [row.id, row.file]));
  const nodes = new Map<string, StoredNode>();
  for (const { id } of flow.nodes) {
    const file = byId.get(id);
    const node = file === undefined ? undefined : await readHealthyNode(project, file);
    if (node) nodes.set(id, node);
  }
  return nodes;
}
