import {
  escapeHtml,
  guessLanguage,
  type Language,
  omitUndefined,
  VISIBLE_HTML_STYLE,
  visibleHtml,
  visibleText,
} from '@vizprompt/providers/internal';
import { proseOf } from '../build/sentences.ts';
import { knownTime } from '../format/ids-and-times.ts';
import type { NodePart, StoredNode } from '../node/node.ts';
import { branchNames, type FlowView, indicesOf, labelOf } from './flow-view.ts';
import { PAGE_SCRIPT } from './html-script.ts';
import type { MarkdownRenderer } from './render-markdown.ts';

/** Pixels. The row is that of the style. */
const ROW = 36;
const MARGIN = 18;
const LANE = 22;
/** However many lanes there are, they leave room for the titles on a phone. */
const ALL_LANES = 160;
/** Colours that are distinct on white and on black. */
const COLORS = ['#2f6fd0', '#c2410c', '#15803d', '#9333ea', '#be123c', '#0e7490', '#a16207'];

/**
 * Returns a flow as one HTML file: the graph, and the chosen node next to it, or below it on a phone. The
 * file loads nothing and works from `file://`. Branches fold, a search covers all texts, and the path to the
 * chosen node is marked; keys: arrows, Enter, `/`, Escape. Without scripts the page lists the titles.
 *
 * @param render - Renders texts; their source is folded. Default: texts are shown unchanged.
 */
export function toHtml(
  view: FlowView,
  nodes: ReadonlyMap<string, StoredNode>,
  render: MarkdownRenderer = () => undefined,
): string {
  const { flow } = view;
  const language = languageOf(view, nodes);
  const words = PAGE_WORDS[language];
  const layout = layoutLanes(view);
  const lanes = layout.reduce((most, { lane }) => Math.max(most, lane), 0);
  const lane = Math.min(LANE, ALL_LANES / Math.max(1, lanes));
  const text = Math.ceil(MARGIN + lanes * lane + MARGIN / 2);
  const data = {
    nodes: nodeData(view, layout, nodes, render),
    words,
    head: layout.findIndex(({ id }) => id === flow.head),
    row: ROW,
    lane: Math.round(lane * 100) / 100,
    margin: MARGIN,
    colors: COLORS,
  };
  return `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'">
<title>${escapeHtml(visibleText(flow.name))}</title>
<style>${PAGE_STYLE}</style>
</head>
<body>
<header><h1 dir="auto">${visibleHtml(flow.name)}</h1>
<input type="search" aria-label="${words.search}" placeholder="${words.searchHint}" autocomplete="off">
<button type="button" id="fold">${words.fold}</button>
<p role="status">${words.nodes.replace('{all}', String(flow.nodes.length))}</p></header>
<main>
<nav aria-label="${words.graph}"><svg width="${text}" aria-hidden="true"></svg><ol style="--text:${text}px">
${rowsOf(view, layout, words).join('\n')}
</ol></nav>
<article tabindex="0" aria-label="${words.chosen}"><noscript><p>${words.noScript}</p></noscript></article>
</main>
<script type="application/json" id="data">${escapeJson(data)}</script>
<script>${PAGE_SCRIPT}</script>
</body>
</html>
`;
}

/** Returns a row for each node; where branches part or begin there is a button that folds them. */
function rowsOf(view: FlowView, layout: readonly LaneNode[], words: PageWords): readonly string[] {
  const { flow, graph } = view;
  const indices = indicesOf(flow);
  const branchOf = branchNames(flow.connections);
  const parts = (id: string): boolean => graph.children(id).length > 1;
  return layout.map(({ id }) => {
    const index = indices.get(id);
    const parents = graph.parents(id);
    const branch = parents.map((parent) => branchOf(parent, id)).find(Boolean);
    const title = visibleHtml(`${branch ? `[${branch}] ` : ''}${labelOf(view, id).title}`);
    const folds = parts(id) || (graph.children(id).length > 0 && parents.some(parts));
    const button = folds
      ? `<button type="button" tabindex="-1" aria-expanded="true" aria-label="${words.below.replace('{n}', String(index))}">▾</button>`
      : '';
    return `<li><a href="#n${index}" dir="auto">${index} ${title}</a>${button}</li>`;
  });
}

/** Returns the data of a node for the script; other nodes are named by their places in the layout. */
function nodeData(
  view: FlowView,
  layout: readonly LaneNode[],
  nodes: ReadonlyMap<string, StoredNode>,
  render: MarkdownRenderer,
): readonly object[] {
  const { flow, graph } = view;
  const indices = indicesOf(flow);
  const branchOf = branchNames(flow.connections);
  const places = new Map(layout.map(({ id, row }) => [id, row]));
  return layout.map(({ id, lane }) => {
    const node = nodes.get(id);
    const parents = graph.parents(id);
    return {
      index: indices.get(id),
      lane,
      parents: parents.map((parent) => places.get(parent)),
      branches: parents.map((parent) => branchOf(parent, id) ?? ''),
      title: labelOf(view, id).title,
      timestamp: knownTime(node?.timestamp) ?? '',
      speaker: node?.speaker ?? '',
      model: node?.model ?? '',
      status: node?.status ?? '',
      tags: node?.tags ?? [],
      summary: node?.summary.text ?? '',
      prompt: node?.prompt ?? '',
      response: node?.response ?? '',
      ...omitUndefined({
        promptHtml: node && render(node.prompt),
        responseHtml: node && render(node.response),
      }),
      parts: [...(node?.promptParts ?? []), ...(node?.responseParts ?? [])].flatMap(foldedPart),
    };
  });
}

/** Returns a part that is not text of the node, folded: thoughts, calls of tools and what they gave, files, data. */
function foldedPart(part: NodePart): readonly { readonly name: string; readonly text: string }[] {
  switch (part.type) {
    case 'text':
      return [];
    case 'reasoning':
      return [{ name: part.type, text: part.text }];
    case 'file':
      return [
        {
          name: part.type,
          text: [part.fileName, part.mediaType, part.uri].filter(Boolean).join('\n'),
        },
      ];
    case 'tool-call':
      return [{ name: `${part.type}: ${part.tool}`, text: written(part.input) }];
    case 'tool-result':
      return [{ name: `${part.type}: ${part.tool}`, text: written(part.output) }];
    default:
      return [{ name: part.kind, text: written(part.value) }];
  }
}

function written(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value, undefined, 2) ?? '');
}

/** Returns the language in which most of the first nodes were asked; code and addresses have none. */
function languageOf({ flow }: FlowView, nodes: ReadonlyMap<string, StoredNode>): Language {
  const asked = flow.nodes.slice(0, 16).flatMap(({ id }) => {
    const { prompt = '', response = '' } = nodes.get(id) ?? {};
    const said = proseOf((prompt.trim() === '' ? response : prompt).slice(0, 2000));
    return said.trim() === '' ? [] : [guessLanguage(said.replaceAll(/https?:\S\S*/g, ''))];
  });
  const japanese = asked.filter((language) => language === 'ja').length;
  return japanese * 2 > asked.length ? 'ja' : 'en';
}

/** JSON that cannot end the element it is in, nor a line of it; escapes keep every character. */
function escapeJson(data: object): string {
  return JSON.stringify(data).replaceAll(
    /[<\u2028\u2029]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** The looks of the page; light or dark as the reader's system is. */
const PAGE_STYLE: string = `
:root{color-scheme:light dark;--line:#8884;--soft:#8882;--row:36px}
*{box-sizing:border-box}
[hidden]{display:none!important}
body{margin:0;font:15px/1.6 system-ui,"Hiragino Sans","Noto Sans JP",sans-serif;height:100vh;height:100dvh;display:flex;flex-direction:column}
header{padding:.5rem 1rem;border-bottom:1px solid var(--line);display:flex;gap:.3rem 1rem;align-items:center;flex-wrap:wrap}
h1{font-size:1.1rem;margin:0;overflow-wrap:anywhere}header p{margin:0;opacity:.75;font-size:.85rem}
input{font:inherit;flex:1 1 12rem;max-width:24rem;padding:.2rem .5rem}
button{font:inherit}
main{flex:1;display:flex;min-height:0}
nav{flex:1 1 40%;overflow:auto;border-right:1px solid var(--line);position:relative}
article{flex:1 1 60%;overflow:auto;padding:0 1.2rem 2rem}
svg{position:absolute;top:0;left:0;pointer-events:none}
path{fill:none;stroke-width:2;vector-effect:non-scaling-stroke}path.way{stroke:CanvasText;stroke-width:3}path.dot{stroke-width:12;stroke-linecap:round}
path.ring{stroke:CanvasText;stroke-width:17;stroke-linecap:round}
ol{list-style:none;margin:0;padding:0}
li{display:flex;height:var(--row);padding-left:var(--text,0);content-visibility:auto;contain-intrinsic-height:var(--row)}
li a{flex:1;min-width:0;line-height:var(--row);white-space:nowrap;overflow:hidden;text-overflow:ellipsis;color:inherit;text-decoration:none;font-size:.9rem;padding:0 .4rem}
li.way a{font-weight:600}li a[aria-current]{background:var(--line)}li a:hover{background:var(--soft)}
li button{border:0;background:none;color:inherit;min-width:2.4rem;padding:0 .3rem;font-size:.8rem;cursor:pointer}
article h2{font-size:1.15rem;overflow-wrap:anywhere}article h3{font-size:.9rem;margin:0}
pre{white-space:pre-wrap;overflow-wrap:anywhere;font:inherit;margin:0}
section{margin:1rem 0;padding:.6rem .9rem;border-left:3px solid var(--line)}
section.prompt{background:var(--soft)}
.said{overflow-wrap:anywhere}.said>:first-child{margin-top:0}.said>:last-child{margin-bottom:0}
.said code{font-family:ui-monospace,monospace;font-size:.92em;background:var(--soft);border-radius:.2rem;padding:0 .2rem}
.said .math{white-space:pre-wrap}
.said pre{background:var(--soft);padding:.6rem .8rem;border-radius:.3rem;overflow:auto;white-space:pre}.said pre code{background:none;padding:0}
.said table{border-collapse:collapse;display:block;overflow:auto}.said th,.said td{border:1px solid var(--line);padding:.15rem .5rem}
.said blockquote{margin:.6rem 0;padding-left:.8rem;border-left:3px solid var(--line)}.said h1,.said h2,.said h3{font-size:1.05rem;margin:.8rem 0 .3rem}
details{margin:.5rem 0;opacity:.85;font-size:.9rem}summary{cursor:pointer}
.facts{opacity:.75;font-size:.85rem}.tag{background:var(--soft);border-radius:.6rem;padding:0 .5rem;margin-right:.3rem}
${VISIBLE_HTML_STYLE}
:focus-visible{outline:2px solid Highlight;outline-offset:-2px}
@media(max-width:45rem){main{flex-direction:column}nav{flex:0 0 42%;border-right:0;border-bottom:1px solid var(--line)}article{flex:1 1 0;padding:0 .9rem 2rem}header{padding:.4rem .9rem}li{padding-left:calc(.55*var(--text))}}
`;

/** Where a node is drawn: its row counts down from the first, its lane to the right. */
export interface LaneNode {
  readonly id: string;
  readonly row: number;
  readonly lane: number;
}

/**
 * Lays a flow out like a history of commits: a row for each node, each after its parents, and a
 * lane for each branch. The first child of a node stays in its lane. The others get a lane of their
 * own where they branch off, the first that is free all the way down to them, so that no line runs
 * through the node of another branch.
 */
export function layoutLanes({ graph }: FlowView): readonly LaneNode[] {
  const order = graph.topologicalOrder();
  const rows = new Map(order.map((id, row) => [id, row]));
  const lanes = new Map<string, number>();
  /** The row down to which each lane is taken. */
  const taken: number[] = [];
  const takeLane = (from: number, to: number): number => {
    const free = taken.findIndex((end) => end < from);
    const lane = free < 0 ? taken.length : free;
    taken[lane] = to;
    return lane;
  };
  return order.map((id, row) => {
    const lane = lanes.get(id) ?? takeLane(row, row);
    const children = graph.children(id);
    const last = children.reduce((end, child) => Math.max(end, rows.get(child) ?? row), row);
    taken[lane] = Math.max(taken[lane] ?? 0, last);
    for (const [place, child] of children.entries()) {
      if (graph.parents(child)[0] !== id) continue;
      lanes.set(child, place === 0 ? lane : takeLane(row, rows.get(child) ?? row));
    }
    return { id, row, lane };
  });
}

/** The words of a page, in the language of the flow. */
interface PageWords {
  readonly search: string;
  readonly searchHint: string;
  readonly fold: string;
  readonly unfold: string;
  readonly graph: string;
  readonly chosen: string;
  readonly noScript: string;
  readonly prompt: string;
  readonly response: string;
  readonly source: string;
  readonly from: string;
  readonly into: string;
  readonly below: string;
  readonly missing: string;
  /** With `{n}` for a number, and `{all}` for the number of all nodes. */
  readonly nodes: string;
  readonly found: string;
  readonly shown: string;
}

/** The words of pages. */
const PAGE_WORDS: Readonly<Record<Language, PageWords>> = {
  en: {
    search: 'Search in all texts',
    searchHint: 'Search ( / )',
    fold: 'Fold branches',
    unfold: 'Unfold all',
    graph: 'Graph',
    chosen: 'The chosen node',
    noScript: 'Prompts and responses are shown by a script.',
    prompt: 'Prompt',
    response: 'Response',
    source: 'As it was written',
    from: 'Continues from {n}',
    into: 'Continues in {n}',
    below: 'Continuations of {n}',
    missing: '(missing)',
    nodes: '{all} nodes',
    found: '{n} of {all} nodes found',
    shown: '{n} of {all} nodes shown',
  },
  ja: {
    search: 'すべての文を検索',
    searchHint: '検索 ( / )',
    fold: '枝をたたむ',
    unfold: 'すべて開く',
    graph: 'グラフ',
    chosen: '選んだノード',
    noScript: 'プロンプトと回答はスクリプトが表示します。',
    prompt: 'プロンプト',
    response: '回答',
    source: '原文',
    from: '{n}からの続き',
    into: '{n}に続く',
    below: '{n}の続き',
    missing: '（ファイルがありません）',
    nodes: '{all}ノード',
    found: '{all}ノード中{n}件',
    shown: '{all}ノード中{n}件を表示',
  },
};
