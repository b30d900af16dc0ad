import type { SqlParameter } from '@vizprompt/providers';
import { applyPatch } from 'diff/lib/patch/apply.js';
import { checkOptions } from '../check-values.ts';
import { MemoryError } from '../errors.ts';
import { isId, toTime } from '../model/ids-and-times.ts';
import type { EventOf } from '../model/memory-event.ts';
import {
  damagedError,
  eventNotFound,
  readEventRows,
  SELECT_EVENTS,
  type EventRow,
} from '../store/event-rows.ts';
import type { MemoryContext } from '../store/memory-context.ts';
import { listOf } from '../store/sql.ts';
import { pathsOf } from './file-history.ts';
import { FILE_MOMENT, type FileMoment, type FileSnapshot } from './file-options.ts';

type Edit = EventOf<'file_edit'>;

/** How many edits one query reads. */
const PAGE = 20;

/**
 * Returns a file as it was at a moment: the newest whole text that an edit left, and what edits after it that
 * brought only a diff made of it. Before the first edit it is what that one found.
 */
export async function fileAt(
  context: MemoryContext,
  path: string,
  moment: FileMoment,
): Promise<FileSnapshot> {
  checkOptions('fileAt', moment, FILE_MOMENT);
  const paths = await pathsOf(context, path, moment.workspace);
  const until = await momentOf(context, moment);
  const patches: Edit[] = [];
  for await (const edit of editsOf(context, paths, 'before', until)) {
    const content = contentAfter(edit);
    if (content !== undefined) return snapshot(edit, content, patches);
    patches.unshift(edit);
    if (edit.data.old_content === undefined) continue;
    return snapshot(edit, edit.data.old_content, patches);
  }
  const [first] = patches;
  if (first) throw noFit(first);
  for await (const edit of editsOf(context, paths, 'after', until)) {
    const content = edit.data.action === 'create' ? null : edit.data.old_content;
    if (content === undefined) continue;
    return snapshot(edit, content, []);
  }
  throw new MemoryError('event-not-found', `no edit of ${paths.join(' or ')} is recorded`, {
    context: { path },
  });
}

/** Returns the whole text that an edit left: `null` for none, `undefined` if it did not bring it. */
function contentAfter({ data }: Edit): string | null | undefined {
  return data.action === 'delete' ? null : data.new_content;
}

function snapshot(base: Edit, content: string | null, patches: readonly Edit[]): FileSnapshot {
  let text = content;
  for (const edit of patches) {
    const next = text === null || edit.data.diff === '' ? false : applyPatch(text, edit.data.diff);
    if (next === false) throw noFit(edit);
    text = next;
  }
  const last = patches.at(-1) ?? base;
  return {
    path: base.data.file_path,
    content: text,
    event_id: last.id,
    timestamp: last.timestamp,
    isRedacted: [base, ...patches].some(({ redactions = 0 }) => redactions > 0),
  };
}

function noFit({ id, data }: Edit): MemoryError {
  return new MemoryError(
    'edit-conflict',
    `the text of ${data.file_path} cannot be rebuilt: the edit '${id}' brought a diff and no text that it ` +
      'fits to',
    { context: { event: id, path: data.file_path } },
  );
}

interface Bound {
  readonly timestamp: string;
  readonly key: number;
}

async function momentOf(
  { database, tenant }: MemoryContext,
  { time, event }: FileMoment,
): Promise<Bound> {
  if (event === undefined) {
    const timestamp = time === undefined ? '9999-12-31T23:59:59.999Z' : toTime(time, 'time');
    return { timestamp, key: Number.MAX_SAFE_INTEGER };
  }
  if (time !== undefined) {
    throw new MemoryError('invalid-input', "give either 'time' or 'event', not both");
  }
  if (!isId(event)) throw eventNotFound(event);
  const [bound] = await database.query<Bound>(
    'SELECT key, timestamp FROM memory_events WHERE tenant = ? AND id = ?',
    [tenant, event],
  );
  if (bound) return bound;
  throw eventNotFound(event);
}

/** Edits that succeeded: up to a moment backwards, or from it on forwards. */
async function* editsOf(
  { database, tenant }: MemoryContext,
  paths: readonly string[],
  side: 'before' | 'after',
  from: Bound,
): AsyncGenerator<Edit> {
  let bound = from;
  let compare = side === 'before' ? '<=' : '>';
  const order = side === 'before' ? 'DESC' : 'ASC';
  for (;;) {
    const params: SqlParameter[] = [tenant, ...paths, bound.timestamp, bound.key, PAGE];
    const rows: EventRow[] = await database.query<EventRow>(
      `${SELECT_EVENTS} WHERE e.tenant = ? AND e.file_path IN ${listOf(paths)}
       AND e.type = 'file_edit' AND (e.timestamp, e.key) ${compare} (?, ?)
       ORDER BY e.timestamp ${order}, e.key ${order} LIMIT ?`,
      params,
    );
    const { events, damaged } = await readEventRows(database, tenant, rows);
    for (const [at, event] of events.entries()) {
      // Without this edit the text would be another one.
      if (!event) throw damagedError(damaged.filter(({ id }) => id === rows[at]?.id));
      if (event.type === 'file_edit' && event.data.success) yield event;
    }
    const last = rows.at(-1);
    if (!last || rows.length < PAGE) return;
    bound = last;
    compare = side === 'before' ? '<' : '>';
  }
}
