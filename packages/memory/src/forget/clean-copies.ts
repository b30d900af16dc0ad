import type { JsonObject, JsonValue } from '@vizprompt/providers';
import {
  isJsonObject,
  mapStrings,
  objectOf,
  parseJson,
  textAt,
  type Eraser,
} from '@vizprompt/providers/internal';
import { asksMemory } from '../capture/tool-output.ts';
import { indexRow, rowsAfter, type IndexedRow } from '../indexing/rebuild-index.ts';
import type { MemoryContext } from '../store/memory-context.ts';

/** Events that may have copies of what others say. */
const MAY_COPY = `e.type <> 'forgotten' AND (e.type = 'code_intention' OR e.meta LIKE '%"lines"%'
  OR (e.type = 'tool_use' AND e.data LIKE '%ptta%'))`;

/**
 * Removes copies of forgotten events from the rest: lines of transcripts that are kept, the reasons of changes, the
 * answers of this memory to agents, and the metadata of sessions. The same words elsewhere are another event.
 */
export async function cleanCopies(context: MemoryContext, eraser: Eraser): Promise<void> {
  for (let last = 0; ;) {
    const rows = await rowsAfter(context, last, { sql: MAY_COPY, params: [] });
    const newest = rows.at(-1);
    if (!newest) break;
    last = newest.key;
    for (const row of rows) if (row.tenant === context.tenant) await cleanRow(context, row, eraser);
  }
  await cleanSessions(context, eraser);
}

async function cleanRow(context: MemoryContext, row: IndexedRow, eraser: Eraser): Promise<void> {
  const before = objectOf(parseJson(row.data));
  const data = cleanData(row.type, before, eraser);
  const meta = row.meta === null ? undefined : objectOf(parseJson(row.meta));
  const kept = meta && withoutLines(meta, eraser);
  const hasData = JSON.stringify(data) !== JSON.stringify(before);
  if (!hasData && JSON.stringify(kept) === JSON.stringify(meta)) return;
  const next = {
    ...row,
    data: hasData ? JSON.stringify(data) : row.data,
    meta: kept === undefined ? null : JSON.stringify(kept),
  };
  const text = await indexRow(context, next, new Set());
  await context.database.batch([
    {
      sql: 'UPDATE memory_events SET data = ?, meta = ? WHERE key = ?',
      params: [next.data, next.meta, row.key],
    },
    ...context.index.put(text),
  ]);
  await context.vectors?.remove([{ key: row.key, id: row.id }]);
}

function cleanData(type: string, data: JsonObject, eraser: Eraser): JsonObject {
  const { reason, result } = data;
  if (type === 'code_intention' && typeof reason === 'string') {
    return { ...data, reason: eraser.clean(reason) };
  }
  const isOwn = asksMemory(textAt(data, 'tool') ?? '', data['parameters'] ?? null);
  if (!isOwn || result === undefined) return data;
  return { ...data, result: mapStrings(result, (text) => eraser.clean(text)) };
}

/** Drops each line that holds something of it: the rest of a line says nothing without. */
function withoutLines(meta: JsonObject, eraser: Eraser): JsonObject {
  const fields = Object.entries(meta).flatMap(([name, value]): [string, JsonValue][] => {
    if (!Array.isArray(value) || !/^(?:lines|trailing_lines(?:_.*)?)$/.test(name))
      return [[name, value]];
    const left = (value as readonly JsonValue[]).filter((line) => !holds(line, eraser));
    return left.length > 0 ? [[name, left]] : [];
  });
  return Object.fromEntries(fields);
}

function holds(value: JsonValue, eraser: Eraser): boolean {
  if (typeof value === 'string') return eraser.clean(value) !== value;
  if (Array.isArray(value))
    return (value as readonly JsonValue[]).some((one) => holds(one, eraser));
  return isJsonObject(value) && Object.values(value).some((one) => holds(one ?? null, eraser));
}

/** Metadata that recorders make of what was said. */
const TOLD = ['title', 'initial_context', 'summary'] as const;

function withoutTitles(metadata: JsonObject, eraser: Eraser): JsonObject {
  const cleaned: { [name: string]: JsonValue } = { ...metadata };
  for (const name of TOLD) {
    const text = textAt(metadata, name);
    if (text !== undefined && (eraser.isTakenFrom(text) || eraser.clean(text) !== text)) {
      delete cleaned[name];
    }
  }
  return cleaned;
}

async function cleanSessions(
  { database, tenant, sessions }: MemoryContext,
  eraser: Eraser,
): Promise<void> {
  const rows = await database.query<{ id: string; metadata: string }>(
    'SELECT id, metadata FROM memory_sessions WHERE tenant = ?',
    [tenant],
  );
  for (const { id, metadata } of rows) {
    const value = parseJson(metadata);
    // Damaged metadata are reported by check().
    if (!isJsonObject(value)) continue;
    const cleaned = JSON.stringify(withoutTitles(withoutLines(value, eraser), eraser));
    if (cleaned === JSON.stringify(value)) continue;
    sessions.delete(id);
    await database.execute('UPDATE memory_sessions SET metadata = ? WHERE tenant = ? AND id = ?', [
      cleaned,
      tenant,
      id,
    ]);
  }
}
