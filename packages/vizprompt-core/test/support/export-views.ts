import type { StoredNode, VizPrompt } from '@vizprompt/core';
import fc from 'fast-check';
import { SaxesParser } from 'saxes';
import { flowView, type FlowView } from '../../src/export/flow-view.ts';
import { openProject } from './open-project.ts';

/** Texts that break Mermaid, Graphviz, XML, HTML or a terminal when they are not escaped. */
export const hostile: readonly string[] = [
  'plain',
  '"quoted" and `ticks`',
  '`begins with a tick',
  '<script>alert(1)</script> a<b & c',
  '</script><!--',
  '#35; &amp; %%{init: {}}%%',
  '%% comment',
  'fa:fa-ban $$x^2$$',
  'end',
  'a --> b; c|d [e] {f} (g)',
  '\\ ~~~ :::class',
  '日本語 😀 שלום \u202e',
  'line\nbreak\r\n\ttab',
  '\u001b[31m \0 \u0007',
  'lone \ud800',
  String.raw`C:\New \N \G \l ends with \ `.trim(),
  ']]> \u2028 \u2029 \ufffe',
  ' ',
  '',
];

/** Returns a root, and a branch for each text that breaks things, named by it. */
export async function hostileProject(): Promise<VizPrompt> {
  const vizprompt = await openProject();
  const root = await vizprompt.createNode({ prompt: 'root', response: 'r' });
  for (const text of hostile) {
    await vizprompt.createBranch(
      root.id,
      { prompt: text, response: text, tags: [text].filter(Boolean) },
      { branchName: text },
    );
  }
  await vizprompt.updateFlow('main', { name: hostile[3] ?? '', description: hostile[5] ?? '' });
  return vizprompt;
}

type Edge = readonly [from: number, to: number, branch?: string];

/** Returns a flow with these titles and connections by place; the ids are `id0`, `id1` and so on. */
export function flowOf(titles: readonly string[], edges: readonly Edge[]): FlowView {
  const ids = titles.map((_, at) => `id${at}`);
  const flow = {
    id: 'f',
    name: titles[0] ?? 'f',
    created: '',
    updated: '',
    description: '',
    ...(ids.length > 0 ? { head: ids.at(-1) ?? '' } : {}),
    nodes: ids.map((id, at) => ({ id, index: at + 1 })),
    connections: edges.map(([from, to, branch]) => ({
      from: ids[from] ?? '',
      to: ids[to] ?? '',
      ...(branch === undefined ? {} : { branch }),
    })),
  };
  const labels = titles.map((title, at) => {
    return [`id${at}`, { title, summary: title, tags: [title] }] as const;
  });
  return flowView(flow, new Map(labels));
}

/** Returns the nodes of a view, whose texts are their titles. */
export function nodesOf({ labels }: FlowView): ReadonlyMap<string, StoredNode> {
  const nodes = [...labels].map(([id, { title, tags }]): StoredNode => {
    return {
      id,
      timestamp: '2026-01-01T00:00:00+09:00',
      prompt: title,
      response: title,
      model: title,
      stats: {},
      summary: { text: title, isOutdated: false },
      tags,
      promptParts: [],
      responseParts: [],
      file: '',
      version: '',
    };
  });
  return new Map(nodes.map((node) => [node.id, node]));
}

/** Returns a conversation of this many nodes: long lines, branches, now and then a merge. */
export function largeFlow(size: number): FlowView {
  let seed = 7;
  const random = (): number => (seed = (seed * 1103515245 + 12345) % 2 ** 31) / 2 ** 31;
  const edges: Edge[] = [];
  for (let at = 1; at < size; at++) {
    const from = random() < 0.9 ? at - 1 : Math.floor(random() * at);
    edges.push([from, at]);
    const other = Math.floor(random() * at);
    if (random() < 0.02 && other !== from) edges.push([other, at, `merge ${at}`]);
  }
  const titles = Array.from({ length: size }, (_, at) => `node ${at} 長い題名`);
  return flowOf(titles, edges);
}

const anyText = fc.oneof(
  fc.constantFrom(...hostile),
  fc.string({ unit: 'grapheme' }),
  fc
    .array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 12 })
    .map((units) => String.fromCharCode(...units)),
  fc
    .array(fc.constantFrom(...Array.from('"\\&;#<>`|[]{}()\n\r%$-Nﬂ'), 'amp'), { maxLength: 12 })
    .map((pieces) => pieces.join('')),
);

/** Any small graph without circles, with any texts. */
export const anyFlow: fc.Arbitrary<FlowView> = fc
  .array(anyText, { minLength: 1, maxLength: 7 })
  .chain((titles) => {
    const pairs = titles.flatMap((_, to) =>
      Array.from({ length: to }, (_none, from) => [from, to]),
    );
    const edges = fc.tuple(
      ...pairs.map(([from = 0, to = 0]) =>
        fc.option(fc.option(anyText, { nil: undefined }), { nil: null, freq: 1 }).map((branch) => {
          return branch === null
            ? []
            : [branch === undefined ? ([from, to] as const) : ([from, to, branch] as const)];
        }),
      ),
    );
    return edges.map((drawn) => flowOf(titles, drawn.flat()));
  });

/** An element of XML as a strict parser understands it. */
export interface ParsedElement {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: readonly ParsedElement[];
  /** The text of the element and of all below it. */
  readonly text: string;
}

/** Parses XML strictly: whatever is not well-formed throws. */
export function parseXml(xml: string): ParsedElement {
  interface Open {
    name: string;
    attributes: Record<string, string>;
    children: Open[];
    text: string;
  }
  const document: Open = { name: '', attributes: {}, children: [], text: '' };
  const open = [document];
  const parser = new SaxesParser({ xmlns: false });
  parser.on('error', (error) => {
    throw error;
  });
  parser.on('opentag', ({ name, attributes }) => {
    const element: Open = { name, attributes: { ...attributes }, children: [], text: '' };
    open.at(-1)?.children.push(element);
    open.push(element);
  });
  parser.on('text', (text) => {
    for (const element of open) element.text += text;
  });
  parser.on('closetag', () => {
    open.pop();
  });
  parser.write(xml).close();
  const [root] = document.children;
  if (!root) throw new Error('no element');
  return root;
}

/** Returns the elements below one, at any depth, with this name. */
export function elementsOf(root: ParsedElement, name: string): readonly ParsedElement[] {
  return root.children.flatMap((child) => [
    ...(child.name === name ? [child] : []),
    ...elementsOf(child, name),
  ]);
}
