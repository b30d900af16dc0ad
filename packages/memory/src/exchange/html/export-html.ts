import { createHash } from 'node:crypto';
import {
  escapeHtml,
  visibleHtml,
  visibleText,
  VISIBLE_HTML_STYLE,
} from '@vizprompt/providers/internal';
import { checkOptions } from '../../check-values.ts';
import { pathsOf } from '../../files/file-history.ts';
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
import { PAGE_SCRIPT } from './page-script.ts';
import { block, NAMES, timelineHtml } from './timeline-html.ts';

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
    // The page of a file shows only the sessions that changed it.
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

/** The looks of the page; light or dark as the reader's system is. */
const PAGE_STYLE: string = `
:root{color-scheme:light dark;--line:#8884;--soft:#8882;--user:#2f6fd033;--assistant:#15803d33;--added:#15803d33;--removed:#be123c33}
*{box-sizing:border-box}
[hidden]{display:none!important}
body{margin:0;font:15px/1.6 system-ui,"Hiragino Sans","Noto Sans JP",sans-serif}
body>header{position:sticky;top:0;z-index:1;background:Canvas;padding:.5rem 1rem;border-bottom:1px solid var(--line);display:flex;gap:.3rem 1rem;align-items:center;flex-wrap:wrap}
h1{font-size:1.1rem;margin:0;overflow-wrap:anywhere}h2{font-size:1rem;margin:2rem 0 0;overflow-wrap:anywhere}h3{font-size:.85rem;margin:.5rem 0 0}
body>header p{margin:0;opacity:.75;font-size:.85rem}
fieldset{border:0;margin:0;padding:0;display:flex;flex-wrap:wrap;gap:0 .8rem;font-size:.85rem}legend{position:absolute;clip-path:inset(50%)}
input,button{font:inherit}input[type=search]{flex:1 1 10rem;max-width:22rem;padding:.1rem .5rem}
main{max-width:78rem;margin:0 auto;padding:0 1rem 4rem}
article{margin:.6rem 0;padding:.4rem .8rem;border-radius:.7rem;background:var(--soft);content-visibility:auto;contain-intrinsic-size:auto 4rem;scroll-margin-top:6rem;min-width:0}
article:target{outline:2px solid Highlight}
article>header{font-size:.8rem;opacity:.75}article>header a{color:inherit}
.user_message{margin-right:18%;background:var(--user)}
.assistant_message{margin-left:18%;background:var(--assistant)}
.thinking,.tool_use,.forgotten{background:none;border:1px solid var(--line);padding:.2rem .8rem}
.change{display:grid;grid-template-columns:minmax(0,2fr) minmax(0,5fr);gap:0 1rem}
.change>:only-child,.change>[hidden]+*{grid-column:1/-1}
.failed{outline:1px solid #be123c}
pre{white-space:pre-wrap;overflow-wrap:anywhere;font:inherit;margin:.2rem 0}
pre.code,pre.diff{font:13px/1.45 ui-monospace,"SF Mono",Consolas,"Noto Sans Mono CJK JP",monospace;tab-size:4;max-height:40rem;overflow:auto}
.diff span{display:block}.diff .add{background:var(--added)}.diff .remove{background:var(--removed)}.diff .hunk{opacity:.6}
summary{cursor:pointer;overflow-wrap:anywhere}
.facts{opacity:.75;font-size:.85rem;margin:0}.tag{background:var(--soft);border-radius:.6rem;padding:0 .5rem;margin-right:.3rem}
${VISIBLE_HTML_STYLE}
:focus-visible{outline:2px solid Highlight}
@media(max-width:45rem){.change{grid-template-columns:minmax(0,1fr)}.user_message{margin-right:5%}.assistant_message{margin-left:5%}main{padding:0 .6rem 3rem}article{scroll-margin-top:12rem}}
@media print{body>header{position:static}pre.code,pre.diff{max-height:none}article{content-visibility:visible}}
`;
