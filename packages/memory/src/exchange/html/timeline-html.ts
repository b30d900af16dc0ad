import type { JsonValue } from '@vizprompt/providers';
import { LruMap, escapeHtml, visibleHtml } from '@vizprompt/providers/internal';
import { countLines, linesOf } from '../../diff/unified-diff.ts';
import type { EventOf, MemoryEvent } from '../../model/memory-event.ts';
import { placedPath } from '../../model/paths.ts';

/** How many intentions are remembered until their edits come. */
const REMEMBERED = 1000;

/** Where and why an edit was intended. */
interface Reason {
  readonly anchor: string;
  readonly sequence: number;
  readonly text: string;
}

/**
 * Returns the events of a session as elements, one after the other. An intention is next to the edit that
 * follows it; an edit that comes later has its reason next to it, with the way to the intention.
 */
export async function* timelineHtml(
  events: AsyncIterable<MemoryEvent>,
  { prefix, workspace }: { readonly prefix: string; readonly workspace: string },
): AsyncGenerator<string> {
  const reasons = new LruMap<string, Reason>(REMEMBERED);
  const anchorOf = ({ sequence }: MemoryEvent): string => `${prefix}e${sequence}`;
  const html = (event: MemoryEvent): string => {
    return eventHtml(event, { anchor: anchorOf(event), workspace });
  };
  let waiting: EventOf<'code_intention'> | undefined;
  for await (const event of events) {
    if (waiting && event.type === 'file_edit' && intentionOf(event) === waiting.id) {
      yield `<div class="change">${html(waiting)}${html(event)}</div>\n`;
      waiting = undefined;
      continue;
    }
    if (waiting) yield remember(waiting);
    waiting = undefined;
    if (event.type === 'code_intention') waiting = event;
    else if (event.type === 'file_edit') yield editWithReason(event);
    else yield html(event);
  }
  if (waiting) yield remember(waiting);

  function remember(intention: EventOf<'code_intention'>): string {
    const { id, sequence, data } = intention;
    reasons.set(id, { anchor: anchorOf(intention), sequence, text: data.reason.slice(0, 2000) });
    return html(intention);
  }

  function editWithReason(edit: EventOf<'file_edit'>): string {
    const reason = reasons.get(intentionOf(edit) ?? '');
    if (!reason) return html(edit);
    const link = `<p class="facts"><a href="#${reason.anchor}">Intention ${reason.sequence}</a></p>`;
    return `<div class="change"><div>${link}${block(reason.text.toWellFormed())}</div>${html(edit)}</div>\n`;
  }
}

function intentionOf({ data, parent_event_id: parent }: EventOf<'file_edit'>): string | undefined {
  return data.intention_event_id ?? parent;
}

/** Longer diffs are folded. */
const OPEN_LINES = 200;
/** Maximum length of the preview next to the name of a folded part, in UTF-16 code units. */
const GLANCE = 120;

/** The position of an event in the page. */
interface EventPlace {
  /** The id of its element. */
  readonly anchor: string;
  readonly workspace: string;
}

/** Returns an event as an element of its own. */
function eventHtml(event: MemoryEvent, { anchor, workspace }: EventPlace): string {
  const { type, sequence, timestamp } = event;
  const path = 'file_path' in event.data ? placedPath(event.data.file_path, workspace) : undefined;
  const failed =
    (event.type === 'file_edit' || event.type === 'tool_use') && event.data.success === false;
  const time = timestamp.slice(0, 19).replace('T', ' ');
  const facts = [...factsOf(event), ...redactionsOf(event)].map(
    (fact) => ` · ${visibleHtml(fact)}`,
  );
  const place = path === undefined ? '' : ` data-path="${escapeHtml(path)}"`;
  return `<article id="${anchor}" class="${type}${failed ? ' failed' : ''}" data-type="${type}"${place}>
<header><a href="#${anchor}">${sequence}</a> <time datetime="${timestamp}">${time}</time> <b>${NAMES[type]}</b>${facts.join('')}</header>
${bodyOf(event, workspace)}</article>
`;
}

/** Names of the event types in the page. */
export const NAMES: Readonly<Record<MemoryEvent['type'], string>> = {
  user_message: 'User',
  assistant_message: 'Assistant',
  thinking: 'Thought',
  code_intention: 'Intention',
  file_edit: 'Edit',
  tool_use: 'Tool',
  forgotten: 'Forgotten',
};

function bodyOf(event: MemoryEvent, workspace: string): string {
  switch (event.type) {
    case 'user_message':
      return block(event.data.content);
    case 'assistant_message': {
      const calls = event.data.tool_calls ?? [];
      const called = calls.map(({ tool, args }) => folded(tool, glance(args), json(args)));
      return block(event.data.content) + called.join('');
    }
    case 'thinking': {
      const { content, context = '' } = event.data;
      if (content === '') return '<p class="facts">The provider kept it to itself.</p>';
      return folded('💭', context === '' ? oneLine(content) : context, block(content));
    }
    case 'code_intention':
      return intentionHtml(event, workspace);
    case 'file_edit':
      return editHtml(event, workspace);
    case 'tool_use':
      return toolHtml(event);
    default:
      return '';
  }
}

function intentionHtml({ data }: EventOf<'code_intention'>, workspace: string): string {
  const { action, file_path: path, reason, diff = '' } = data;
  const planned = diff === '' ? '' : folded('Planned', lineCounts(diff), diffHtml(diff));
  return `<h3 dir="auto">${action} ${visibleHtml(placedPath(path, workspace))}</h3>${block(reason)}${planned}`;
}

function editHtml({ data }: EventOf<'file_edit'>, workspace: string): string {
  const { action, file_path: path, diff, success, error_message: error = '' } = data;
  const name = `${action} ${placedPath(path, workspace)}`;
  const counts = success ? lineCounts(diff) : `failed`;
  const { added, removed } = countLines(diff);
  const isOpen = added + removed <= OPEN_LINES;
  const body = diff === '' ? '<p class="facts">No difference is recorded.</p>' : diffHtml(diff);
  return (error === '' ? '' : block(error)) + folded(name, counts, body, isOpen);
}

function toolHtml({ data }: EventOf<'tool_use'>): string {
  const { tool, parameters, result, duration_ms: duration, success } = data;
  const facts = [
    glance(parameters),
    ...(duration === undefined ? [] : [`${duration} ms`]),
    ...(success === false ? ['failed'] : []),
  ];
  const answer = result === undefined ? '' : `<h3>Result</h3>${json(result)}`;
  return folded(tool, facts.join(' · '), `<h3>Parameters</h3>${json(parameters)}${answer}`);
}

function folded(name: string, about: string, body: string, isOpen = false): string {
  const summary = `<b dir="auto">${visibleHtml(name)}</b> <span dir="auto">${visibleHtml(about)}</span>`;
  return `<details${isOpen ? ' open' : ''}><summary>${summary}</summary>${body}</details>`;
}

function json(value: JsonValue): string {
  return block(typeof value === 'string' ? value : JSON.stringify(value, null, 1), 'code');
}

function glance(value: JsonValue): string {
  return oneLine(typeof value === 'string' ? value : JSON.stringify(value));
}

function oneLine(text: string): string {
  const line = text
    .slice(0, GLANCE * 2)
    .replaceAll(/\s\s*/g, ' ')
    .trim();
  if (line.length <= GLANCE && text.length <= GLANCE * 2) return line;
  return `${line.slice(0, GLANCE).toWellFormed()}…`;
}

function lineCounts(diff: string): string {
  const { added, removed } = countLines(diff);
  return `+${added} −${removed}`;
}

function factsOf({ meta = {} }: MemoryEvent): string[] {
  return [meta['speaker'], meta['model']].filter((fact) => typeof fact === 'string');
}

function redactionsOf({ redactions }: MemoryEvent): string[] {
  return redactions === undefined ? [] : [`${redactions} secrets were removed`];
}

/** Returns a block in which spaces and line breaks stay; a parser drops the first line break. */
export function block(text: string, className = ''): string {
  const name = className === '' ? '' : ` class="${className}"`;
  return `<pre dir="auto"${name}>\n${visibleHtml(text)}</pre>`;
}

type LineKind = 'add' | 'remove' | 'hunk' | 'same';

/** Returns a unified diff as a block; neighbouring lines of one kind are one element. */
function diffHtml(diff: string): string {
  let html = '';
  let run = '';
  let kind: LineKind | undefined;
  const close = (): void => {
    if (run !== '') html += `<span class="${kind}">${visibleHtml(run)}</span>`;
    run = '';
  };
  let isHead = true;
  for (const line of linesOf(diff)) {
    if (line.startsWith('@@ ')) isHead = false;
    else if (line.startsWith('diff --git ')) isHead = true;
    const next = isHead ? 'hunk' : kindOf(line);
    if (next !== kind) close();
    kind = next;
    run += line;
  }
  close();
  return `<pre class="diff" dir="auto">\n${html}</pre>`;
}

function kindOf(line: string): LineKind {
  if (line.startsWith('+')) return 'add';
  if (line.startsWith('-')) return 'remove';
  return line.startsWith('@@ ') || line.startsWith('\\') ? 'hunk' : 'same';
}
