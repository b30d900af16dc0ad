/** @import { View } from '../app.js' */
/** @import { MemoryEvent, Session } from '../wire/types.js' */

import { element, time } from '../dom.js';
import { strings } from '../strings.js';
import { follow } from '../wire/event-stream.js';
import { eventCard } from './event-card.js';
import { TimelineFilter } from './timeline-filter.js';

/** How many events are read at once, and how many are before the one that is jumped to. */
const PAGE = 200;
const BEFORE = 20;

/**
 * Shows a session as a conversation, with its past and its new events.
 *
 * @param {View} view
 * @param {string} id
 */
export function showTimeline({ main, rest, query, signal, fail }, id) {
  const path = `/api/sessions/${encodeURIComponent(id)}`;
  const about = element('div', { id: 'session', class: 'facts' });
  const live = element('span', { id: 'live', role: 'status', class: 'facts' });
  const list = element('ol', { id: 'timeline' });
  const earlier = element('button', { type: 'button', hidden: true, click }, strings.earlier);
  const filter = new TimelineFilter(applyFilter);
  const number = element('input', { id: 'jump', type: 'number', min: 1, required: true });
  const form = element(
    'form',
    { submit: (event) => void (event.preventDefault(), jump(number.valueAsNumber).catch(fail)) },
    element('label', { for: 'jump' }, `${strings.jump} `),
    number,
    element('button', { type: 'submit' }, strings.go),
  );
  main.append(about, element('div', { class: 'bar' }, filter.element, form, live), earlier, list);
  /** The sequence after which the timeline is shown. */
  let start = 0;
  const target = Number(query.get('event') ?? 0);
  void begin().catch(fail);

  async function begin() {
    /** @type {Session} */
    const { event_count: count } = await rest.get(path, {}, signal);
    number.max = String(count);
    start = target > 0 ? Math.max(0, target - BEFORE - 1) : Math.max(0, count - PAGE);
    earlier.hidden = start === 0;
    await follow(rest, `${path}/events`, { after: start, onMessage, onState, signal });
  }

  /** @param {import('../wire/event-stream.js').StreamMessage} message */
  function onMessage({ event, data }) {
    if (event === 'session') describe(data);
    else if (event === 'deleted') about.replaceChildren(strings.gone);
    else add(data, list.children.length);
  }

  /** @param {boolean} isOpen */
  function onState(isOpen) {
    live.textContent = isOpen ? `● ${strings.live}` : strings.lost;
  }

  /** @param {Session} session */
  function describe({ workspace_path, started_at, ended_at, metadata: { branch } }) {
    const state = ended_at === null ? strings.active : strings.ended;
    about.replaceChildren(
      element('strong', {}, workspace_path),
      ...(branch === undefined ? [] : [' ', element('code', {}, branch)]),
      ` ${strings.started} `,
      time(started_at),
      ` · ${state} `,
      ...(ended_at === null ? [] : [time(ended_at)]),
    );
  }

  /**
   * @param {MemoryEvent} event
   * @param {number} place
   */
  function add(event, place) {
    const card = eventCard(event);
    filter.learn(event);
    filter.apply(card);
    list.insertBefore(card, list.children[place] ?? null);
    number.max = String(Math.max(Number(number.max), event.sequence));
    if (event.sequence === target) reveal(card);
  }

  function click() {
    void readEarlier(Math.max(0, start - PAGE)).catch(fail);
  }

  /** Puts the events before those that are shown. @param {number} after - The sequence to begin after. */
  async function readEarlier(after) {
    const wanted = start;
    /** @type {MemoryEvent[]} */
    const found = [];
    for (let at = after; at < wanted; at = found.at(-1)?.sequence ?? wanted) {
      const limit = Math.min(PAGE, wanted - at);
      const { events } = await rest.get(`${path}/events`, { after: at, limit }, signal);
      if (events.length === 0) break;
      found.push(...events);
    }
    for (const [place, event] of found.entries()) add(event, place);
    start = after;
    earlier.hidden = start === 0;
  }

  /** @param {number} sequence */
  async function jump(sequence) {
    if (sequence <= start) await readEarlier(Math.max(0, sequence - BEFORE - 1));
    filter.clear();
    const card = document.getElementById(`event-${sequence}`);
    if (!card) return;
    history.replaceState(null, '', `#/sessions/${encodeURIComponent(id)}?event=${sequence}`);
    reveal(card);
  }

  function applyFilter() {
    for (const card of list.children) filter.apply(card);
  }
}

/** @param {HTMLElement} card */
function reveal(card) {
  card.scrollIntoView({ block: 'center' });
  card.focus({ preventScroll: true });
}
