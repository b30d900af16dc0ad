import type { ErrorJson } from '../errors.ts';
import { jsonOf } from '../json/fields.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../json/json-value.ts';
import { StorageError } from './storage-error.ts';

/** A row that is stored and cannot be read: its place, and what is wrong. */
export interface DamagedRow {
  readonly table: string;
  /** The key of the row, as text. */
  readonly id: string;
  /** The column. */
  readonly field: string;
  readonly problem: string;
}

/** The error of a field that is not what was checked before it was written. */
class RowError extends StorageError {
  readonly damage: DamagedRow;

  constructor(damage: DamagedRow) {
    super('corrupt', messageOfDamage([damage]), { context: { ...damage } });
    this.damage = damage;
  }
}

/**
 * Reads the fields of one row and checks each: what is read back is what was written, unless the disk or another
 * program changed it. Every method throws StorageError `corrupt` with the place.
 */
export class StoredRow {
  readonly #table: string;
  readonly #id: string;

  constructor(table: string, id: unknown) {
    this.#table = table;
    this.#id = String(id);
  }

  /** Throws the error of a field. */
  fail(field: string, problem: string): never {
    throw new RowError({ table: this.#table, id: this.#id, field, problem });
  }

  /** Returns a string. */
  text(field: string, value: unknown): string {
    return typeof value === 'string' ? value : this.#unexpected(field, 'a string', value);
  }

  /** Returns a whole number from 0 on. */
  whole(field: string, value: unknown): number {
    const isWhole = typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
    return isWhole ? value : this.#unexpected(field, 'a whole number', value);
  }

  /** Returns a number from 0 on. */
  amount(field: string, value: unknown): number {
    const isAmount = typeof value === 'number' && Number.isFinite(value) && value >= 0;
    return isAmount ? value : this.#unexpected(field, 'a number', value);
  }

  /** Returns one of some names. */
  oneOf<Name extends string>(field: string, value: unknown, names: readonly Name[]): Name {
    const found = names.find((name) => name === value);
    return found ?? this.#unexpected(field, `one of ${names.join(', ')}`, value);
  }

  /** Returns the value of a JSON text. */
  json(field: string, value: unknown): JsonValue {
    const text = this.text(field, value);
    try {
      return jsonOf(JSON.parse(text));
    } catch {
      return this.fail(field, 'expected JSON');
    }
  }

  /** Returns the object of a JSON text. */
  object(field: string, value: unknown): JsonObject {
    const parsed = this.json(field, value);
    return isJsonObject(parsed) ? parsed : this.fail(field, 'expected a JSON object');
  }

  /** Returns the list of strings of a JSON text. */
  texts(field: string, value: unknown): readonly string[] {
    return this.textList(field, this.json(field, value));
  }

  /** Returns a list of strings within a JSON text. */
  textList(field: string, value: JsonValue): readonly string[] {
    const isList = Array.isArray(value) && value.every((one) => typeof one === 'string');
    return isList ? value : this.fail(field, 'expected a JSON list of strings');
  }

  /** Returns the error of a JSON text. */
  error(field: string, value: unknown): ErrorJson {
    const { name, code, message, context, cause } = this.object(field, value);
    return {
      name: this.text(`${field}.name`, name),
      code: this.text(`${field}.code`, code),
      message: this.text(`${field}.message`, message),
      context: isJsonObject(context)
        ? context
        : this.fail(`${field}.context`, 'expected a JSON object'),
      ...(cause === undefined ? {} : { cause: this.text(`${field}.cause`, cause) }),
    };
  }

  /** Returns a time as ISO 8601. */
  isoTime(field: string, value: unknown): string {
    return isIsoTime(value) ? value : this.#unexpected(field, 'a time in ISO 8601', value);
  }

  /** Returns milliseconds since 1970 that are a time. */
  time(field: string, value: unknown): number {
    const isTime =
      typeof value === 'number' && Number.isInteger(value) && Math.abs(value) <= 864e13;
    return isTime ? value : this.#unexpected(field, 'a time in milliseconds', value);
  }

  #unexpected(field: string, wanted: string, value: unknown): never {
    return this.fail(field, `expected ${wanted}, got ${shown(value)}`);
  }
}

/** Checks whether a value is a time in ISO 8601. */
export function isIsoTime(value: unknown): value is string {
  return typeof value === 'string' && ISO_TIME.test(value) && !Number.isNaN(Date.parse(value));
}

/** Years beyond 9999 have a sign and six digits. */
const ISO_TIME = /^(?:\d{4}|[+-]\d{6})-\d\d-\d\dT/;

/** Describes a value without the content of a long string, which may be private. */
function shown(value: unknown): string {
  if (typeof value === 'string') {
    return value.length <= 40 ? JSON.stringify(value) : `a string of ${value.length} characters`;
  }
  return typeof value === 'number' ? String(value) : value === null ? 'null' : typeof value;
}

/** Returns what is wrong with a row, if reading it failed for that. */
export function damageOf(error: unknown): DamagedRow | undefined {
  return error instanceof RowError ? error.damage : undefined;
}

/** Rows that were read, and those that cannot be. */
export interface ReadRows<Value> {
  readonly values: readonly Value[];
  readonly damaged: readonly DamagedRow[];
}

/** Reads each row where one that is damaged must not hide the others. */
export function readRows<Row, Value>(
  rows: readonly Row[],
  read: (row: Row) => Value,
): ReadRows<Value> {
  const damaged: DamagedRow[] = [];
  const values = rows.flatMap((row) => {
    try {
      return [read(row)];
    } catch (error) {
      const damage = damageOf(error);
      if (!damage) throw error;
      damaged.push(damage);
      return [];
    }
  });
  return { values, damaged };
}

/** Returns the sentence about damaged rows, with the place of the first. */
export function messageOfDamage(damaged: readonly DamagedRow[]): string {
  const [first] = damaged;
  const more = damaged.length > 1 ? `, and ${damaged.length - 1} more rows` : '';
  return (
    `the row '${first?.id}' of ${first?.table} is corrupt: ${first?.field}: ${first?.problem}${more}; ` +
    'other rows can be read, and a backup may have this one'
  );
}

/** How a package reports rows that cannot be read. */
export interface DamageErrors<Failure extends Error> {
  /** Returns the error for rows that cannot be read. */
  damagedRows(damaged: readonly DamagedRow[]): Failure;
  /** Reads one row that is needed. */
  reading<T>(read: () => T): T;
}

/** @param corrupt - Creates the error of the package with the code `corrupt`. */
export function damageErrors<Failure extends Error>(
  corrupt: (message: string, context: Readonly<Record<string, unknown>>) => Failure,
): DamageErrors<Failure> {
  const damagedRows = (damaged: readonly DamagedRow[]): Failure =>
    corrupt(messageOfDamage(damaged), { ...damaged[0], damaged });
  return {
    damagedRows,
    reading(read) {
      try {
        return read();
      } catch (error) {
        const damage = damageOf(error);
        throw damage ? damagedRows([damage]) : error;
      }
    },
  };
}
