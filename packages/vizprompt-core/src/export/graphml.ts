import { knownTime } from '../format/ids-and-times.ts';
import type { StoredNode } from '../node/node.ts';
import { type FlowView, indicesOf, labelOf } from './flow-view.ts';

type Value = string | number | boolean | undefined;

/** The attributes of nodes and their types. */
const NODE_KEYS = {
  index: 'int',
  label: 'string',
  summary: 'string',
  tags: 'string',
  timestamp: 'string',
  model: 'string',
  status: 'string',
  head: 'boolean',
} as const;

/**
 * Returns a flow as GraphML, for Gephi, yEd, NetworkX and others. `tags` is a list as JSON, since GraphML has
 * none. Control characters and lone surrogates, which XML cannot hold, become U+FFFD.
 *
 * Source: http://graphml.graphdrawing.org/specification.html
 */
export function toGraphml(view: FlowView, nodes: ReadonlyMap<string, StoredNode>): string {
  const { flow } = view;
  const indices = indicesOf(flow);
  const keys = Object.entries(NODE_KEYS).map(([name, type]) => {
    return `  <key id="${name}" for="node" attr.name="${name}" attr.type="${type}"/>`;
  });
  const nodeLines = flow.nodes.flatMap(({ id }) => {
    const { title, summary, tags } = labelOf(view, id);
    const { timestamp, model, status } = nodes.get(id) ?? {};
    const values: Record<keyof typeof NODE_KEYS, Value> = {
      index: indices.get(id),
      label: title,
      summary: summary || undefined,
      tags: tags.length > 0 ? JSON.stringify(tags) : undefined,
      timestamp: knownTime(timestamp),
      model,
      status,
      head: flow.head === id ? true : undefined,
    };
    return [`    <node id="${xmlText(id)}">`, ...dataOf(values), '    </node>'];
  });
  const edgeLines = flow.connections.flatMap(({ from, to, branch }, at) => {
    const ends = `id="e${at + 1}" source="${xmlText(from)}" target="${xmlText(to)}"`;
    if (branch === undefined) return [`    <edge ${ends}/>`];
    return [`    <edge ${ends}>`, ...dataOf({ branch }), '    </edge>'];
  });
  const lines = [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<graphml xmlns="http://graphml.graphdrawing.org/xmlns">',
    '  <key id="name" for="graph" attr.name="name" attr.type="string"/>',
    ...keys,
    '  <key id="branch" for="edge" attr.name="label" attr.type="string"/>',
    `  <graph id="${xmlText(flow.id)}" edgedefault="directed">`,
    `    <data key="name">${xmlText(flow.name)}</data>`,
    ...nodeLines,
    ...edgeLines,
    '  </graph>',
    '</graphml>',
  ];
  return `${lines.join('\n')}\n`;
}

function dataOf(values: Readonly<Record<string, Value>>): string[] {
  return Object.entries(values).flatMap(([key, value]) =>
    value === undefined ? [] : [`      <data key="${key}">${xmlText(String(value))}</data>`],
  );
}

/** Characters that XML 1.0 cannot hold, not even as references. Source: XML 1.0, section 2.2. */
// oxlint-disable-next-line no-control-regex
const ILLEGAL = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g;

/**
 * Escapes a text for an element or an attribute of XML. Control characters and lone surrogates, which XML cannot
 * hold, become U+FFFD; what parsers take for the end of a line is written as its code.
 */
export function xmlText(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(ILLEGAL, '\ufffd')
    .replaceAll(/[&<>"'\t\n\r\u0085\u2028]/g, (character) => `&#${character.charCodeAt(0)};`);
}
