/** @import { View } from '../app.js' */
/** @import { MemoryEvent, NodeHit, Snippet } from '../wire/types.js' */

import { element, time } from '../dom.js';
import { strings } from '../strings.js';
import { highlighted } from './highlighted.js';

const MOST = 30;

/**
 * Words are looked for in sessions and in conversations.
 *
 * @param {View} view
 */
export function showSearch({ main, rest, socket, query, signal, fail }) {
  const words = query.get('q') ?? '';
  const field = element('input', { id: 'words', type: 'search', value: words, required: true });
  const submit = (/** @type {Event} */ event) => {
    event.preventDefault();
    location.hash = `#/search?${new URLSearchParams({ q: field.value })}`;
  };
  const label = element('label', { for: 'words' }, strings.words);
  const button = element('button', { type: 'submit' }, strings.search);
  main.append(element('form', { class: 'bar', role: 'search', submit }, label, field, button));
  if (words === '') return field.focus();
  const events = section(strings.inMemory, 'found-events');
  const nodes = section(strings.inFlows, 'found-nodes');
  main.append(events.section, nodes.section);
  void findEvents().catch(fail);
  if (socket.isOpen) void findNodes().catch(fail);
  else socket.addEventListener('open', () => void findNodes().catch(fail), { once: true, signal });
  return undefined;

  async function findEvents() {
    const { hits } = await rest.get('/api/search', { q: words, k: MOST }, signal);
    events.fill(hits.map(eventHit));
  }

  async function findNodes() {
    const { nodes: hits } = await socket.ask('search_nodes', { text: words, limit: MOST });
    nodes.fill(hits.map(nodeHit));
  }
}

/**
 * @param {string} title
 * @param {string} id
 */
function section(title, id) {
  const list = element('ol', { id, class: 'hits' });
  return {
    section: element('section', {}, element('h2', {}, title), list),
    /** @param {HTMLElement[]} hits */
    fill: (hits) => list.replaceChildren(...(hits.length > 0 ? hits : [strings.noHits])),
  };
}

/** @param {{ event: MemoryEvent, snippet: Snippet }} hit */
function eventHit({ event: { session_id, sequence, timestamp, type }, snippet }) {
  const address = `#/sessions/${encodeURIComponent(session_id)}?event=${sequence}`;
  const link = element('a', { href: address }, `${strings[type]} `, time(timestamp));
  return element('li', {}, link, highlighted(snippet));
}

/** @param {NodeHit} hit */
function nodeHit({ id, title, flow_ids: flows, snippet }) {
  const link = element('a', { href: `#/flows/${flows[0] ?? ''}?node=${id}` }, title);
  return element('li', {}, link, ...(snippet ? [highlighted(snippet)] : []));
}
