import type { HeldLock, JsonValue, SqlParameter } from '@vizprompt/providers';
import type { TextRow } from '@vizprompt/providers/text';
import { diffOfEdit } from '../diff/unified-diff.ts';
import type { MemoryEvent } from '../model/memory-event.ts';
import { shownPath } from '../model/paths.ts';
import { readEventRows, selectEvents, type EventRow } from '../store/event-rows.ts';
import type { MemoryContext } from '../store/memory-context.ts';
import {
  indexedFields,
  indexedWords,
  tagsOf,
  type IndexedEvent,
  type IndexedFields,
} from './indexed-event.ts';

const PAGE = 200;
/** Events that one content is in, at most. */
const MAX_ROWS = 100_000;

/** How long one process waits for another that rebuilds the index of millions of events. */
const LOCK_TIMEOUT_MS = 3_600_000;

/** Takes the lock under which the index is rebuilt: a second process would drop what the first has put into it. */
export function lockIndex({ lock }: Pick<MemoryContext, 'lock'>): Promise<HeldLock> {
  return lock('memory-index', { timeoutMs: LOCK_TIMEOUT_MS });
}

/** Fills the index again with the events of all tenants, under its lock. */
export async function rebuildIndex(context: MemoryContext): Promise<void> {
  await context.index.rebuild(indexRows(context));
}

/** Returns the rows of the index, in the order of the events. */
async function* indexRows(context: MemoryContext): AsyncGenerator<TextRow> {
  const { events } = context;
  const seen = new Set<string>();
  let session = 0;
  let last = 0;
  let done = 0;
  for (;;) {
    const rows = await rowsAfter(context, last);
    for (const row of rows) {
      last = row.key;
      // Seen contents are those of sessions: the first event that has one is found by it.
      if (row.session_key !== session && seen.size > 100_000) seen.clear();
      session = row.session_key;
      yield await indexRow(context, row, seen);
    }
    done += rows.length;
    events.emit('task:progress', { task: 'index', done });
    if (rows.length < PAGE) return;
  }
}

/** Returns a page of the events of all tenants, in their order. */
export async function rowsAfter(
  { database }: MemoryContext,
  key: number,
  where?: { readonly sql: string; readonly params: readonly SqlParameter[] },
): Promise<IndexedRow[]> {
  const filter = where ? `AND (${where.sql})` : '';
  return database.query<IndexedRow>(
    `${SELECT_ROWS} WHERE e.key > ? ${filter} ORDER BY e.key LIMIT ?`,
    [key, ...(where?.params ?? []), where ? MAX_ROWS : PAGE],
  );
}

/**
 * Returns the row of an event in the index.
 *
 * @param seen - Contents that the session has already.
 */
export async function indexRow(
  context: MemoryContext,
  row: IndexedRow,
  seen: Set<string>,
): Promise<TextRow> {
  const fields = await fieldsOf(context, row, seen);
  const { key: id, tenant, home_path: workspace, session_key: session, timestamp, type } = row;
  const path = row.file_path ?? undefined;
  const { terms, characters: by } = indexedWords(fields, context.analyzer);
  const characters = by.text + by.path + by.detail;
  const tags = tagsOf({ tenant, workspace, session, type, path, timestamp, characters });
  return { id, fields: {}, terms, tags };
}

/** An event with what the index needs to know of its session. */
export interface IndexedRow extends EventRow {
  readonly session_key: number;
  readonly tenant: string;
  readonly workspace_path: string;
  readonly home_path: string;
}

const SELECT_ROWS = selectEvents(', e.session_key, e.tenant, s.workspace_path, s.home_path');

const NO_WORDS: IndexedFields = { text: '', path: '', detail: '' };

async function fieldsOf(
  { database }: MemoryContext,
  row: IndexedRow,
  seen: Set<string>,
): Promise<IndexedFields> {
  const { type, file_path: path, workspace_path: workspace } = row;
  const {
    events: [event],
  } = await readEventRows(database, row.tenant, [row]);
  if (!event || event.type === 'forgotten') return NO_WORDS;
  const { data, meta } = event;
  const shown = path === null ? undefined : shownPath(path, workspace);
  const contents: string[] = [];
  for (const { side, text, isCovered } of wholeTexts(event, shown)) {
    const mark = `${row.session_key}:${type}:${path ?? ''}:${row[`${side}_hash`] ?? ''}`;
    if (!seen.has(mark) && !isCovered) contents.push(text);
    seen.add(mark);
  }
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- type and data are of one event
  return indexedFields({ type, data, meta, path: shown, contents } as IndexedEvent);
}

/** A whole text of a file in a stored event. */
interface StoredText {
  readonly side: 'old' | 'new';
  readonly text: string;
  /** All that is new in it is in the diff. */
  readonly isCovered: boolean;
}

function wholeTexts({ data }: MemoryEvent, path: string | undefined): readonly StoredText[] {
  const fields: { readonly [name: string]: JsonValue | undefined } = { ...data };
  const { old_content: before, new_content: after, diff, action } = fields;
  const whole: StoredText[] = [];
  if (typeof before === 'string' && before !== '') {
    whole.push({ side: 'old', text: before, isCovered: false });
  }
  if (typeof after === 'string' && after !== '') {
    const old = typeof before === 'string' ? before : undefined;
    const isCovered = path !== undefined && diffOfEdit(action, path, old, after) === diff;
    whole.push({ side: 'new', text: after, isCovered });
  }
  return whole;
}
