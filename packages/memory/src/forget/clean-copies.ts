import type { JsonObject, JsonValue } from '@vizprompt/providers';
import {
  ERASED,
  isJsonObject,
  objectOf,
  parseJson,
  textAt,
  type Eraser,
} from '@vizprompt/providers/internal';
import { asksMemory } from '../capture/tool-output.ts';
import { indexRow, rowsAfter, type IndexedRow } from '../indexing/rebuild-index.ts';
import { contentOf, putBlob, readBlobs, sweepBlobs, toBlob } from '../store/blobs.ts';
import type { MemoryContext } from '../store/memory-context.ts';
import { dataParams, plainData, readableJson, SET_DATA, storedData } from '../store/event-rows.ts';

/** Events that may have copies of what others say. */
const MAY_COPY = `e.type <> 'forgotten' AND (e.type = 'code_intention' OR e.lines_hash IS NOT NULL
  OR (e.type = 'tool_use' AND e.data_text LIKE '%ptta%')
  OR (e.type = 'assistant_message' AND e.meta LIKE '%is_compact_summary%'))`;

/**
 * Removes copies of events from the rest: lines of transcripts that are kept, the reasons of changes, summaries of
 * conversations, questions to this memory and its answers, and the metadata of sessions. The same words elsewhere are
 * another event.
 *
 * @param own - The ids of the sessions of these events: their titles are about them.
 */
export async function cleanCopies(
  context: MemoryContext,
  eraser: Eraser,
  own: ReadonlySet<string>,
): Promise<void> {
  for (let last = 0; ;) {
    const rows = await rowsAfter(context, last, { sql: MAY_COPY, params: [] });
    const newest = rows.at(-1);
    if (!newest) break;
    last = newest.key;
    for (const row of rows) if (row.tenant === context.tenant) await cleanRow(context, row, eraser);
  }
  await cleanSessions(context, eraser, own);
}

async function cleanRow(context: MemoryContext, row: IndexedRow, eraser: Eraser): Promise<void> {
  await cleanLines(context, row, eraser);
  const before = objectOf(parseJson(readableJson(row) ?? ''));
  const data = JSON.stringify(cleanData(row, before, eraser));
  if (data === JSON.stringify(before)) return;
  const text = await indexRow(context, { ...row, ...plainData(data) }, new Set());
  await context.database.batch([
    {
      sql: `UPDATE memory_events SET ${SET_DATA} WHERE key = ?`,
      params: [...dataParams(await storedData(data)), row.key],
    },
    ...context.index.put(text),
  ]);
  await context.vectors?.remove([{ key: row.key, id: row.id }]);
}

/** Drops each line that holds something of it: the rest of a line says nothing without. */
async function cleanLines(
  context: MemoryContext,
  { key, lines_hash: hash }: IndexedRow,
  eraser: Eraser,
): Promise<void> {
  if (hash === null) return;
  const { database, tenant } = context;
  const texts = await readBlobs(database, tenant, [hash], () => undefined);
  const lines = parseJson(texts.get(hash) ?? '');
  // An unreadable copy may hold anything, so it is removed.
  const all = Array.isArray(lines) ? (lines as readonly JsonValue[]) : undefined;
  const left = all?.filter((line) => !eraser.isHeldIn(line)) ?? [];
  if (left.length === all?.length) return;
  const blob = left.length > 0 ? await toBlob(contentOf(JSON.stringify(left))) : undefined;
  await database.batch([
    ...(blob ? [putBlob(database.dialect, tenant, blob)] : []),
    {
      sql: 'UPDATE memory_events SET lines_hash = ? WHERE key = ?',
      params: [blob?.hash ?? null, key],
    },
  ]);
  await sweepBlobs(context, [hash]);
}

function cleanData(row: IndexedRow, data: JsonObject, eraser: Eraser): JsonObject {
  const clean = (text: string): string => eraser.clean(text);
  const { content, reason, result, parameters = null } = data;
  if (row.type === 'code_intention' && typeof reason === 'string') {
    return { ...data, reason: clean(reason) };
  }
  if (row.type === 'assistant_message' && typeof content === 'string') {
    const isSummary = objectOf(parseJson(row.meta ?? ''))['is_compact_summary'] === true;
    return isSummary ? { ...data, content: clean(content) } : data;
  }
  if (!asksMemory(textAt(data, 'tool') ?? '', parameters)) return data;
  return {
    ...data,
    parameters: eraser.cleanJson(parameters),
    ...(result === undefined ? {} : { result: eraser.cleanJson(result) }),
  };
}

/** Metadata that recorders make of what was said. */
const TOLD = ['title', 'initial_context', 'summary'] as const;

/**
 * Returns the metadata of a session without the titles and summaries that repeat what is to go.
 *
 * @param isOwn - True if it was said in the session: a title that shares a word with it is about it.
 */
export function withoutTitles(metadata: JsonObject, eraser: Eraser, isOwn: boolean): JsonObject {
  const cleaned: { [name: string]: JsonValue } = { ...metadata };
  for (const name of TOLD) {
    const text = textAt(metadata, name);
    if (text === undefined) continue;
    const isCopy = eraser.isTakenFrom(text) || eraser.clean(text) !== text;
    // The mark stays when the transcript is read again.
    if (isCopy || (isOwn && eraser.sharesWord(text))) cleaned[name] = ERASED;
  }
  return cleaned;
}

async function cleanSessions(
  { database, tenant, sessions }: MemoryContext,
  eraser: Eraser,
  own: ReadonlySet<string>,
): Promise<void> {
  const rows = await database.query<{ id: string; metadata: string }>(
    'SELECT id, metadata FROM memory_sessions WHERE tenant = ?',
    [tenant],
  );
  for (const { id, metadata } of rows) {
    const value = parseJson(metadata);
    // Damaged metadata are reported by check().
    if (!isJsonObject(value)) continue;
    const cleaned = JSON.stringify(withoutTitles(value, eraser, own.has(id)));
    if (cleaned === JSON.stringify(value)) continue;
    sessions.delete(id);
    await database.execute('UPDATE memory_sessions SET metadata = ? WHERE tenant = ? AND id = ?', [
      cleaned,
      tenant,
      id,
    ]);
  }
}
