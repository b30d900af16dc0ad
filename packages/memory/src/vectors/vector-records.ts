import type { JsonObject, SqlParameter, VectorFilter, VectorRecord } from '@vizprompt/providers';
import { untilAborted } from '@vizprompt/providers/internal';
import { shownText, tagsOf } from '../indexing/indexed-event.ts';
import type { MemoryEvent } from '../model/memory-event.ts';
import type { MemoryContext, VectorScope } from '../store/memory-context.ts';
import { listOf } from '../store/sql.ts';
import type { UnembeddedRow, VectorPlace } from './vector-book.ts';
import type { EmbeddingOptions } from './vector-options.ts';

/** So many characters of an event are embedded: models take no more, and the beginning tells most. */
const MAX_CHARACTERS = 4000;

/** What is embedded of a text. */
function embeddedText(text: string): string {
  return text.slice(0, MAX_CHARACTERS).toWellFormed();
}

/** What is embedded of an event: what is shown of it, or at least what it is. */
export function embeddedEvent(event: MemoryEvent): string {
  return embeddedText(shownText(event).trim()) || event.type;
}

/** The id of a vector: that of its event, and the number of the row, which another copy of it has not. */
export function vectorId({ key, id }: VectorPlace): string {
  return `${key} ${id}`;
}

/** The number of the event that a vector is of. */
function keyOfVector(id: string): number {
  return Number.parseInt(id, 10);
}

/** What a list of tags tells, by the first letter of its tags. */
const KINDS: Readonly<Record<string, string>> = {
  s: 'session',
  w: 'place',
  t: 'type',
  f: 'path',
  y: 'time',
  m: 'time',
};

/** The record of an event, to be filtered by what the text index is filtered by. */
export function vectorRecord(
  row: UnembeddedRow,
  tenant: string,
  vector: Float32Array,
): VectorRecord {
  const { home_path: workspace, session_key: session, type, timestamp } = row;
  const path = row.file_path ?? undefined;
  const payload: Record<string, string[]> = { tenant: [tenant] };
  for (const tag of tagsOf({ tenant, workspace, session, type, path, timestamp, characters: 0 })) {
    const kind = KINDS[tag.charAt(0)];
    if (kind !== undefined) (payload[kind] ??= []).push(tag);
  }
  // A session may be moved into a workspace that it was not started in.
  payload['place'] = [...(payload['place'] ?? []), ...(payload['session'] ?? [])];
  return { id: vectorId(row), vector, payload: payload satisfies JsonObject };
}

/** The filter for the clauses that the text index is asked with. */
function vectorFilter(tenant: string, clauses: readonly (readonly string[])[] = []): VectorFilter {
  const filter: Record<string, { readonly anyOf: readonly string[] }> = {
    tenant: { anyOf: [tenant] },
  };
  for (const clause of clauses) {
    const [first = ''] = clause;
    const kind = first === 'never' ? 'time' : KINDS[first.charAt(0)];
    if (kind !== undefined) filter[kind] = { anyOf: clause };
  }
  return filter;
}

/** A question is answered by words alone if it has no vector after this time. */
const TIMEOUT_MS = 5000;

/** What is asked. */
export interface VectorQuestion {
  readonly query: string;
  readonly scope: VectorScope;
  readonly k: number;
  readonly signal: AbortSignal;
}

/**
 * The keys of the events whose vectors are the nearest to that of a question.
 *
 * @throws LLMError or VectorError.
 */
export async function vectorMatches(
  { database, tenant }: MemoryContext,
  { model, vectors }: EmbeddingOptions,
  { query, scope: { tags, where }, k, signal: given }: VectorQuestion,
): Promise<readonly number[]> {
  const signal = AbortSignal.any([given, AbortSignal.timeout(TIMEOUT_MS)]);
  const values = [embeddedText(query)];
  const asked = await untilAborted(model.embed({ values, kind: 'query', signal }), signal);
  // Conditions that a payload does not know take some of the hits away.
  const wanted = where ? 4 * k : k;
  const filter = vectorFilter(tenant, tags);
  const [vector = new Float32Array()] = asked.vectors;
  const found = await untilAborted(vectors.query(vector, { k: wanted, filter, signal }), signal);
  if (found.length === 0) return [];
  const keys = found.map(({ id }) => keyOfVector(id));
  const conditions = where ? ` AND ${where.sql}` : '';
  const params: readonly SqlParameter[] = [tenant, ...keys, ...(where?.params ?? [])];
  const rows = await database.query<{ key: number; id: string }>(
    `SELECT key, id FROM memory_events WHERE COALESCE(tenant, '') = ? AND type <> 'forgotten'
       AND key IN ${listOf(keys)}${conditions}`,
    params,
  );
  const living = new Set(rows.map(vectorId));
  return found
    .filter(({ id }) => living.has(id))
    .slice(0, k)
    .map(({ id }) => keyOfVector(id));
}
