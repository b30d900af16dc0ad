import { existsSync } from 'node:fs';
import {
  type Database,
  type EraseOptions,
  type ErasureReport,
  type JsonValue,
  messageOf,
  type Row,
  type SqlValue,
  type Storage,
  StorageError,
} from '@vizprompt/providers';
import {
  damageOf,
  ERASED,
  type ErasedTable,
  type RowChange,
  RowEraser,
  StoredRow,
} from '@vizprompt/providers/internal';
import { TalkError } from '../errors.ts';
import { exactOf, storedTexts } from '../log/log-rows.ts';
import { takeLead, TalkLog } from '../log/talk-log.ts';
import { checkCall } from '../options.ts';

/** Turns that repeat in other words what was said until then. */
const DERIVED: ReadonlySet<SqlValue> = new Set(['summary', 'closing', 'verdict']);

interface TurnRow extends Row {
  readonly id: number;
  readonly conversation_id: string;
  readonly turn_number: number;
  readonly speaker_name: string | null;
  readonly prompt: string | null;
  readonly response: string | null;
  readonly is_moderator: number | null;
  readonly kind: string | null;
  readonly error: string | null;
  readonly visible_to: string | null;
  readonly exact: string | null;
}

interface ParticipantRow extends Row {
  readonly conversation_id: string;
  readonly name: string;
  readonly persona: string | null;
}

const META_NAMES = ['participant_a_name', 'participant_b_name', 'moderator_name'] as const;
const META_TEXTS = ['topic', 'error', 'stop_reason'] as const;

const TURNS: ErasedTable<TurnRow> = {
  name: 'conversation_log',
  keys: ['id'],
  columns: [
    'conversation_id',
    'turn_number',
    'speaker_name',
    'prompt',
    'response',
    'is_moderator',
    'kind',
    'error',
    'visible_to',
    'exact',
  ],
};
const META: ErasedTable = {
  name: 'conversation_meta',
  keys: ['conversation_id'],
  columns: [...META_NAMES, ...META_TEXTS],
};
const PARTICIPANTS: ErasedTable<ParticipantRow> = {
  name: 'conversation_participant',
  keys: ['conversation_id', 'position'],
  columns: ['name', 'persona'],
};

/** Erases one speaker from the tables of a log: copies first, then what was derived, then the originals. */
class LogEraser {
  readonly #rows: RowEraser;
  /** The number of the speaker's first turn in each talk. */
  readonly #first = new Map<string, number>();

  constructor(database: Database, options: EraseOptions) {
    this.#rows = new RowEraser(database, options);
  }

  /** Returns what was erased; the config and backups may hold more. */
  report(): ErasureReport {
    return this.#rows.report(['config', 'backups']);
  }

  /** Finds the talks that the speaker took part in. */
  async find(): Promise<ReadonlySet<string>> {
    const { eraser } = this.#rows;
    const talks = new Set<string>();
    await this.#rows.eachRow(TURNS, (row) => {
      if (!this.#isSaid(row)) return undefined;
      talks.add(row.conversation_id);
      const first = this.#first.get(row.conversation_id) ?? row.turn_number;
      this.#first.set(row.conversation_id, Math.min(first, row.turn_number));
      return undefined;
    });
    await this.#rows.eachRow(META, (row) => {
      const isNamed = META_NAMES.some((name) => eraser.isSpeaker(row[name]));
      if (isNamed) talks.add(String(row['conversation_id']));
      return undefined;
    });
    await this.#rows.eachRow(PARTICIPANTS, (row) => {
      if (eraser.isSpeaker(row.name)) talks.add(row.conversation_id);
      return undefined;
    });
    return talks;
  }

  /** Erases; with `dryRun` it only counts. */
  async erase(): Promise<void> {
    await this.#learn();
    await this.#rows.eachRow(TURNS, (row) => this.#cleaned(row));
    await this.#eraseMeta();
    await this.#rows.eachRow(TURNS, (row) =>
      this.#isDerived(row) ? this.#withoutTexts(row) : undefined,
    );
    await this.#rows.eachRow(TURNS, (row) =>
      this.#isSaid(row) ? this.#withoutTexts(row) : undefined,
    );
    await this.#eraseParticipants();
  }

  async #learn(): Promise<void> {
    const { eraser } = this.#rows;
    await this.#rows.eachRow(TURNS, (row) => {
      if (this.#isSaid(row)) eraser.learn(textsOf(row).response);
      else if (this.#isDerived(row)) eraser.learnJson(parsed(textsOf(row).response));
      return undefined;
    });
    await this.#rows.eachRow(PARTICIPANTS, ({ name, persona }) => {
      if (eraser.isSpeaker(name)) eraser.learn(persona ?? '');
      return undefined;
    });
  }

  #isSaid({ speaker_name: name }: TurnRow): boolean {
    return this.#rows.eraser.isSpeaker(name);
  }

  /** Rows of the older tool have no kind: the moderator's, but for the first, are summaries. */
  #isDerived(row: TurnRow): boolean {
    const first = this.#first.get(row.conversation_id);
    if (first === undefined || row.turn_number <= first || this.#isSaid(row)) return false;
    return row.kind === null ? Boolean(row.is_moderator) : DERIVED.has(row.kind);
  }

  /** Removes copies of what the speaker said from a turn of another speaker. */
  #cleaned(row: TurnRow): RowChange {
    const isOriginal = this.#isSaid(row) || this.#isDerived(row);
    const { prompt, response } = textsOf(row);
    const clean = (text: string): string => this.#rows.eraser.clean(text);
    const isJson = row.kind === 'choice' || row.kind === 'verdict';
    const said = isJson ? this.#named(response) : clean(response);
    const texts = storedTexts(clean(prompt), isOriginal ? response : said);
    const values = {
      ...texts,
      prompt: row.prompt === null ? null : texts.prompt,
      response: row.response === null ? null : texts.response,
      error: isOriginal ? row.error : this.#cleanedJson(row.error),
      visible_to: this.#cleanedJson(row.visible_to, (name) => this.#rows.eraser.name(name)),
    };
    if (!isOriginal) this.#rows.countMention([`${said}\n${values.prompt ?? ''}`]);
    return { values, place: isOriginal ? undefined : 'quotes' };
  }

  /** Returns a decision of the moderator, in which names are values. */
  #named(response: string): string {
    const value = parsed(response);
    if (typeof value === 'string') return this.#rows.eraser.clean(response);
    const { eraser } = this.#rows;
    const named = eraser.mapJson(value, (text) => eraser.name(eraser.clean(text)));
    return JSON.stringify(named) === JSON.stringify(value) ? response : JSON.stringify(named);
  }

  #withoutTexts(row: TurnRow): RowChange {
    const { response } = textsOf(row);
    const value = parsed(response);
    const erased =
      typeof value === 'string'
        ? ERASED
        : JSON.stringify(this.#rows.eraser.mapJson(value, () => ERASED));
    return {
      values: {
        speaker_name: row.speaker_name === null ? null : this.#rows.eraser.name(row.speaker_name),
        // The view of the speaker names the speaker.
        prompt: this.#isSaid(row) && row.prompt !== null ? '' : row.prompt,
        response: response === '' ? row.response : erased,
        error: this.#cleanedJson(row.error, (text) => (/\s/u.test(text) ? ERASED : text)),
        exact: null,
      },
      place: this.#isSaid(row) ? 'turns' : 'summaries',
    };
  }

  #cleanedJson(
    json: string | null,
    change = (text: string): string => this.#rows.eraser.clean(text),
  ): string | null {
    if (json === null) return null;
    const value = parsed(json);
    const changed = JSON.stringify(this.#rows.eraser.mapJson(value, change));
    return changed === JSON.stringify(value) ? json : changed;
  }

  async #eraseMeta(): Promise<void> {
    const { eraser } = this.#rows;
    await this.#rows.eachRow(META, (row) => {
      const values: Record<string, SqlValue> = {};
      for (const name of META_NAMES) {
        const value = row[name];
        if (typeof value === 'string') values[name] = eraser.name(value);
      }
      for (const name of META_TEXTS) {
        const value = row[name];
        if (typeof value === 'string') {
          values[name] = eraser.isTakenFrom(value) ? ERASED : eraser.clean(value);
        }
      }
      return { values, place: 'conversations' };
    });
  }

  async #eraseParticipants(): Promise<void> {
    const { eraser } = this.#rows;
    await this.#rows.eachRow(PARTICIPANTS, ({ name, persona }) => {
      const values = eraser.isSpeaker(name)
        ? { name: ERASED, persona: persona === null ? null : ERASED }
        : { persona: persona === null ? null : eraser.clean(persona) };
      return { values, place: 'participants' };
    });
  }
}

/** Returns the texts of a turn as they were, also those that no column holds. */
function textsOf({ id, prompt, response, exact }: TurnRow): {
  readonly prompt: string;
  readonly response: string;
} {
  const whole = exactTexts(id, exact);
  return { prompt: whole['prompt'] ?? prompt ?? '', response: whole['response'] ?? response ?? '' };
}

/** Without those of a damaged row, whose column is replaced by what is written. */
function exactTexts(id: number, exact: string | null): Readonly<Record<string, string>> {
  try {
    return exact === null ? {} : exactOf(new StoredRow('conversation_log', id), exact);
  } catch (error) {
    if (!damageOf(error)) throw error;
    return {};
  }
}

/** JSON as a value, anything else as the text that it is. */
function parsed(text: string): JsonValue {
  if (!/^\s*[{[]/u.test(text)) return text;
  try {
    const value: JsonValue = JSON.parse(text);
    return value;
  } catch {
    return text;
  }
}

/**
 * Erases what a speaker said in all talks of a log: each text is replaced by `[erased]`, and so are the name, copies in
 * the prompts and answers of others, and summaries that were made after it. Turns keep their places. No byte of it
 * remains in the log. An erasure that was interrupted is finished by calling it again.
 *
 * @param where - The SQLite file, or the storage that holds the log, which stays open. No talk of the speaker may be
 * led meanwhile.
 * @throws TalkError with the code `log-unreadable` if there is no log, `conflict` if a talk is led, `log-unwritable`.
 *
 * @example
 * ```ts
 * const { erased, remains } = await eraseSpeaker('logs/conversation.db', { speaker: 'Alice' });
 * ```
 */
export async function eraseSpeaker(
  where: string | Storage,
  options: EraseOptions,
): Promise<ErasureReport> {
  checkCall('eraseSpeaker', options);
  if (typeof where !== 'string') {
    return eraseIn(where.database, 'the storage', options, async () => undefined);
  }
  if (!existsSync(where)) {
    const message = `there is no log ${where}: name the file of a log`;
    throw new TalkError('log-unreadable', message, { context: { place: where } });
  }
  const { lockFolder, sqliteDatabase } = await import('@vizprompt/providers/node');
  const database = sqliteDatabase({ path: where });
  const locks = lockFolder(`${where}-locks`);
  const leads: AsyncDisposable[] = [];
  try {
    return await eraseIn(database, where, options, async (talks) => {
      for (const talk of talks) leads.push(await takeLead(locks, talk, where));
    });
  } finally {
    for (const lead of leads) await lead[Symbol.asyncDispose]();
    await locks.close();
    await database.close();
  }
}

async function eraseIn(
  database: Database,
  place: string,
  options: EraseOptions,
  lead: (talks: ReadonlySet<string>) => Promise<void>,
): Promise<ErasureReport> {
  const { dryRun = false } = options;
  // An older log gets the columns that are erased.
  await TalkLog.open(database, place);
  try {
    const eraser = new LogEraser(database, options);
    const talks = await eraser.find();
    if (!dryRun) await lead(talks);
    await eraser.erase();
    if (!dryRun) await purge(database, place);
    return eraser.report();
  } catch (cause) {
    if (!StorageError.isInstance(cause)) throw cause;
    const message = `the log of talks in ${place} cannot be erased: ${messageOf(cause)}`;
    throw new TalkError('log-unwritable', message, { cause, context: { place } });
  }
}

async function purge(database: Database, place: string): Promise<void> {
  if (database.purge) return database.purge();
  throw new StorageError(
    'unsupported',
    `cannot purge the database of ${place}: no method 'purge'. The rows are erased, but their bytes may remain`,
  );
}
