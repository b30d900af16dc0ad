import { visibleText } from '@vizprompt/providers/internal';
import type { StoredNode } from '../node/node.ts';
import { knownTime } from '../format/ids-and-times.ts';
import { branchNames, type FlowView, indicesOf, labelOf } from './flow-view.ts';

/** Returns a flow as a Markdown document: each node after its parents, prompts as quotations. */
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
      node?.speaker,
      knownTime(node?.timestamp),
      node?.model,
      node && node.tags.length > 0 ? node.tags.map((tag) => `#${tag}`).join(' ') : undefined,
    ].filter((fact) => fact !== undefined);
    return [
      `## ${indices.get(id)}. ${inline(labelOf(view, id).title)}`,
      ...(facts.length > 0 ? [facts.map(inline).join(' · ')] : []),
      ...(node && node.prompt !== '' ? [quote(visibleText(node.prompt))] : []),
      ...(node && node.response !== '' ? [closeBlocks(visibleText(node.response))] : []),
    ].join('\n\n');
  });
  const head = [
    `# ${inline(flow.name)}`,
    ...(flow.description === '' ? [] : [closeBlocks(visibleText(flow.description))]),
  ];
  return `${[...head, ...sections].join('\n\n')}\n`;
}

function inline(text: string): string {
  return visibleText(text)
    .replaceAll(/\s\s*/g, ' ')
    .replaceAll(/[\\`*_[\]<>#]/g, String.raw`\$&`);
}

/** How an HTML block begins that continues to its end mark, across empty lines. Source: CommonMark 0.31, 4.6. */
const HTML_BLOCKS: readonly (readonly [begin: RegExp, end: RegExp, mark: string])[] = [
  ...['script', 'pre', 'style', 'textarea'].map(
    (name) =>
      [
        new RegExp(`^<${name}(?=[\\s>]|$)`, 'i'),
        new RegExp(`</${name}>`, 'i'),
        `</${name}>`,
      ] as const,
  ),
  [/^<!--/, /-->/, '-->'],
  [/^<\?/, /\?>/, '?>'],
  [/^<!\[CDATA\[/, /\]\]>/, ']]>'],
  [/^<![a-z]/i, />/, '>'],
];

/** Closes fences and HTML that a text leaves open: they would include everything after it. */
export function closeBlocks(text: string): string {
  let fence: string | undefined;
  let html: (typeof HTML_BLOCKS)[number] | undefined;
  for (const line of text.split(/\r\n|\r|\n/)) {
    const [, rest = ''] = /^ {0,3}(\S.*)$/.exec(line) ?? [];
    if (fence === undefined) {
      html ??= HTML_BLOCKS.find(([begin]) => begin.test(rest));
      if (html?.[1].test(line)) html = undefined;
      else if (!html) fence = /^(?:`{3}`*(?=[^`]*$)|~{3}~*)/.exec(rest)?.[0];
    } else if (rest.startsWith(fence) && rest.replaceAll(fence.charAt(0), '').trim() === '') {
      fence = undefined;
    }
  }
  const end = fence ?? html?.[2];
  return end === undefined ? text : `${text}\n${end}`;
}

/** Returns a text as a quotation, line for line. */
export function quote(text: string): string {
  return `> ${text.replaceAll(/\r\n|\r|\n/g, '$&> ')}`;
}
