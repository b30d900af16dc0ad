import { isRecord, type Kind } from '../input/kinds.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../json/json-value.ts';
import type { SqlExecutor } from '../storage/database.ts';
import { inParts, insertRows, placeholders } from '../storage/sql-statements.ts';
import { checkArgument } from './check-vectors.ts';
import type { SqlStoreTables } from './sql-store-tables.ts';
import type {
  VectorCondition,
  VectorFilter,
  VectorFilterValue,
  VectorRecord,
} from './vector-store.ts';

/** A record that was written, and its place. */
export interface PlacedRecord {
  readonly slot: number;
  readonly record: VectorRecord;
}

/** Takes the old versions of records out and gives the new ones places after all others. */
export async function writeRecords(
  tx: SqlExecutor,
  tables: SqlStoreTables,
  records: readonly VectorRecord[],
): Promise<{ readonly placed: readonly PlacedRecord[]; readonly gone: readonly number[] }> {
  const gone = await deleteRecords(
    tx,
    tables,
    records.map(({ id }) => id),
  );
  const [last] = await tx.query<{ slot: number }>(
    `SELECT COALESCE(MAX(slot), 0) AS slot FROM ${tables.records}`,
  );
  // A place is never given to another record in the memory of a process that has not seen it go.
  const first = Math.max(last?.slot ?? 0, ...gone) + 1;
  const placed = records.map((record, at) => ({ slot: first + at, record }));
  await insertRows(
    tx,
    tables.records,
    placed.map(({ slot, record: { id, payload } }) => [
      slot,
      JSON.stringify(id),
      payload ? JSON.stringify(payload) : null,
    ]),
  );
  await insertRows(
    tx,
    tables.facets,
    placed.flatMap(({ slot, record }) => facetsOf(record.payload).map((token) => [token, slot])),
  );
  return { placed, gone };
}

/**
 * Takes records out, but for their vectors.
 *
 * @returns The places that were theirs.
 */
export async function deleteRecords(
  tx: SqlExecutor,
  { records, facets }: SqlStoreTables,
  ids: readonly string[],
): Promise<readonly number[]> {
  const gone: number[] = [];
  for (const some of inParts(ids)) {
    const rows = await tx.query<{ slot: number }>(
      `DELETE FROM ${records} WHERE id IN (${placeholders(some.length)}) RETURNING slot`,
      some.map((id) => JSON.stringify(id)),
    );
    gone.push(...rows.map(({ slot }) => slot));
  }
  await deleteSlots(tx, facets, gone);
  return gone;
}

/** Deletes the rows of these places. */
export async function deleteSlots(
  tx: SqlExecutor,
  table: string,
  slots: readonly number[],
  column = 'slot',
): Promise<void> {
  for (const some of inParts(slots)) {
    await tx.execute(
      `DELETE FROM ${table} WHERE ${column} IN (${placeholders(some.length)})`,
      some,
    );
  }
}

/** SQL that gives the places of the records that fit, or nothing if all do. */
export function slotsThatFit(
  { facets }: SqlStoreTables,
  filter: VectorFilter | undefined,
): { readonly sql: string; readonly params: readonly string[] } | undefined {
  const groups = filterGroups(filter);
  if (groups.length === 0) return undefined;
  return {
    sql: groups
      .map((group) =>
        group.length === 0
          ? `SELECT slot FROM ${facets} WHERE 1 = 0`
          : `SELECT slot FROM ${facets} WHERE token IN (${placeholders(group.length)})`,
      )
      .join(' INTERSECT '),
    params: groups.flat(),
  };
}

export async function countRecords(
  tables: SqlStoreTables,
  filter: VectorFilter | undefined,
): Promise<number> {
  const fit = slotsThatFit(tables, filter);
  const from = fit ? `(${fit.sql}) AS fit` : tables.records;
  const [row] = await tables.database.query<{ count: number }>(
    `SELECT count(*) AS count FROM ${from}`,
    fit?.params ?? [],
  );
  return row?.count ?? 0;
}

/** Parses a value that was stored as JSON text. */
export function parsePayload(text: string | null): { readonly payload?: JsonObject } {
  if (text === null) return {};
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what was written as JSON
  const payload = JSON.parse(text) as JsonValue;
  return isJsonObject(payload) ? { payload } : {};
}

/** Parses an id that was stored as JSON text. */
export function parseId(text: string): string {
  return String(JSON.parse(text));
}

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

const CONDITION: Kind<VectorCondition> = {
  expected: 'a string, a number, a boolean, { anyOf: […] } or { allOf: […] }',
  // Other values than these, such as `undefined`, fit nothing.
  accepts: (value) =>
    typeof value !== 'object' || (isRecord(value) && listIn(value, 'anyOf', 'allOf') !== undefined),
};

/** Groups of facets: a record fits if it has any of each group. An empty group fits nothing. */
export function filterGroups(filter: VectorFilter = {}): readonly (readonly string[])[] {
  return Object.entries(filter).flatMap(([key, condition]) => {
    checkArgument(`the filter '${key}'`, condition, CONDITION);
    if (typeof condition !== 'object') return [[facetOf(key, condition)]];
    const any = listIn(condition, 'anyOf');
    if (any) return [any.map((value) => facetOf(key, value))];
    return (listIn(condition, 'allOf') ?? []).map((value) => [facetOf(key, value)]);
  });
}

/** Returns the first list that is there under one of these names. */
function listIn(
  condition: object,
  ...names: readonly string[]
): readonly VectorFilterValue[] | undefined {
  const values: readonly unknown[] = names.map((name) => Reflect.get(condition, name));
  return values.find((value): value is readonly VectorFilterValue[] => Array.isArray(value));
}

function facetOf(key: string, value: VectorFilterValue): string {
  return JSON.stringify([key, value]);
}

function isFilterValue(value: unknown): value is VectorFilterValue {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
}
