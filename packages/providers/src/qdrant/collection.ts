import { createHash } from 'node:crypto';
import type { QdrantClient } from '@qdrant/js-client-rest';
import { fieldsOf, listOf, numberOf, stringOf } from '../json/fields.ts';
import { uuidFromHash } from '../create-id.ts';
import { facetsOf, filterGroups, parseId, parsePayload } from '../vector/sql-records.ts';
import { VectorError } from '../vector/vector-error.ts';
import type { VectorFilter, VectorMatch, VectorRecord } from '../vector/vector-store.ts';

/** The form of a collection. */
export interface CollectionForm {
  readonly name: string;
  readonly place: string;
  readonly dimensions: number;
  readonly model: string | undefined;
  readonly isHybrid: boolean;
}

type Api = ReturnType<QdrantClient['api']>;

/** How the server is called. A redirect would carry the key and the texts to another one. */
export interface QdrantCall {
  readonly signal: AbortSignal;
  readonly redirect: 'manual';
}

/** Returns how the server is called until a signal. */
export function callUntil(signal: AbortSignal): QdrantCall {
  return { signal, redirect: 'manual' };
}

/** The key of the metadata of a collection that names the model. */
const MODEL = 'vizprompt_model';

/**
 * Makes a collection where it is missing, and compares what it was made for.
 *
 * @throws VectorError with the code `dimension-mismatch`, `model-mismatch` or `refused`.
 */
export async function openCollection(
  api: Api,
  form: CollectionForm,
  signal: AbortSignal,
): Promise<void> {
  const { name, dimensions, model, isHybrid } = form;
  const path = { collection_name: name };
  const call = callUntil(signal);
  const { data } = await api.collectionExists(path, call);
  if (data.result?.exists !== true) {
    try {
      await api.createCollection(
        {
          ...path,
          vectors: { [DENSE]: { size: dimensions, distance: 'Cosine' } },
          ...(isHybrid ? { sparse_vectors: { [SPARSE]: { modifier: 'idf' } } } : {}),
          ...(model === undefined ? {} : { metadata: { [MODEL]: model } }),
        },
        call,
      );
    } catch (error) {
      // Another process has just made it.
      if (numberOf(fieldsOf(error)['status']) !== 409) throw error;
    }
  }
  const info = await api.getCollection(path, call);
  compare(fieldsOf(fieldsOf(info.data.result)['config']), form);
  // An index that is there already is left as it is.
  await api.createFieldIndex(
    { ...path, wait: true, field_name: FACETS, field_schema: 'keyword' },
    call,
  );
}

function compare(config: Readonly<Record<string, unknown>>, form: CollectionForm): void {
  const { place, dimensions, model, isHybrid } = form;
  const params = fieldsOf(config['params']);
  const dense = fieldsOf(fieldsOf(params['vectors'])[DENSE]);
  const wayOut = ': give this one another collection, or delete the old one';
  if (dense['size'] !== dimensions) {
    const made = numberOf(dense['size']);
    const holds = made === undefined ? `no vectors named '${DENSE}'` : `${made} dimensions`;
    throw new VectorError(
      'dimension-mismatch',
      `${place} has ${holds}, not ${dimensions} dimensions${wayOut}`,
      { context: { made, wanted: dimensions } },
    );
  }
  if (isHybrid && fieldsOf(params['sparse_vectors'])[SPARSE] === undefined) {
    throw new VectorError('refused', `${place} was made without words (sparse: true)${wayOut}`);
  }
  const known = stringOf(fieldsOf(config['metadata'])[MODEL]);
  if (known !== undefined && model !== undefined && known !== model) {
    throw new VectorError(
      'model-mismatch',
      `${place} holds vectors of the model '${known}', not '${model}'${wayOut}`,
      { context: { made: known, wanted: model } },
    );
  }
}

/** The vectors of a point by their names. */
export const DENSE = 'dense';
export const SPARSE = 'text';
/** The keys of its payload. Ids and payloads are JSON text: a server refuses lone surrogates. */
const ID = 'id';
const PAYLOAD = 'payload';
const FACETS = 'facets';

/** A record as the server stores it. */
interface Point {
  readonly id: string;
  readonly vector: Record<string, number[] | { indices: number[]; values: number[] }>;
  readonly payload: Record<string, unknown>;
}

export function toPoint({ id, vector, payload, sparse }: VectorRecord, isHybrid: boolean): Point {
  const words = sparse ?? { indices: [], values: [] };
  return {
    id: pointIdOf(id),
    vector: {
      [DENSE]: [...vector],
      ...(isHybrid ? { [SPARSE]: { indices: [...words.indices], values: [...words.values] } } : {}),
    },
    payload: {
      [ID]: JSON.stringify(id),
      [FACETS]: facetsOf(payload),
      ...(payload ? { [PAYLOAD]: JSON.stringify(payload) } : {}),
    },
  };
}

/** Returns the points of an answer. */
export function readMatches(answer: unknown): readonly VectorMatch[] {
  return listOf(fieldsOf(answer)['points']).map((point) => {
    const { score, payload } = fieldsOf(point);
    const { [ID]: id, [PAYLOAD]: own } = fieldsOf(payload);
    return {
      id: parseId(stringOf(id) ?? '""'),
      score: numberOf(score) ?? 0,
      ...parsePayload(stringOf(own) ?? null),
    };
  });
}

/** A filter of the server. */
interface PointFilter {
  readonly must: { key: string; match: { any: string[] } }[];
}

export function toPointFilter(filter: VectorFilter | undefined): PointFilter | undefined {
  const groups = filterGroups(filter);
  if (groups.length === 0) return undefined;
  return { must: groups.map((group) => ({ key: FACETS, match: { any: [...group] } })) };
}

/** Checks whether a filter asks for any of nothing. */
export function fitsNothing(filter: VectorFilter | undefined): boolean {
  return filterGroups(filter).some((group) => group.length === 0);
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/**
 * Returns the id of a point, which must be a UUID: the id itself if it is one in small letters, else a UUID made
 * of its hash (RFC 9562, version 8). The same id gives the same point in every process.
 */
export function pointIdOf(id: string): string {
  if (UUID.test(id)) return id;
  // JSON, as a lone surrogate has no UTF-8.
  return uuidFromHash(createHash('sha256').update(JSON.stringify(id)).digest(), 8);
}
