import type { JsonObject } from '../json/json-value.ts';
import type { VectorFilter, VectorFilterValue } from './vector-store.ts';

/**
 * Returns the facets of a payload, as texts: one for each key and value. JSON escapes NUL and lone
 * surrogates, which databases refuse, and keeps `1` and `"1"` apart.
 */
export function facetsOf(payload: JsonObject = {}): readonly string[] {
  const facets = new Set<string>();
  for (const [key, value] of Object.entries(payload)) {
    for (const one of Array.isArray(value) ? value : [value]) {
      if (isFilterValue(one)) facets.add(facetOf(key, one));
    }
  }
  return [...facets];
}

/** Groups of facets: a record fits if it has any of each group. An empty group fits nothing. */
export function filterGroups(filter: VectorFilter = {}): readonly (readonly string[])[] {
  return Object.entries(filter).flatMap(([key, condition]) => {
    if (typeof condition !== 'object') return [[facetOf(key, condition)]];
    if ('anyOf' in condition) return [condition.anyOf.map((value) => facetOf(key, value))];
    return condition.allOf.map((value) => [facetOf(key, value)]);
  });
}

function facetOf(key: string, value: VectorFilterValue): string {
  return JSON.stringify([key, value]);
}

function isFilterValue(value: unknown): value is VectorFilterValue {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
}
