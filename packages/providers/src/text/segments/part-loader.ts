import type { SqlExecutor } from '../../storage/database.ts';
import { sqlArray } from '../../storage/sql-statements.ts';
import { numbersOf, type Part } from './segment-snapshot.ts';
import type { SegmentTables } from './segment-tables.ts';

/** The segments of a snapshot were merged meanwhile: the query must begin again. */
export class SegmentsMoved extends Error {
  override readonly name = 'SegmentsMoved';
}

/** Loads parts; those that are asked for at the same time are read in one statement. */
export class PartLoader {
  readonly #executor: SqlExecutor;
  readonly #tables: SegmentTables;
  /** The parts to load, and whether their places are wanted. */
  #asked = new Map<Part, boolean>();
  #next: Promise<void> | undefined;

  constructor(executor: SqlExecutor, tables: SegmentTables) {
    this.#executor = executor;
    this.#tables = tables;
  }

  async load(parts: readonly Part[], hasPlaces: boolean): Promise<void> {
    const missing = parts.filter(({ rows, places }) => !rows || (hasPlaces && !places));
    if (missing.length === 0) return;
    for (const part of missing) {
      this.#asked.set(part, hasPlaces || this.#asked.get(part) === true);
    }
    this.#next ??= new Promise<void>((resolve, reject) => {
      setImmediate(() => {
        const asked = this.#asked;
        this.#asked = new Map();
        this.#next = undefined;
        this.#read(asked).then(resolve, reject);
      });
    });
    await this.#next;
  }

  async #read(asked: ReadonlyMap<Part, boolean>): Promise<void> {
    const parts = [...asked].flatMap(([part, hasPlaces]) => {
      return part.at ? [{ part, at: part.at, hasPlaces: hasPlaces && !part.places }] : [];
    });
    const rows = await this.#executor.query<BlockRow>(
      `SELECT given.no, block.first, CASE WHEN given.data = 1 THEN block.data END AS data,
         CASE WHEN given.places = 1 THEN block.places END AS places
       FROM unnest(CAST(? AS BIGINT[]), CAST(? AS BIGINT[]), CAST(? AS BIGINT[]), CAST(? AS BIGINT[]),
         CAST(? AS BIGINT[]), CAST(? AS TEXT[])) AS given(no, segment, part, data, places, term)
       JOIN ${this.#tables.block} AS block ON block.term = given.term COLLATE "C"
         AND block.segment = given.segment AND block.part = given.part`,
      [
        sqlArray(parts.map((_, no) => no)),
        sqlArray(parts.map(({ part }) => part.segment.no)),
        sqlArray(parts.map(({ at }) => at.part)),
        sqlArray(parts.map(({ part }) => Number(!part.rows))),
        sqlArray(parts.map(({ hasPlaces }) => Number(hasPlaces))),
        sqlArray(parts.map(({ at }) => at.term)),
      ],
    );
    if (rows.length < parts.length) throw new SegmentsMoved('segments were merged');
    for (const { no, first, data, places } of rows) {
      const part = parts[no]?.part;
      if (!part) continue;
      if (data && !part.rows) {
        part.rows = numbersOf({ first, count: part.count, rows: data }, part.segment);
        part.high = part.rows.at(-1) ?? part.low;
      }
      if (places) part.places = places;
    }
  }
}

interface BlockRow {
  readonly no: number;
  readonly first: number;
  readonly data: Uint8Array | null;
  readonly places: Uint8Array | null;
}
