/** @import { View } from '../app.js' */
/** @import { WireNode } from '../wire/types.js' */

import { element } from '../dom.js';
import { strings } from '../strings.js';
import { AskForm } from './ask-form.js';
import { EditButtons } from './edit-buttons.js';
import { FlowState } from './flow-state.js';
import { Graph, titleOf } from './graph.js';
import { nodeText } from './node-panel.js';
import { neighbour } from './walk.js';

/**
 * Returns a conversation as a graph that changes as the project does, and the chosen node next to it.
 *
 * @param {View} view
 * @param {string} name - The id of the flow; empty: the first one.
 */
export function showFlow({ main, socket, query, signal, fail }, name) {
  const state = new FlowState(socket, name, signal);
  const choice = element('select', { id: 'flow', change: () => go(choice.value) });
  const count = element('span', { class: 'facts' });
  const canvas = element('div', {
    id: 'graph',
    role: 'application',
    tabindex: 0,
    'aria-label': strings.graph,
    keydown: walk,
  });
  const spoken = element('p', { class: 'unseen', 'aria-live': 'polite' });
  const text = element('div', { id: 'node' });
  let selected = query.get('node') ?? undefined;
  /** @type {WireNode | undefined} */
  let asked;
  /** The text of its answer so far, after an earlier part. */
  let coming = '';
  /** @type {(() => void) | undefined} */
  let stop;

  const form = new AskForm({
    ask: (action, data) => void ask(action, data).catch(fail),
    add: (prompt, branch) => void add(prompt, branch).catch(fail),
    stop: () => stop?.(),
  });
  const edit = new EditButtons(socket, fail);
  const head = element('label', { for: 'flow' }, strings.flows);
  main.append(
    element('div', { class: 'bar' }, head, choice, count, edit.element),
    element(
      'div',
      { class: 'flow' },
      canvas,
      element('section', { class: 'panel' }, spoken, text, form.element),
    ),
  );
  const graph = new Graph(canvas, select, signal);
  let isDrawing = false;
  // Many changes that come together are drawn once.
  const redraw = () => {
    if (!isDrawing) requestAnimationFrame(() => (signal.aborted ? undefined : draw()));
    isDrawing = true;
  };
  state.addEventListener('change', redraw, { signal });
  const failed = (/** @type {Event} */ event) => fail(/** @type {CustomEvent} */ (event).detail);
  state.addEventListener('failed', failed, { signal });

  function draw() {
    isDrawing = false;
    const { flow, flows, nodes } = state;
    choice.replaceChildren(
      ...flows.map((one) => {
        return element('option', { value: one.id, selected: one.id === flow?.id }, one.name);
      }),
    );
    count.textContent = flow ? `${flow.nodes.length} ${strings.nodes}` : strings.nothing;
    const isHere = nodes.has(selected ?? '') || flow?.nodes.some(({ id }) => id === selected);
    if (flow && !isHere) selected = flow.head;
    if (flow) graph.show(flow, nodes, selected);
    edit.show(flows, flow, selected);
    drawNode();
  }

  /** Returns the chosen node alone: it is drawn again with every piece of an answer. */
  function drawNode() {
    const node = state.nodes.get(selected ?? '');
    form.show(node, stop !== undefined);
    if (!node) return text.replaceChildren();
    const isHead = node.id === state.flow?.head;
    const shown = node.id === asked?.id ? { ...node, response: asked.response + coming } : node;
    return text.replaceChildren(nodeText(shown, { isHead }));
  }

  /** @param {string} id */
  function select(id) {
    selected = id;
    spoken.textContent = titleOf(state.nodes.get(id));
    history.replaceState(null, '', `#/flows/${state.flow?.id ?? ''}?node=${id}`);
    draw();
    graph.reveal(id);
  }

  /** @param {Event} event */
  function walk(event) {
    const { key } = /** @type {KeyboardEvent} */ (event);
    if (!key.startsWith('Arrow') || !state.flow || selected === undefined) return;
    event.preventDefault();
    const next = neighbour(state.flow, selected, key);
    if (next !== undefined) select(next);
  }

  /**
   * Asks the model, and shows what comes as it comes.
   *
   * @param {string} action
   * @param {object} data
   */
  async function ask(action, data) {
    coming = '';
    const flow = state.flow ? { flow_id: state.flow.id } : {};
    const started = socket.start(action, { ...data, ...flow }, (event, told) => {
      if (event === 'chat_delta') coming += told.text;
      if (event === 'chat_detail') coming = '';
      if (event !== 'chat_asked') return drawNode();
      asked = told.node;
      form.clear();
      state.put(told.node);
      return select(told.node.id);
    });
    stop = started.cancel;
    drawNode();
    try {
      const { node } = await started.answer;
      state.put(node);
    } finally {
      stop = undefined;
      asked = undefined;
      drawNode();
    }
  }

  /**
   * @param {string} prompt
   * @param {string} branch
   */
  async function add(prompt, branch) {
    const after = selected === undefined ? {} : { after: selected };
    const named = branch === '' ? {} : { branch_name: branch };
    const flow = state.flow ? { flow_id: state.flow.id } : {};
    const { node } = await socket.ask('create_node', { prompt, ...after, ...named, ...flow });
    form.clear();
    state.put(node);
    select(node.id);
  }
}

/** @param {string} id */
function go(id) {
  location.hash = `#/flows/${id}`;
}
