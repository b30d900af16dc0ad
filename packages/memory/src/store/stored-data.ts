import { damageOf, StoredRow } from '@vizprompt/providers/internal';
import { deflated, inflated, LEAST_ROOM, MOST_INFLATED } from './deflate.ts';

/** The data of an event, as its row has them: JSON, or packed where that takes less room. */
export interface StoredData {
  /** JSON, or the last characters of it where it is packed: the ranking goes by how a message ends. */
  readonly data_text: string;
  /** UTF-8 bytes of the JSON, where it is packed. */
  readonly data_size: number | null;
  /** The JSON, deflated. */
  readonly packed: Uint8Array | null;
}

/** Columns of `memory_events` with the data. */
export const DATA_COLUMNS = ['data_text', 'data_size', 'packed'] as const;

/** Sets the columns of {@link DATA_COLUMNS}. */
export const SET_DATA: string = DATA_COLUMNS.map((column) => `${column} = ?`).join(', ');

/** Sets them to those of a forgotten event. */
export const NO_DATA = "data_text = '{}', data_size = NULL, packed = NULL";

/** Chooses forgotten events that have data nevertheless. */
export const UNCLEARED = "type = 'forgotten' AND (packed IS NOT NULL OR data_text <> '{}')";

/** The bytes of the data of an event, as JSON. A size that cannot be, in a damaged row, does not count. */
export const DATA_BYTES: string = `CASE WHEN (data_size - ${LEAST_ROOM}) / ${MOST_INFLATED} <= OCTET_LENGTH(packed)
  THEN data_size ELSE OCTET_LENGTH(data_text) END`;

/** The characters of packed JSON that stay as text. */
const TAIL = 4;

/** Shorter JSON is not packed: most events have such, and packing takes some time for each. */
export const LONG_DATA = 512;

/** Deleting looks for the name of this tool with SQL, to find what is a copy from this memory. */
const SEARCHED = /ptta/i;

/** Returns the columns of JSON that is not packed. */
export function plainData(json: string): StoredData {
  return { data_text: json, data_size: null, packed: null };
}

/** Returns the columns of JSON. */
export async function storedData(json: string): Promise<StoredData> {
  if (json.length < LONG_DATA || SEARCHED.test(json)) return plainData(json);
  const bytes = Buffer.from(json, 'utf8');
  const packed = await deflated(bytes);
  if (!packed) return plainData(json);
  return { data_text: json.slice(-TAIL).toWellFormed(), data_size: bytes.length, packed };
}

/** Returns the columns in the order of {@link DATA_COLUMNS}. */
export function dataParams(stored: StoredData): readonly (string | number | Uint8Array | null)[] {
  return DATA_COLUMNS.map((column) => stored[column]);
}

/**
 * Returns the data of a row as JSON.
 *
 * @throws StorageError `corrupt` with the place, if what is packed is damaged.
 */
export function dataJson(stored: StoredRow, row: StoredData): string {
  if (row.packed === null) return row.data_text;
  const size = stored.whole('data_size', row.data_size);
  if (!(row.packed instanceof Uint8Array)) return stored.fail('packed', 'expected bytes');
  let bytes: Uint8Array;
  try {
    bytes = inflated(row.packed, size);
  } catch {
    return stored.fail('packed', 'expected deflated bytes of the size of the row');
  }
  if (bytes.length !== size) stored.fail('data_size', `expected ${bytes.length}, got ${size}`);
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('utf8');
}

/** Returns the same of a row of `memory_events`; `undefined` if what is packed is damaged. */
export function readableJson(row: StoredData & { readonly id: string }): string | undefined {
  try {
    return dataJson(new StoredRow('memory_events', row.id), row);
  } catch (error) {
    if (!damageOf(error)) throw error;
    return undefined;
  }
}
