import {
  type Database,
  type EraseOptions,
  type JsonValue,
  type Row,
  type Statement,
} from '@vizprompt/providers';
import {
  ERASED,
  Eraser,
  ErasureCounts,
  isJsonObject,
  mapStrings,
  placeholders,
  StoredRow,
  stringsIn,
} from '@vizprompt/providers/internal';
import type { DefinitionSnapshot } from '../definition/definition-snapshot.ts';
import { fromText, toDefinition } from '../journal/journal-rows.ts';
import { isSaidBy, speakerOf } from './speaker-of.ts';

/** Rows that are read and written at once. */
const PAGE = 200;

/** A table of the journal, its key, and its columns of JSON. */
const TABLES = {
  workflow_step: { keys: ['run_id', 'path'], columns: ['output', 'meta'] },
  workflow_wait: { keys: ['run_id', 'path'], columns: ['question', 'answer'] },
  workflow_run: { keys: ['id'], columns: ['task', 'output', 'error'] },
} as const;
type Table = keyof typeof TABLES;
const TABLE_NAMES: readonly Table[] = ['workflow_step', 'workflow_wait', 'workflow_run'];

/** Changes one value of a row. */
type Change = (value: JsonValue, row: Row, column: string) => JsonValue;

/** Erases one speaker from the tables of a journal: copies first, then what the speaker's steps gave. */
export class JournalEraser {
  readonly counts: ErasureCounts = new ErasureCounts();
  readonly #database: Database;
  readonly #options: EraseOptions;
  readonly #eraser: Eraser;
  readonly #definitions = new Map<string, DefinitionSnapshot | undefined>();
  readonly #hashes = new Map<string, string>();
  /** The words of the speaker in a run, each however short it is. */
  readonly #said = new Map<string, Set<string>>();
  #mentions = 0;

  constructor(database: Database, options: EraseOptions) {
    this.#database = database;
    this.#options = options;
    this.#eraser = new Eraser(options.speaker, options);
  }

  /** How many values of others mention the name. */
  get mentions(): number {
    return this.#mentions;
  }

  /** Learns what the speaker said, and in which runs. */
  async find(): Promise<ReadonlySet<string>> {
    const rows = await this.#database.query<{ id: string; hash: string }>(
      'SELECT id, hash FROM workflow_run',
    );
    for (const { id, hash } of rows) this.#hashes.set(id, hash);
    const runs = new Set<string>();
    const learn = async (row: Row, value: JsonValue, isOwn: boolean): Promise<void> => {
      const run = runOf(row);
      for (const text of isOwn ? stringsIn(value) : this.#namedStrings(value)) {
        if (text === ERASED) continue;
        runs.add(run);
        this.#eraser.learn(text);
        const said = this.#said.get(run) ?? new Set();
        this.#said.set(run, said.add(text.trim()));
      }
    };
    for (const table of TABLE_NAMES) {
      await this.#eachRow(table, async (row) => {
        const isOwn = await this.#isOwn(table, row);
        if (isOwn) runs.add(runOf(row));
        for (const column of TABLES[table].columns) {
          const value = parsed(table, row, column);
          if (value !== undefined) await learn(row, value, isOwn && isOutput(column));
        }
        return undefined;
      });
    }
    return runs;
  }

  async erase(): Promise<void> {
    for (const table of TABLE_NAMES) {
      await this.#rewrite(table, 'quotes', false, (value, row) => this.#cleaned(value, row));
    }
    for (const table of ['workflow_wait', 'workflow_step'] as const) {
      const place = table === 'workflow_wait' ? 'answers' : 'steps';
      await this.#rewrite(table, place, true, (value, _, column) =>
        isOutput(column) ? withoutContent(value) : value,
      );
    }
  }

  #cleaned(value: JsonValue, row: Row): JsonValue {
    const said = this.#said.get(runOf(row));
    const named = this.#withoutNamed(value);
    const cleaned = mapStrings(named, (text) =>
      said?.has(text.trim()) ? ERASED : this.#eraser.clean(text),
    );
    if (stringsIn(cleaned).some((text) => this.#eraser.isMentioned(text))) this.#mentions++;
    return cleaned;
  }

  /** Replaces what objects hold that say that the speaker said it, such as turns of a talk. */
  #withoutNamed(value: JsonValue): JsonValue {
    if (Array.isArray(value)) return value.map((item: JsonValue) => this.#withoutNamed(item));
    if (typeof value !== 'object' || value === null) return value;
    if (isSaidBy(value, (name) => this.#eraser.isSpeaker(name))) return withoutContent(value);
    return Object.fromEntries(
      Object.entries(value).map(([key, item]): [string, JsonValue] => [
        key,
        this.#withoutNamed(item),
      ]),
    );
  }

  #namedStrings(value: JsonValue): readonly string[] {
    if (typeof value !== 'object' || value === null) return [];
    if (isSaidBy(value, (name) => this.#eraser.isSpeaker(name))) {
      return stringsIn(value).filter((text) => !this.#eraser.isSpeaker(text));
    }
    return Object.values(value).flatMap((item: JsonValue) => this.#namedStrings(item));
  }

  async #isOwn(table: Table, row: Row): Promise<boolean> {
    if (table === 'workflow_run') return false;
    const definition = await this.#definitionOf(runOf(row));
    if (!definition) return false;
    const meta = parsed(table, row, 'meta') ?? {};
    const path = fromText(String(row['path']));
    return this.#eraser.isSpeaker(speakerOf(definition, path, isJsonObject(meta) ? meta : {}));
  }

  async #definitionOf(run: string): Promise<DefinitionSnapshot | undefined> {
    const hash = this.#hashes.get(run) ?? '';
    if (this.#definitions.has(hash)) return this.#definitions.get(hash);
    const [row] = await this.#database.query<{ definition: string }>(
      'SELECT definition FROM workflow_definition WHERE hash = ?',
      [hash],
    );
    const definition = row && toDefinition(hash, row.definition);
    this.#definitions.set(hash, definition);
    return definition;
  }

  /** @param isOwn - True if the rows of the speaker are rewritten, or all others. */
  async #rewrite(table: Table, place: string, isOwn: boolean, change: Change): Promise<void> {
    const { keys, columns } = TABLES[table];
    await this.#eachRow(table, async (row) => {
      const own = await this.#isOwn(table, row);
      if (isOwn && !own) return undefined;
      const set: string[] = [];
      const params: string[] = [];
      for (const column of columns) {
        const value = parsed(table, row, column);
        // The output of the speaker's own step is erased last, when nothing refers to it any more.
        if (value === undefined || (!isOwn && own && isOutput(column))) continue;
        const changed = JSON.stringify(change(value, row, column));
        if (changed === JSON.stringify(value)) continue;
        set.push(`${column} = ?`);
        params.push(changed);
      }
      if (set.length === 0) return undefined;
      this.counts.add(place);
      const where = keys.map((key) => `${key} = ?`).join(' AND ');
      return {
        sql: `UPDATE ${table} SET ${set.join(', ')} WHERE ${where}`,
        params: [...params, ...keys.map((key) => row[key] ?? null)],
      };
    });
  }

  async #eachRow(table: Table, work: (row: Row) => Promise<Statement | undefined>): Promise<void> {
    const { keys, columns } = TABLES[table];
    const names = keys.join(', ');
    for (let after: Row | undefined; ;) {
      this.#options.signal?.throwIfAborted();
      const where = after ? `WHERE (${names}) > (${placeholders(keys.length)})` : '';
      const last: Row = after ?? {};
      const rows = await this.#database.query(
        `SELECT ${[...keys, ...columns].join(', ')} FROM ${table} ${where} ORDER BY ${names} LIMIT ${PAGE}`,
        after ? keys.map((key) => last[key] ?? null) : [],
      );
      const statements: Statement[] = [];
      for (const row of rows) {
        const statement = await work(row);
        if (statement) statements.push(statement);
      }
      if (!this.#options.dryRun && statements.length > 0) await this.#database.batch(statements);
      after = rows.at(-1);
      if (!after) return;
    }
  }
}

function runOf(row: Row): string {
  return String(row['run_id'] ?? row['id']);
}

function isOutput(column: string): boolean {
  return column === 'output' || column === 'answer';
}

/** Parses JSON of a row. Throws StorageError `corrupt` with the place for anything else, as its content is unknown. */
function parsed(table: Table, row: Row, column: string): JsonValue | undefined {
  const text = row[column];
  if (typeof text !== 'string') return undefined;
  return new StoredRow(table, `${runOf(row)} ${String(row['path'] ?? '')}`).json(column, text);
}

/** Returns a value of the same form without what it says: steps that come later find what they look for. */
function withoutContent(value: JsonValue): JsonValue {
  if (typeof value === 'string') return value === '' ? '' : ERASED;
  if (typeof value === 'number') return 0;
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item: JsonValue) => withoutContent(item));
  return Object.fromEntries(
    Object.entries(value).map(([key, item]): [string, JsonValue] => [key, withoutContent(item)]),
  );
}
