import type { SqlExecutor } from '../storage/database.ts';
import { insertRows, placeholders } from '../storage/sql-statements.ts';
import type { PlacedRecord } from '../vector/sql-records.ts';
import type { SqlStoreTables } from '../vector/sql-store-tables.ts';
import type { Rotation } from './rotation.ts';

/** Rows that are read at once. */
const PAGE = 2000;
/** With this many vectors their middle is worked out, and again whenever there are this many times more. */
const FIRST_CENTER = 256;
const GROWTH = 16;
/** How many vectors the middle is taken of. */
const SAMPLE = 4096;

interface VectorRow extends ScaledVector {
  readonly slot: number;
}

/** Where the codes of a store were made from. */
interface Center {
  readonly vector: Float32Array;
  /** The number of vectors that it was trained with; 0 before there were enough. */
  readonly trained: number;
}

/** The tables of a store: vectors with their codes, and the middle that the codes were made from. */
export class QuantizedTables {
  readonly #tables: SqlStoreTables;
  readonly #rotation: Rotation;
  readonly #centers: string;

  constructor(tables: SqlStoreTables, rotation: Rotation) {
    this.#tables = tables;
    this.#rotation = rotation;
    this.#centers = `${tables.vectors}_center`;
  }

  async create(tx: SqlExecutor): Promise<void> {
    const isSqlite = this.#tables.database.dialect === 'sqlite';
    const bytes = isSqlite ? 'BLOB' : 'BYTEA';
    const real = isSqlite ? 'REAL' : 'DOUBLE PRECISION';
    await tx.execute(
      `CREATE TABLE ${this.#tables.vectors}
        (slot ${this.#tables.rowKey}, code ${bytes} NOT NULL, scale ${real} NOT NULL, bytes ${bytes} NOT NULL)`,
    );
    await tx.execute(
      `CREATE TABLE ${this.#centers} (trained BIGINT NOT NULL, bytes ${bytes} NOT NULL)`,
    );
  }

  /** Writes vectors, and all codes again when it is time for another middle. */
  async write(tx: SqlExecutor, placed: readonly PlacedRecord[]): Promise<void> {
    const { vectors } = this.#tables;
    const center = await this.readCenter(tx);
    const rows = placed.map(({ slot, record: { vector } }) => {
      const { scale, bytes } = toScaled(vector);
      return [slot, bytesOf(this.#rotation.encode(vector, center.vector)), scale, bytes] as const;
    });
    await insertRows(tx, vectors, rows);
    const [count] = await tx.query<{ n: number }>(`SELECT count(*) AS n FROM ${vectors}`);
    const size = count?.n ?? 0;
    const isDue = center.trained === 0 ? size >= FIRST_CENTER : size >= center.trained * GROWTH;
    if (isDue) await this.#train(tx, size);
  }

  async readCenter(executor: SqlExecutor): Promise<Center> {
    const [row] = await executor.query<{ trained: number; bytes: Uint8Array }>(
      `SELECT trained, bytes FROM ${this.#centers}`,
    );
    if (!row) return { vector: new Float32Array(this.#tables.dimensions), trained: 0 };
    return { vector: new Float32Array(new Uint8Array(row.bytes).buffer), trained: row.trained };
  }

  /** All codes with their places, in order. */
  async *codes(
    executor: SqlExecutor,
  ): AsyncGenerator<readonly { slot: number; code: Uint8Array }[]> {
    for (let last = -1; ;) {
      const rows = await executor.query<{ slot: number; code: Uint8Array }>(
        `SELECT slot, code FROM ${this.#tables.vectors} WHERE slot > ? ORDER BY slot LIMIT ?`,
        [last, PAGE],
      );
      if (rows.length === 0) return;
      yield rows;
      last = rows.at(-1)?.slot ?? last;
    }
  }

  /** Returns the vectors of some places. Statements are kept by their text, so it is filled up to few lengths. */
  async vectorsAt(executor: SqlExecutor, slots: readonly number[]): Promise<readonly VectorRow[]> {
    const width = 2 ** Math.max(5, Math.ceil(Math.log2(slots.length)));
    const filled = Array.from({ length: width }, (_, at) => slots[at] ?? -1);
    return executor.query<VectorRow>(
      `SELECT slot, scale, bytes FROM ${this.#tables.vectors} WHERE slot IN (${placeholders(width)})`,
      filled,
    );
  }

  async #train(tx: SqlExecutor, size: number): Promise<void> {
    const { vectors, dimensions } = this.#tables;
    const every = Math.max(1, Math.floor(size / SAMPLE));
    const sample = await tx.query<VectorRow>(
      `SELECT slot, scale, bytes FROM ${vectors} WHERE slot % ? = 0 LIMIT ?`,
      [every, SAMPLE],
    );
    const center = new Float32Array(dimensions);
    for (const row of sample) {
      const vector = fromScaled(row);
      for (let i = 0; i < dimensions; i++)
        center[i] = (center[i] ?? 0) + (vector[i] ?? 0) / sample.length;
    }
    await tx.execute(`DELETE FROM ${this.#centers}`);
    await insertRows(tx, this.#centers, [[size, new Uint8Array(center.buffer)]]);
    for (let last = -1; ;) {
      const rows = await tx.query<VectorRow>(
        `SELECT slot, scale, bytes FROM ${vectors} WHERE slot > ? ORDER BY slot LIMIT ?`,
        [last, PAGE],
      );
      if (rows.length === 0) return;
      for (const row of rows) {
        const code = bytesOf(this.#rotation.encode(fromScaled(row), center));
        await tx.execute(`UPDATE ${vectors} SET code = ? WHERE slot = ?`, [code, row.slot]);
      }
      last = rows.at(-1)?.slot ?? last;
    }
  }
}

function bytesOf(code: Uint32Array<ArrayBuffer>): Uint8Array {
  return new Uint8Array(code.buffer);
}

const LARGEST = 32_767;

/** A vector in half of its bytes: whole numbers of 16 bits, and what they are multiplied with. */
interface ScaledVector {
  readonly scale: number;
  readonly bytes: Uint8Array;
}

/** The error of a product with a vector of length 1 is about 1e-5. */
function toScaled(vector: Float32Array): ScaledVector {
  let largest = 0;
  for (const value of vector) largest = Math.max(largest, Math.abs(value));
  const scale = largest / LARGEST;
  const numbers = Int16Array.from(vector, (value) => Math.round(value / scale));
  return { scale, bytes: new Uint8Array(numbers.buffer) };
}

function fromScaled({ scale, bytes }: ScaledVector): Float32Array {
  return Float32Array.from(numbersOf(bytes), (number) => number * scale);
}

/** Returns the product with a vector: the cosine, if both have length 1. */
export function scaledProduct(vector: Float32Array, { scale, bytes }: ScaledVector): number {
  const numbers = numbersOf(bytes);
  let sum = 0;
  for (let i = 0; i < vector.length; i++) sum += (vector[i] ?? 0) * (numbers[i] ?? 0);
  return sum * scale;
}

function numbersOf(bytes: Uint8Array): Int16Array {
  // Rows of a database begin anywhere in memory, and numbers only at even addresses.
  const { buffer, byteOffset, byteLength } = byteAligned(bytes);
  return new Int16Array(buffer, byteOffset, byteLength / 2);
}

function byteAligned(bytes: Uint8Array): Uint8Array {
  return bytes.byteOffset % 2 === 0 ? bytes : new Uint8Array(bytes);
}
