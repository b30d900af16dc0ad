import type { FileEditData, MemoryEvent, SessionInfo } from '@vizprompt/memory';
import type { Cli } from '../frame/cli.ts';
import type { Style } from '../frame/output.ts';
import type { PttaMessages } from './messages/en.ts';

const STYLES: Readonly<Record<MemoryEvent['type'], Style>> = {
  user_message: 'blue',
  assistant_message: 'green',
  thinking: 'magenta',
  code_intention: 'yellow',
  file_edit: 'cyan',
  tool_use: 'dim',
  forgotten: 'dim',
};

/** The length of a line that is not read at a terminal: it may be the input of a program. */
const LONG_LINE = 200;

/** Returns an event as it is listed: number, time, type and id; and below what happened, indented. */
export function eventText(cli: Cli<PttaMessages>, event: MemoryEvent): string {
  const body = bodyOf(event).replace(/(?<!\n)\n+$/, '');
  const indented = body === '' ? '' : `\n    ${body.replaceAll('\n', '\n    ')}`;
  return `${headOf(cli, event)} ${cli.out.style('dim', event.id)}${indented}`;
}

/** Returns an event on one line. */
export function eventLine(cli: Cli<PttaMessages>, event: MemoryEvent): string {
  const first = bodyOf(event).split('\n', 1)[0] ?? '';
  const room = cli.out.isTerminal ? Math.max(20, cli.out.columns - 42) : LONG_LINE;
  return `${headOf(cli, event)} ${cutLine(first, room)}`;
}

/** Returns a diff with its lines in colours. */
export function diffText(cli: Cli<PttaMessages>, diff: string): string {
  const lines = diff.replace(/\n$/, '').split('\n');
  return lines
    .map((line) => {
      if (line.startsWith('+')) return cli.out.style('green', line);
      if (line.startsWith('-')) return cli.out.style('red', line);
      return line.startsWith('@@') ? cli.out.style('cyan', line) : line;
    })
    .join('\n');
}

function headOf(cli: Cli<PttaMessages>, { sequence, timestamp, type }: MemoryEvent): string {
  const kind = cli.out.style(STYLES[type], type);
  return `#${sequence} ${cli.out.style('dim', localTime(timestamp))} ${kind}`;
}

function bodyOf(event: MemoryEvent): string {
  switch (event.type) {
    case 'user_message':
    case 'assistant_message':
    case 'thinking':
      return event.data.content;
    case 'code_intention':
      return `${event.data.action} ${event.data.file_path}\n${event.data.reason}`;
    case 'file_edit':
      return editText(event.data);
    case 'tool_use': {
      const { tool, parameters, result } = event.data;
      const after = result === undefined ? '' : `\n→ ${plain(result)}`;
      return `${tool} ${plain(parameters)}${after}`;
    }
    default:
      return '';
  }
}

function editText({ action, file_path, diff, success, error_message }: FileEditData): string {
  const lines = diff.split('\n').filter((line) => /^[+-](?![+-]{2} )/.test(line));
  const added = lines.filter((line) => line.startsWith('+')).length;
  const counts = `+${added} -${lines.length - added}`;
  return `${action} ${file_path} ${counts}${success ? '' : `\n✗ ${error_message ?? ''}`}`;
}

function plain(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

// Characters that take two columns: East Asian wide ones, and most emoji.
const WIDE =
  /[\u1100-\u115F\u2E80-\u303E\u3041-\uA4CF\uAC00-\uD7A3\uF900-\uFAFF\uFE30-\uFE6F\uFF00-\uFF60\uFFE0-\uFFE6]|\p{Extended_Pictographic}|[\u{20000}-\u{3FFFD}]/u;

/** Returns a line that takes at most this many columns; what is left out is an `…`. Characters are never split. */
export function cutLine(line: string, columns: number): string {
  if (line.length * 2 <= columns) return line;
  let used = 0;
  for (const { segment, index } of new Intl.Segmenter().segment(line)) {
    used += WIDE.test(segment) ? 2 : 1;
    if (used > columns) return `${line.slice(0, index)}…`;
  }
  return line;
}

/** Returns a time as people read it, in their zone: `2026-01-31 12:00:00`. */
export function localTime(iso: string): string {
  const time = new Date(iso);
  const two = (number: number): string => String(number).padStart(2, '0');
  const day = [time.getFullYear(), two(time.getMonth() + 1), two(time.getDate())].join('-');
  return `${day} ${[time.getHours(), time.getMinutes(), time.getSeconds()].map(two).join(':')}`;
}

/** Returns a session on one line. */
export function sessionLine(cli: Cli<PttaMessages>, session: SessionInfo): string {
  const { id, workspace_path: workspace, started_at, ended_at, event_count } = session;
  const state = ended_at === null ? cli.out.style('green', '●') : '○';
  const count = cli.text.eventCount(event_count);
  const mark = session.damaged === undefined ? '' : `  ${cli.out.style('red', session.damaged)}`;
  return `${state} ${cli.out.style('yellow', id)}  ${localTime(started_at)}  ${count}  ${workspace}${mark}`;
}

/** All that is known of a session. */
export function sessionText(cli: Cli<PttaMessages>, session: SessionInfo): string {
  const { ended_at, metadata } = session;
  const facts = [
    sessionLine(cli, session),
    `  ${ended_at === null ? cli.text.running : cli.text.endedAt(localTime(ended_at))}`,
    ...Object.entries(metadata).map(([key, value]) => {
      return `  ${key}: ${typeof value === 'string' ? value : JSON.stringify(value)}`;
    }),
  ];
  return facts.join('\n');
}
