import {
  type Database,
  type EraseOptions,
  type ErasureReport,
  type JsonObject,
  type JsonValue,
  purgeStorage,
  type Row,
  type Storage,
} from '@vizprompt/providers';
import { ERASE_OPTIONS } from '@vizprompt/providers/config/internal';
import {
  ERASED,
  type ErasedTable,
  isJsonObject,
  RowEraser,
  StoredRow,
  stringsIn,
} from '@vizprompt/providers/internal';
import { checkOptions } from '../check-options.ts';
import type { DefinitionSnapshot } from '../definition/definition-snapshot.ts';
import type { Step } from '../definition/step.ts';
import { allSteps } from '../definition/walk-steps.ts';
import { WorkflowError } from '../errors.ts';
import { EngineLease } from '../journal/engine-lease.ts';
import { fromText, toDefinition } from '../journal/journal-rows.ts';
import { unwritable } from '../journal/journal.ts';
import { JOURNAL_MIGRATIONS } from '../journal/sql-journal.ts';
import { partNames } from '../run/parallel-steps.ts';

/** A table of the journal, with its columns of JSON. */
interface JournalTable extends ErasedTable {
  readonly name: 'workflow_step' | 'workflow_wait' | 'workflow_run';
}

const STEPS: JournalTable = {
  name: 'workflow_step',
  keys: ['run_id', 'path'],
  columns: ['output', 'meta'],
};
const WAITS: JournalTable = {
  name: 'workflow_wait',
  keys: ['run_id', 'path'],
  columns: ['question', 'answer'],
};
const RUNS: JournalTable = {
  name: 'workflow_run',
  keys: ['id'],
  columns: ['task', 'output', 'error'],
};
const TABLES = [STEPS, WAITS, RUNS];

/** Changes one value of a row. */
type Change = (value: JsonValue, row: Row, column: string) => JsonValue;

/** Erases one speaker from the tables of a journal: copies first, then what the speaker's steps gave. */
class JournalEraser {
  readonly #database: Database;
  readonly #rows: RowEraser;
  readonly #definitions = new Map<string, DefinitionSnapshot | undefined>();
  readonly #hashes = new Map<string, string>();
  /** The words of the speaker in a run, each however short it is. */
  readonly #said = new Map<string, Set<string>>();

  constructor(database: Database, options: EraseOptions) {
    this.#database = database;
    this.#rows = new RowEraser(database, options);
  }

  /** Returns what was erased; the tables of DBOS, the config and backups may hold more. */
  report(): ErasureReport {
    const dbos = this.#database.dialect === 'postgres' ? (['dbos'] as const) : [];
    return this.#rows.report([...dbos, 'config', 'backups']);
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
        this.#rows.eraser.learn(text);
        const said = this.#said.get(run) ?? new Set();
        this.#said.set(run, said.add(text.trim()));
      }
    };
    for (const table of TABLES) {
      await this.#rows.eachRow(table, async (row) => {
        const isOwn = await this.#isOwn(table, row);
        if (isOwn) runs.add(runOf(row));
        for (const column of table.columns) {
          const value = parsed(table, row, column);
          if (value !== undefined) await learn(row, value, isOwn && isOutput(column));
        }
        return undefined;
      });
    }
    return runs;
  }

  async erase(): Promise<void> {
    for (const table of TABLES) {
      await this.#rewrite(table, 'quotes', false, (value, row) => this.#cleaned(value, row));
    }
    for (const [table, place] of [
      [WAITS, 'answers'],
      [STEPS, 'steps'],
    ] as const) {
      await this.#rewrite(table, place, true, (value, _, column) =>
        isOutput(column) ? withoutContent(value) : value,
      );
    }
  }

  #cleaned(value: JsonValue, row: Row): JsonValue {
    const said = this.#said.get(runOf(row));
    const named = this.#withoutNamed(value);
    const { eraser } = this.#rows;
    const cleaned = eraser.mapJson(named, (text) =>
      said?.has(text.trim()) ? ERASED : eraser.clean(text),
    );
    this.#rows.countMention(stringsIn(cleaned));
    return cleaned;
  }

  /** Replaces what objects hold that say that the speaker said it, such as turns of a talk. */
  #withoutNamed(value: JsonValue): JsonValue {
    if (Array.isArray(value)) return value.map((item: JsonValue) => this.#withoutNamed(item));
    if (typeof value !== 'object' || value === null) return value;
    if (isSaidBy(value, (name) => this.#rows.eraser.isSpeaker(name))) return withoutContent(value);
    return Object.fromEntries(
      Object.entries(value).map(([key, item]): [string, JsonValue] => [
        key,
        this.#withoutNamed(item),
      ]),
    );
  }

  #namedStrings(value: JsonValue): readonly string[] {
    if (typeof value !== 'object' || value === null) return [];
    if (isSaidBy(value, (name) => this.#rows.eraser.isSpeaker(name))) {
      return stringsIn(value).filter((text) => !this.#rows.eraser.isSpeaker(text));
    }
    return Object.values(value).flatMap((item: JsonValue) => this.#namedStrings(item));
  }

  async #isOwn(table: JournalTable, row: Row): Promise<boolean> {
    if (table === RUNS) return false;
    const definition = await this.#definitionOf(runOf(row));
    if (!definition) return false;
    const meta = parsed(table, row, 'meta') ?? {};
    const path = fromText(String(row['path']));
    return this.#rows.eraser.isSpeaker(speakerOf(definition, path, isJsonObject(meta) ? meta : {}));
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
  async #rewrite(
    table: JournalTable,
    place: string,
    isOwn: boolean,
    change: Change,
  ): Promise<void> {
    await this.#rows.eachRow(table, async (row) => {
      const own = await this.#isOwn(table, row);
      if (isOwn && !own) return undefined;
      const values: Record<string, string> = {};
      for (const column of table.columns) {
        const value = parsed(table, row, column);
        // The output of the speaker's own step is erased last, when nothing refers to it any more.
        if (value === undefined || (!isOwn && own && isOutput(column))) continue;
        const changed = JSON.stringify(change(value, row, column));
        if (changed !== JSON.stringify(value)) values[column] = changed;
      }
      return { values, place };
    });
  }
}

function runOf(row: Row): string {
  return String(row['run_id'] ?? row['id']);
}

function isOutput(column: string): boolean {
  return column === 'output' || column === 'answer';
}

/** Parses JSON of a row. Throws StorageError `corrupt` with the place for anything else, as its content is unknown. */
function parsed(table: JournalTable, row: Row, column: string): JsonValue | undefined {
  const text = row[column];
  if (typeof text !== 'string') return undefined;
  return new StoredRow(table.name, `${runOf(row)} ${String(row['path'] ?? '')}`).json(column, text);
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

/** The name by which recorders call the person that answers a `human` step. */
const PERSON = 'person';
/** Keys of objects that name who said the rest of the object. */
const NAMING_KEYS = ['speaker', 'user', 'author', 'participant', 'answeredBy', 'by'] as const;

/**
 * Finds who did a step: this and {@link isSaidBy} are the places that know which fields name a person. A `human` step
 * was answered by `person`; other steps have the name of their agent, function, tool, retriever or activity.
 */
function speakerOf(
  { workflows }: DefinitionSnapshot,
  path: string,
  meta: JsonObject = {},
): string | undefined {
  const id = typeof meta['stepId'] === 'string' ? meta['stepId'] : idIn(path);
  for (const workflow of Object.values(workflows)) {
    for (const { step } of allSteps(workflow.steps)) if (step.id === id) return nameOf(step, path);
  }
  return undefined;
}

/** Checks whether an object of a value says that a speaker said it. */
function isSaidBy(value: JsonValue, isSpeaker: (name: unknown) => boolean): value is JsonObject {
  return isJsonObject(value) && NAMING_KEYS.some((key) => isSpeaker(value[key]));
}

function nameOf(step: Step, path: string): string | undefined {
  switch (step.type) {
    case 'human':
      return PERSON;
    case 'agent_interaction':
      return step.agent_id;
    case 'multi_agent_interaction': {
      const part = path.slice(path.lastIndexOf('/') + 1);
      return step.agents_to_run[partNames(step.agents_to_run).indexOf(part)]?.agent_id;
    }
    case 'team': {
      const part = path.slice(path.lastIndexOf('/') + 1);
      const name = Object.keys(step.members).find(
        (one) => part === one || part.startsWith(`${one}:`),
      );
      return name === undefined ? undefined : step.members[name]?.agent_id;
    }
    case 'function':
      return step.function;
    case 'tool':
      return step.tool;
    case 'retrieve':
      return step.retriever;
    case 'activity':
      return step.activity;
    default:
      return undefined;
  }
}

function idIn(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1).replace(/#\d+$/, '');
}

/**
 * Erases what a speaker said in all runs of a journal: what the speaker's steps gave (an agent, a tool, or `person` for
 * the answers of people), copies of it in inputs, prompts, variables and outputs, and objects that name the speaker.
 * Runs, paths and times stay. No byte of it remains in the journal. An erasure that was interrupted is finished by
 * calling it again.
 *
 * @param storage - Holds the journal, and stays open. No engine may lead a run of the speaker meanwhile.
 * @throws WorkflowError with the code `conflict` if an engine leads such a run, or `journal-unwritable`.
 *
 * @example
 * ```ts
 * const { erased } = await eraseSpeaker(storage, { speaker: 'person', dryRun: true });
 * ```
 */
export async function eraseSpeaker(
  storage: Storage,
  options: EraseOptions,
): Promise<ErasureReport> {
  checkOptions('eraseSpeaker', options, ERASE_OPTIONS);
  const { dryRun = false } = options;
  const { database } = storage;
  const eraser = new JournalEraser(database, options);
  try {
    await database.migrate('workflow', JOURNAL_MIGRATIONS);
    const runs = await eraser.find();
    if (!dryRun) await assertNotLed(storage, runs);
    await eraser.erase();
    if (!dryRun) await purgeStorage(storage, ['database', 'cache']);
  } catch (error) {
    if (options.signal?.aborted && error === options.signal.reason) throw error;
    throw unwritable(error);
  }
  return eraser.report();
}

/** The leader of a run has in memory what it would write again. */
async function assertNotLed(storage: Storage, runs: ReadonlySet<string>): Promise<void> {
  const led = await storage.database.query<{ id: string; owner: string }>(
    'SELECT id, owner FROM workflow_run WHERE owner IS NOT NULL AND ended_at IS NULL',
  );
  const lease = new EngineLease(storage);
  for (const { id, owner } of led) {
    if (!runs.has(id) || !(await lease.isAlive(owner))) continue;
    const message = `cannot erase what was said in the run '${id}': an engine leads it. Cancel the run or close the engine, then erase again`;
    throw new WorkflowError('conflict', message, { context: { runId: id } });
  }
}
