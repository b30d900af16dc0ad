/** @import { View } from '../app.js' */
/** @import { ChangedFile, FileChange } from '../wire/types.js' */

import { element, time, visible } from '../dom.js';
import { strings } from '../strings.js';
import { diffView } from './diff-view.js';
import { fileTree } from './file-tree.js';

/**
 * Returns the files that sessions of a workspace changed, and the history of one of them.
 *
 * @param {View} view
 */
export function showFiles({ main, rest, query, signal, fail }) {
  const path = query.get('path') ?? '';
  const choice = element('select', { id: 'workspace', change: () => go(choice.value) });
  const tree = element('nav', { id: 'tree', 'aria-label': strings.files });
  const changes = element('ol', { id: 'history' });
  const more = element('button', { type: 'button', hidden: true, click: readOn }, strings.more);
  /** The page of the history that is read next. @type {string | undefined} */
  let next;
  main.append(
    element(
      'div',
      { class: 'bar' },
      element('label', { for: 'workspace' }, strings.workspace),
      choice,
    ),
    element(
      'div',
      { class: 'files' },
      tree,
      element('section', {}, element('h2', {}, path), changes, more),
    ),
  );
  void showTree().catch(fail);
  if (path !== '') readOn();

  async function showTree() {
    const { workspaces } = await rest.get('/api/stats', {}, signal);
    /** @type {string[]} */
    const names = workspaces.map((/** @type {any} */ { workspace_path: name }) => name);
    const workspace = query.get('workspace') ?? names[0];
    choice.replaceChildren(
      ...names.map((name) =>
        element('option', { value: name, selected: name === workspace }, name),
      ),
    );
    if (workspace === undefined) return tree.replaceChildren(strings.nothing);
    const files = await filesOf(workspace);
    tree.replaceChildren(fileTree(files, workspace, (file) => addressOf(workspace, file)));
    for (const link of tree.querySelectorAll('a')) {
      if (link.title === path) link.setAttribute('aria-current', 'true');
    }
    return undefined;
  }

  /** @param {string} workspace */
  async function filesOf(workspace) {
    /** @type {ChangedFile[]} */
    const all = [];
    /** @type {string | undefined} */
    let after;
    do {
      const page = await rest.get('/api/files', { workspace, after }, signal);
      all.push(...page.files);
      after = page.next;
    } while (after !== undefined);
    return all;
  }

  function readOn() {
    void showHistory().catch(fail);
  }

  async function showHistory() {
    const address = `/api/files/${encodeURIComponent(path)}/history`;
    const page = await rest.get(address, { before: next }, signal);
    changes.append(...page.changes.map(card));
    next = page.next;
    more.hidden = next === undefined;
  }

  /** @param {FileChange} change */
  function card(change) {
    const made = changeCard(change);
    const { id, data } = change.edit ?? {};
    if (id !== undefined && data?.success && data.action !== 'delete') made.append(textAt(id));
    return made;
  }

  /** Returns the whole text that an edit left, which is read when it is unfolded. @param {string} event */
  function textAt(event) {
    const text = element('pre', { tabindex: 0 });
    const show = async () => {
      if (!folded.open || text.textContent !== '') return;
      const address = `/api/files/${encodeURIComponent(path)}/at`;
      const { content } = await rest.get(address, { event }, signal);
      text.replaceChildren(...visible(content ?? ''));
    };
    const folded = element(
      'details',
      { toggle: () => void show().catch(fail) },
      element('summary', {}, strings.wholeText),
      text,
    );
    return folded;
  }
}

/** @param {FileChange} change */
function changeCard({ timestamp, session_id, intention, edit }) {
  const event = edit ?? intention;
  const address = `#/sessions/${encodeURIComponent(session_id)}?event=${event?.sequence ?? 1}`;
  const { diff = '', action = '', success = true, error_message = '' } = event?.data ?? {};
  const state = edit ? action : strings.neverDone;
  return element(
    'li',
    {},
    element('p', { class: 'facts' }, element('a', { href: address }, time(timestamp)), ` ${state}`),
    ...(intention ? [element('p', { class: 'said' }, `💡 ${intention.data.reason ?? ''}`)] : []),
    ...(success ? [] : [element('p', { class: 'error' }, error_message)]),
    ...(diff === '' ? [] : [diffView(diff).view]),
  );
}

/**
 * @param {string} workspace
 * @param {string} [path]
 */
function addressOf(workspace, path) {
  const query = new URLSearchParams({ workspace, ...(path === undefined ? {} : { path }) });
  return `#/files?${query}`;
}

/** @param {string} workspace */
function go(workspace) {
  location.hash = addressOf(workspace);
}
