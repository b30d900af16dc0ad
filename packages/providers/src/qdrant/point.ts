import { createHash } from 'node:crypto';
import { fieldsOf, listOf, numberOf, stringOf } from '../json/fields.ts';
import { uuidFromHash } from '../create-id.ts';
import { facetsOf, filterGroups } from '../vector/facets.ts';
import { parseId, parsePayload } from '../vector/sql-records.ts';
import type { VectorFilter, VectorMatch, VectorRecord } from '../vector/vector-store.ts';

/** The vectors of a point by their names. */
export const DENSE = 'dense';
export const SPARSE = 'text';
/** The keys of its payload. Ids and payloads are JSON text: a server refuses lone surrogates. */
const ID = 'id';
const PAYLOAD = 'payload';
export const FACETS = 'facets';

/** A record as the server stores it. */
export interface Point {
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
export interface PointFilter {
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
