import { createHash } from 'node:crypto';
import { escapeHtml, visibleHtml, visibleText } from '@vizprompt/providers/internal';
import { checkOptions } from '../../check-values.ts';
import { pathsOf } from '../../files/file-rows.ts';
import type { MemoryEvent } from '../../model/memory-event.ts';
import type { SessionInfo } from '../../model/session.ts';
import type { MemoryContext } from '../../store/memory-context.ts';
import { sessionNotFound, toListedSession } from '../../store/session-rows.ts';
import {
  eventsOf,
  EXPORT_OPTIONS,
  sessionsOf,
  type DamagedRecord,
  type ExportOptions,
} from '../export-json.ts';
import { block, NAMES } from './event-html.ts';
import { PAGE_SCRIPT } from './page-script.ts';
import { PAGE_STYLE } from './page-style.ts';
import { timelineHtml } from './timeline-html.ts';

/**
 * Timelines as one HTML file, in pieces. It loads nothing, and nothing in it runs but its own script: the
 * policy names the script and the style by their hashes. It is read without scripts, too.
 */
export function exportHtml(context: MemoryContext, options: ExportOptions): AsyncIterable<string> {
  checkOptions('exportHtml', options, EXPORT_OPTIONS);
  return htmlPieces(context, options);
}

async function* htmlPieces(
  context: MemoryContext,
  options: ExportOptions,
): AsyncGenerator<string, void, undefined> {
  const { session, workspace, path, signal } = options;
  const paths = path === undefined ? undefined : await pathsOf(context, path, workspace);
  let place = 0;
  let done = 0;
  for await (const row of sessionsOf(context, options)) {
    signal?.throwIfAborted();
    const found = toListedSession(row);
    if (place === 0) yield headOf(session === undefined ? (workspace ?? 'Memory') : titleOf(found));
    place++;
    const damaged: DamagedRecord[] = [];
    const note = (one: DamagedRecord): void => {
      damaged.push(one);
      options.onDamaged?.(one);
    };
    const events = eventsOf(context, row.key, { paths, contents: 'omit', onDamaged: note });
    const where = { prefix: `s${place}`, workspace: found.workspace_path };
    // Of a file, only the sessions are shown that changed it.
    let isOpen = paths === undefined;
    if (isOpen) yield sessionHead(found, place);
    for await (const html of timelineHtml(counted(events), where)) {
      signal?.throwIfAborted();
      if (!isOpen) yield sessionHead(found, place);
      isOpen = true;
      yield html;
    }
    if (!isOpen && damaged.length === 0) continue;
    if (!isOpen) yield sessionHead(found, place);
    if (found.damaged !== undefined) note({ session_id: found.id, problem: found.damaged });
    for (const { sequence, problem } of damaged) {
      const subject = sequence === undefined ? '' : `Event ${sequence} cannot be read: `;
      yield `<p class="facts">${visibleHtml(subject + problem)}</p>\n`;
    }
    yield '</section>\n';
  }
  if (place === 0 && session !== undefined) throw sessionNotFound(session);
  if (place === 0) yield headOf(workspace ?? 'Memory');
  yield `</main>
<script>${PAGE_SCRIPT}</script>
</body>
</html>
`;

  async function* counted(events: AsyncIterable<MemoryEvent>): AsyncGenerator<MemoryEvent> {
    for await (const event of events) {
      yield event;
      done++;
      if (done % 1000 === 0) context.events.emit('task:progress', { task: 'export', done });
    }
  }
}

function headOf(title: string): string {
  const name = escapeHtml(visibleText(title));
  const policy = [
    "default-src 'none'",
    `style-src '${hashOf(PAGE_STYLE)}'`,
    `script-src '${hashOf(PAGE_SCRIPT)}'`,
    "base-uri 'none'",
    "form-action 'none'",
  ];
  const boxes = Object.entries(NAMES).map(([type, label]) => {
    return `<label><input type="checkbox" name="type" value="${type}" checked> ${label}</label>`;
  });
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy.join('; ')}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>${name}</title>
<style>${PAGE_STYLE}</style>
</head>
<body>
<header><h1 dir="auto">${visibleHtml(title)}</h1>
<fieldset><legend>What to show</legend>${boxes.join('\n')}</fieldset>
<input type="search" id="path" list="paths" aria-label="Only changes of this file" placeholder="File ( / )" autocomplete="off">
<datalist id="paths"></datalist>
<button type="button" id="fold" aria-pressed="false">Unfold all</button>
<p role="status"></p></header>
<main>
`;
}

function sessionHead(session: SessionInfo, place: number): string {
  const { id, started_at: started, ended_at: ended, event_count: count, metadata } = session;
  const { branch, tags = [], initial_context: initial = '' } = metadata;
  const facts = [
    id,
    `${started} – ${ended ?? 'running'}`,
    `${count} events`,
    ...(branch === undefined ? [] : [`branch ${branch}`]),
  ];
  const marks = tags.map((tag) => `<span class="tag" dir="auto">${visibleHtml(tag)}</span>`);
  return `<section id="s${place}">
<h2 dir="auto">${visibleHtml(titleOf(session))}</h2>
<p class="facts" dir="auto">${visibleHtml(facts.join(' · '))}</p>
${marks.length > 0 ? `<p>${marks.join('')}</p>` : ''}${initial === '' ? '' : block(initial)}
`;
}

function titleOf({ workspace_path: workspace, started_at: started }: SessionInfo): string {
  return `${workspace} ${started.slice(0, 16).replace('T', ' ')}`;
}

function hashOf(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`;
}
