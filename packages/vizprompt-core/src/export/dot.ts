import { cut, type FlowView, indicesOf, labelOf } from './flow-view.ts';

/** Characters of a response in a box. */
const ANSWER = 48;

/** Its widths are known to every Graphviz; characters that it lacks come from another font. */
const FONT = 'Helvetica';

/**
 * Returns a flow in DOT, the language of Graphviz: nodes are named by their ids, labelled with number,
 * title and the beginning of the response, and show their summaries as tooltips; the head is bold.
 *
 * Source: https://graphviz.org/doc/info/lang.html, https://graphviz.org/docs/attr-types/escString/
 */
export function toDot(view: FlowView): string {
  const { flow } = view;
  const indices = indicesOf(flow);
  const nodes = flow.nodes.map(({ id }) => {
    const { title, summary, answer } = labelOf(view, id);
    const shown = answer === undefined ? '' : `\n${cut(answer, ANSWER)}`;
    const label = `label=${quote(`${indices.get(id)} ${title}${shown}`)}`;
    const tooltip = `tooltip=${quote(summary || title)}`;
    const style = flow.head === id ? ' style="rounded,bold"' : '';
    return `  ${quote(id)} [${label} ${tooltip}${style}];`;
  });
  const edges = flow.connections.map(({ from, to, branch }) => {
    const label = branch === undefined ? '' : ` [label=${quote(branch)}]`;
    return `  ${quote(from)} -> ${quote(to)}${label};`;
  });
  const lines = [
    'digraph {',
    `  graph [charset="UTF-8" label=${quote(flow.name)} labelloc=t fontname="${FONT}"];`,
    `  node [shape=box style=rounded fontname="${FONT}"];`,
    `  edge [fontname="${FONT}"];`,
    ...nodes,
    ...edges,
    '}',
  ];
  return `${lines.join('\n')}\n`;
}

/**
 * Returns a string in quotes. Graphviz also understands escapes such as `\N` in it, and the entities of HTML;
 * it refuses NUL and warns of other control characters. An empty line gets a space: labels of graphs
 * that begin with one crash it now and then.
 */
function quote(text: string): string {
  const safe = text
    .toWellFormed()
    .replaceAll(/\r\n?/g, '\n')
    // oxlint-disable-next-line no-control-regex
    .replaceAll(/[\u0000-\u0009\u000b-\u001f\u007f\ufffe\uffff]/g, ' ')
    .replaceAll('&', '&amp;')
    .replaceAll(/["\\]/g, String.raw`\$&`);
  const lines = safe.split('\n').map((line) => line || ' ');
  return `"${lines.join(String.raw`\n`)}"`;
}
