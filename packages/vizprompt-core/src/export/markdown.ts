import type { StoredNode } from '../node/node.ts';
import { branchNames, indicesOf, labelOf, type FlowView } from './flow-view.ts';

/** A flow as a Markdown document: each node behind its parents, prompts as quotations. */
export function toMarkdown(view: FlowView, nodes: ReadonlyMap<string, StoredNode>): string {
  const { flow, graph } = view;
  const indices = indicesOf(flow);
  const branchOf = branchNames(flow.connections);
  const sections = graph.topologicalOrder().map((id) => {
    const node = nodes.get(id);
    const parents = graph.parents(id).map((parent) => {
      const branch = branchOf(parent, id);
      return `${indices.get(parent)}${branch === undefined ? '' : ` (${branch})`}`;
    });
    const facts = [
      parents.length > 0 ? `← ${parents.join(', ')}` : undefined,
      node?.timestamp,
      node?.model,
      node && node.tags.length > 0 ? node.tags.map((tag) => `#${tag}`).join(' ') : undefined,
    ].filter((fact) => fact !== undefined);
    return [
      `## ${indices.get(id)}. ${inline(labelOf(view, id).title)}`,
      ...(facts.length > 0 ? [facts.map(inline).join(' · ')] : []),
      ...(node && node.prompt !== '' ? [quote(node.prompt)] : []),
      ...(node && node.response !== '' ? [closeFences(node.response)] : []),
    ].join('\n\n');
  });
  const head = [`# ${inline(flow.name)}`, ...(flow.description === '' ? [] : [flow.description])];
  return `${[...head, ...sections].join('\n\n')}\n`;
}

function inline(text: string): string {
  return text.replaceAll(/\s+/g, ' ').replaceAll(/[\\`*_[\]<>#]/g, String.raw`\$&`);
}

/** A fence that a text leaves open would swallow all that comes after it. */
export function closeFences(text: string): string {
  let open: string | undefined;
  for (const [, fence = '', info = ''] of text.matchAll(/^ {0,3}(`{3,}|~{3,})(.*)$/gm)) {
    if (open === undefined) open = fence;
    else if (fence.startsWith(open) && info.trim() === '') open = undefined;
  }
  return open === undefined ? text : `${text}\n${open}`;
}

/** A text as a quotation, line for line. */
export function quote(text: string): string {
  return `> ${text.replaceAll(/\r\n|\r|\n/g, '$&> ')}`;
}
