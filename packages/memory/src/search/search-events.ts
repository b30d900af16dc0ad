import type { SqlParameter } from '@vizprompt/providers';
import type { TextSearchOptions } from '@vizprompt/providers/text';
import { eventsOfRows, SELECT_EVENTS, type EventRow } from '../log/event-rows.ts';
import { typesOf } from '../log/list-events.ts';
import type { MemoryEvent } from '../model/memory-event.ts';
import { assertLimit } from '../session/list-sessions.ts';
import { placeOf } from '../session/session-rows.ts';
import type { MemoryContext } from '../store/memory-context.ts';
import { toTime } from '../store/times.ts';
import { filePath, workspacePath } from '../workspace/paths.ts';
import { workspaceGroup } from '../workspace/workspaces.ts';
import { indexedFields, type IndexedEvent } from './indexed-fields.ts';
import type { SearchHit, SearchOptions } from './search-options.ts';

/** Finds events by words, the best first. */
export async function searchEvents(
  context: MemoryContext,
  query: string,
  options: SearchOptions,
): Promise<SearchHit[]> {
  const { database, index, tenant } = context;
  const { k = 10, signal } = options;
  assertLimit(k);
  const hits = await index.search(query, { limit: k, where: await whereOf(context, options) });
  signal?.throwIfAborted();
  if (hits.length === 0) return [];
  const rows = await database.query<EventRow>(
    `${SELECT_EVENTS} WHERE e.key IN (${hits.map(() => '?').join(', ')})`,
    hits.map(({ id }) => id),
  );
  const events = await eventsOfRows(database, tenant, rows, 'omit');
  const byKey = new Map(rows.map(({ key }, place) => [key, events[place]]));
  return hits.flatMap(({ id, score }) => {
    const event = byKey.get(id);
    if (!event) return [];
    return [{ event, score, snippet: index.snippet(shownText(event), query) }];
  });
}

/** Which rows of `memory_events` fit the filters. */
async function whereOf(
  context: MemoryContext,
  options: SearchOptions,
): Promise<NonNullable<TextSearchOptions['where']>> {
  const { workspace, session, type, path, after, before } = options;
  const conditions = ['tenant = ?'];
  const params: SqlParameter[] = [context.tenant];
  const add = (condition: string, ...values: readonly SqlParameter[]): void => {
    conditions.push(condition);
    params.push(...values);
  };
  const marks = (values: readonly unknown[]): string => values.map(() => '?').join(', ');
  if (session !== undefined) add('session_key = ?', (await placeOf(context, session)).key);
  if (workspace !== undefined) {
    const paths = await workspaceGroup(context, workspace);
    add(
      `session_key IN (SELECT s.key FROM memory_sessions AS s
         WHERE s.tenant = ? AND s.workspace_path IN (${marks(paths)}))`,
      context.tenant,
      ...paths,
    );
  }
  if (type !== undefined) {
    const types = typesOf(type);
    add(`type IN (${marks(types)})`, ...types);
  }
  if (path !== undefined) add('file_path = ?', filePath(path, workspacePath(workspace)));
  if (after !== undefined) add('timestamp > ?', toTime(after, 'after'));
  if (before !== undefined) add('timestamp < ?', toTime(before, 'before'));
  return { sql: conditions.join(' AND '), params };
}

/** The text of an event that snippets are cut from. */
function shownText(event: MemoryEvent): string {
  if (event.type === 'forgotten') return '';
  const { type, data, meta } = event;
  const path = 'file_path' in data ? data.file_path : undefined;
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- type and data are of one event
  const indexed = { type, data, meta, path, contents: [] } as IndexedEvent;
  const { text, path: shown, detail } = indexedFields(indexed);
  return [text, shown, detail].filter((part) => part !== '').join('\n');
}
