/** @import { View } from '../app.js' */
/** @import { Session } from '../wire/types.js' */

import { element, time } from '../dom.js';
import { strings } from '../strings.js';
import { follow } from '../wire/event-stream.js';

const PAGE = 100;

/**
 * Sessions by workspace, those that are in progress or have ended.
 *
 * @param {View} view
 */
export function showSessions({ main, rest, query, signal, fail }) {
  const state = query.get('state') ?? 'all';
  const list = element('div', { id: 'sessions' });
  const more = element('button', { type: 'button', hidden: true, click: grow }, strings.more);
  main.append(element('div', { class: 'bar' }, stateChoice(state)), list, more);
  const only = state === 'all' ? {} : { state };
  let size = PAGE;
  let shown = '';
  /**
   * The newest sessions, and what the page after them is asked with.
   *
   * @type {{ sessions: readonly Session[], next?: string }}
   */
  let newest = { sessions: [] };
  const path = `/api/sessions?${new URLSearchParams({ ...only, limit: String(PAGE) })}`;
  const onMessage = (/** @type {import('../wire/event-stream.js').StreamMessage} */ { data }) => {
    newest = data;
    void show().catch(fail);
  };
  follow(rest, path, { onMessage, signal }).catch(fail);

  async function show() {
    const asked = newest;
    const sessions = [...asked.sessions];
    let before = asked.next;
    while (before !== undefined && sessions.length < size) {
      const page = await rest.get('/api/sessions', { ...only, before, limit: PAGE }, signal);
      sessions.push(...page.sessions);
      before = page.next;
    }
    // A newer answer came in the meantime, and shows itself.
    if (asked !== newest) return;
    more.hidden = before === undefined;
    const now = JSON.stringify(sessions);
    // Only then, so that the focus stays where it is.
    if (now !== shown) list.replaceChildren(...groupsOf(sessions));
    shown = now;
  }

  function grow() {
    size += PAGE;
    void show().catch(fail);
  }
}

/** @param {string} chosen */
function stateChoice(chosen) {
  const choices = ['all', 'active', 'ended'].map((state) => {
    const text = strings[/** @type {'all' | 'active' | 'ended'} */ (state)];
    const change = () => void (location.hash = `#/sessions?state=${state}`);
    const attributes = { type: 'radio', name: 'state', value: state, checked: state === chosen };
    return element('label', {}, element('input', { ...attributes, change }), ` ${text}`);
  });
  return element('fieldset', {}, element('legend', {}, strings.state), ...choices);
}

/** @param {readonly Session[]} sessions */
function groupsOf(sessions) {
  if (sessions.length === 0) return [element('p', { class: 'empty' }, strings.nothing)];
  const groups = Map.groupBy(sessions, (session) => session.workspace_path);
  return [...groups].map(([workspace, inside]) => {
    return element(
      'section',
      { class: 'workspace' },
      element('h2', {}, workspace),
      element('ul', {}, ...inside.map(entryOf)),
    );
  });
}

/** @param {Session} session */
function entryOf({ id, metadata, started_at, ended_at, event_count, updated_at }) {
  const { branch, tags = [] } = metadata;
  const state = ended_at === null ? strings.active : strings.ended;
  return element(
    'li',
    { 'data-state': ended_at === null ? 'active' : 'ended' },
    element('a', { href: `#/sessions/${encodeURIComponent(id)}` }, time(started_at)),
    element('span', { class: 'state' }, state),
    ...(branch === undefined ? [] : [element('code', {}, branch)]),
    ...tags.map((tag) => element('span', { class: 'facts' }, `#${tag}`)),
    element('span', { class: 'facts' }, `${event_count} ${strings.events}`),
    element('span', { class: 'facts' }, `${strings.updated} `, time(updated_at)),
  );
}
