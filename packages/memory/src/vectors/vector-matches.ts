import { type SqlParameter } from '@vizprompt/providers';
import { untilAborted } from '@vizprompt/providers/internal';
import type { MemoryContext } from '../store/memory-context.ts';
import type { VectorScope } from '../store/vector-index.ts';
import type { EmbeddingOptions } from './vector-options.ts';
import { embeddedText, keyOfVector, vectorFilter, vectorId } from './vector-records.ts';

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
       AND key IN (${keys.map(() => '?').join(', ')})${conditions}`,
    params,
  );
  const living = new Set(rows.map(vectorId));
  return found
    .filter(({ id }) => living.has(id))
    .slice(0, k)
    .map(({ id }) => keyOfVector(id));
}
