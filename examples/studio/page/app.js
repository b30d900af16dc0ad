import { element } from './dom.js';
import { showFlow } from './flow/flow-view.js';
import { showFiles } from './memory/files-view.js';
import { showSearch } from './memory/search-view.js';
import { showSessions } from './memory/sessions-view.js';
import { showTimeline } from './memory/timeline-view.js';
import { language, strings } from './strings.js';
import { ProjectSocket } from './wire/project-socket.js';
import { Rest } from './wire/rest.js';
import { takeToken } from './wire/token.js';

/**
 * The parts of a view: its element, the two servers, and the signal that ends it.
 *
 * @typedef {object} View
 * @property {HTMLElement} main
 * @property {ProjectSocket} socket
 * @property {Rest} rest
 * @property {URLSearchParams} query
 * @property {AbortSignal} signal - Aborted when another view is shown.
 * @property {(error: unknown) => void} fail - Shows an error.
 */

const token = takeToken();
const socket = new ProjectSocket(token);
const rest = new Rest(token);
const main = /** @type {HTMLElement} */ (document.getElementById('main'));
const connection = /** @type {HTMLElement} */ (document.getElementById('connection'));

document.documentElement.lang = language;
/** @type {[string, string][]} */
const pages = [
  ['#/flows', strings.flows],
  ['#/sessions', strings.sessions],
  ['#/files', strings.files],
  ['#/search', strings.search],
];
document
  .getElementById('nav')
  ?.append(...pages.map(([href, text]) => element('a', { href }, text)));

socket.addEventListener('open', () => tell(strings.connected, true));
socket.addEventListener('lost', () => {
  tell(strings.lost, false);
  // The page sees only that it failed: the other server says why.
  rest.get('/api/stats').catch(({ status }) => status === 401 && tell(strings.refused, false));
});
addEventListener('hashchange', show);

let view = new AbortController();
show();

/**
 * @param {string} text
 * @param {boolean} isOpen
 */
function tell(text, isOpen) {
  connection.textContent = text;
  connection.className = isOpen ? 'open' : 'lost';
}

/** Shows what the address names. */
function show() {
  view.abort();
  view = new AbortController();
  const [path = '', search] = location.hash.slice(1).split('?', 2);
  const [, page = '', name = ''] = path.split('/').map(decodeURIComponent);
  for (const link of document.querySelectorAll('#nav a')) {
    const isHere = link.getAttribute('href') === `#/${page || 'flows'}`;
    if (isHere) link.setAttribute('aria-current', 'page');
    else link.removeAttribute('aria-current');
  }
  main.replaceChildren();
  const query = new URLSearchParams(search);
  const { signal } = view;
  const fail = (/** @type {unknown} */ error) => {
    if (signal.aborted) return;
    const text = error instanceof Error ? error.message : String(error);
    main.prepend(element('p', { class: 'error', role: 'alert' }, `${strings.failed}: ${text}`));
  };
  /** @type {View} */
  const given = { main, socket, rest, query, signal, fail };
  if (page === 'sessions' && name !== '') showTimeline(given, name);
  else if (page === 'sessions') showSessions(given);
  else if (page === 'files') showFiles(given);
  else if (page === 'search') showSearch(given);
  else showFlow(given, name);
}
