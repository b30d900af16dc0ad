/** @import { Core, ElementDefinition, StylesheetJson } from 'cytoscape' */
/** @import { WireFlow, WireNode } from '../wire/types.js' */

import { placesOf } from './layout.js';

const WIDTH = 190;
const LANE = 214;
const ROW = 96;

const MARKS = { pending: '… ', failed: '✗ ', aborted: '■ ', done: '' };

/** The drawing of a flow. Its content is given to {@link Graph.show}; it keeps nothing else. */
export class Graph {
  /** @type {Core} */
  #cy;
  /** The given text of each element: only changed ones are drawn again. @type {Map<string, string>} */
  #drawn = new Map();
  /** @type {WireFlow | undefined} */
  #flow;
  #places = placesOf({ nodes: [], connections: [] });

  /**
   * @param {HTMLElement} container
   * @param {(id: string) => void} onSelect
   * @param {AbortSignal} signal
   */
  constructor(container, onSelect, signal) {
    this.#cy = cytoscape({
      container,
      style: styleOf(container),
      minZoom: 0.1,
      maxZoom: 2,
      autoungrabify: true,
      boxSelectionEnabled: false,
    });
    this.#cy.on('tap', 'node', ({ target }) => onSelect(target.id()));
    const dark = matchMedia('(prefers-color-scheme: dark)');
    dark.addEventListener('change', () => this.#cy.style(styleOf(container)), { signal });
    signal.addEventListener('abort', () => this.#cy.destroy());
  }

  /**
   * @param {WireFlow} flow
   * @param {ReadonlyMap<string, WireNode>} nodes
   * @param {string | undefined} selected
   */
  show(flow, nodes, selected) {
    const cy = this.#cy;
    if (flow !== this.#flow) this.#places = placesOf(flow);
    this.#flow = flow;
    const elements = [...nodesOf(flow, nodes, selected, this.#places), ...edgesOf(flow)];
    const wanted = new Map(elements.map((one) => [one.data.id ?? '', JSON.stringify(one)]));
    const isFirst = cy.nodes().empty();
    cy.batch(() => {
      cy.remove(cy.elements().filter((one) => !wanted.has(one.id())));
      cy.add(elements.filter(({ data: { id = '' } }) => !this.#drawn.has(id)));
      for (const { data, classes = '', position } of elements) {
        const { id = '' } = data;
        const known = this.#drawn.get(id);
        if (known === undefined || known === wanted.get(id)) continue;
        const one = cy.getElementById(id).data(data);
        one.classes(classes);
        if (position) one.position(position);
      }
    });
    this.#drawn = wanted;
    if (isFirst && elements.length > 0) this.#fit();
  }

  /** Brings a node into view. @param {string} id */
  reveal(id) {
    const node = this.#cy.getElementById(id);
    if (node.empty()) return;
    const { x1, y1, x2, y2 } = this.#cy.extent();
    const { x, y } = node.position();
    const isSeen = x > x1 && x < x2 && y > y1 && y < y2;
    if (!isSeen) this.#cy.center(node);
  }

  /** All of it, if it can be read then; otherwise its beginning. */
  #fit() {
    this.#cy.fit(undefined, 24);
    if (this.#cy.zoom() > 1) this.#cy.zoom(1).center();
    if (this.#cy.zoom() < 0.5) this.#cy.zoom(0.5).center(this.#cy.nodes().first());
  }
}

/**
 * @param {WireFlow} flow
 * @param {ReadonlyMap<string, WireNode>} nodes
 * @param {string | undefined} selected
 * @param {ReturnType<typeof placesOf>} places
 * @returns {ElementDefinition[]}
 */
function nodesOf(flow, nodes, selected, places) {
  return flow.nodes.map(({ id, index }) => {
    const node = nodes.get(id);
    const { status = 'done' } = node ?? {};
    const { lane, depth } = places.get(id) ?? { lane: 0, depth: 0 };
    const classes = [status, id === flow.head ? 'head' : '', id === selected ? 'selected' : ''];
    return {
      group: 'nodes',
      data: { id, label: `${MARKS[status]}${index} ${titleOf(node)}` },
      position: { x: lane * LANE, y: depth * ROW },
      classes: classes.filter((name) => name !== '').join(' '),
    };
  });
}

/**
 * @param {WireFlow} flow
 * @returns {ElementDefinition[]}
 */
function edgesOf({ connections }) {
  return connections.map(({ from, to, branch = '' }) => {
    return { group: 'edges', data: { id: `${from} ${to}`, source: from, target: to, branch } };
  });
}

/**
 * Returns the first words of a node; of one with a speaker, the name and the answer: its prompt is what others said.
 *
 * @param {WireNode | undefined} node
 */
export function titleOf(node) {
  const { prompt = '', response = '', speaker = '' } = node ?? {};
  const said = response.trim() || prompt.trim();
  const text = speaker === '' ? prompt.trim() || said : `${speaker}: ${said}`;
  const characters = Array.from(text.replace(/\s+/g, ' ').slice(0, 200));
  return characters.length > 44 ? `${characters.slice(0, 43).join('')}…` : characters.join('');
}

/**
 * The colours are those of the page, light or dark.
 *
 * @param {HTMLElement} container
 * @returns {StylesheetJson}
 */
function styleOf(container) {
  const page = getComputedStyle(container);
  const colour = (/** @type {string} */ name) => page.getPropertyValue(`--${name}`).trim();
  const text = { color: colour('text'), 'font-family': page.fontFamily, 'font-size': 12 };
  return [
    {
      selector: 'node',
      style: {
        ...text,
        shape: 'round-rectangle',
        width: WIDTH,
        height: 52,
        label: 'data(label)',
        'text-valign': 'center',
        'text-wrap': 'wrap',
        'text-max-width': `${WIDTH - 16}px`,
        // Japanese has no spaces to break at.
        'text-overflow-wrap': 'anywhere',
        'background-color': colour('card'),
        'border-width': 1,
        'border-color': colour('line'),
      },
    },
    { selector: 'node.pending', style: { 'border-style': 'dashed' } },
    { selector: 'node.failed, node.aborted', style: { 'border-color': colour('warn') } },
    { selector: 'node.head', style: { 'border-width': 3, 'border-color': colour('accent') } },
    { selector: 'node.selected', style: { 'background-color': colour('chosen') } },
    {
      selector: 'edge',
      style: {
        ...text,
        'font-size': 11,
        width: 1.5,
        label: 'data(branch)',
        'curve-style': 'round-taxi',
        'taxi-direction': 'downward',
        'line-color': colour('line'),
        'target-arrow-color': colour('line'),
        'target-arrow-shape': 'triangle',
        'text-background-color': colour('page'),
        'text-background-opacity': 1,
        'text-background-padding': '2px',
      },
    },
  ];
}
