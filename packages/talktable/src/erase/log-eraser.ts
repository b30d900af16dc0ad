import {
  type Database,
  type EraseOptions,
  type JsonValue,
  type Row,
  type SqlValue,
  type Statement,
} from '@vizprompt/providers';
import {
  damageOf,
  ERASED,
  Eraser,
  ErasureCounts,
  mapStrings,
  StoredRow,
} from '@vizprompt/providers/internal';
import { exactOf, storedTexts } from '../log/log-rows.ts';

/** Rows that are read and written at once. */
const PAGE = 200;
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

const TURN_COLUMNS =
  'id, conversation_id, turn_number, speaker_name, prompt, response, is_moderator, kind, error, visible_to, exact';
const META_NAMES = ['participant_a_name', 'participant_b_name', 'moderator_name'] as const;
const META_TEXTS = ['topic', 'error', 'stop_reason'] as const;

/** Erases one speaker from the tables of a log: copies first, then what was derived, then the originals. */
export class LogEraser {
  readonly counts: ErasureCounts = new ErasureCounts();
  readonly #database: Database;
  readonly #options: EraseOptions;
  readonly #eraser: Eraser;
  /** The number of the speaker's first turn in each talk. */
  readonly #first = new Map<string, number>();
  readonly #talks = new Set<string>();
  #mentions = 0;

  constructor(database: Database, options: EraseOptions) {
    this.#database = database;
    this.#options = options;
    this.#eraser = new Eraser(options.speaker, options);
  }

  /** How many turns of others mention the name, as far as they were looked at. */
  get mentions(): number {
    return this.#mentions;
  }

  /** Finds the talks that the speaker took part in. */
  async find(): Promise<ReadonlySet<string>> {
    await this.#eachTurn((row) => {
      if (!this.#eraser.isSpeaker(row.speaker_name)) return undefined;
      this.#talks.add(row.conversation_id);
      const first = this.#first.get(row.conversation_id) ?? row.turn_number;
      this.#first.set(row.conversation_id, Math.min(first, row.turn_number));
      return undefined;
    });
    for (const row of await this.#metaRows()) {
      if (META_NAMES.some((name) => this.#eraser.isSpeaker(row[name])))
        this.#talks.add(String(row['conversation_id']));
    }
    for (const row of await this.#participants()) {
      if (this.#eraser.isSpeaker(row['name'])) this.#talks.add(String(row['conversation_id']));
    }
    return this.#talks;
  }

  /** Erases; with `dryRun` it only counts. */
  async erase(): Promise<void> {
    await this.#learn();
    await this.#eachTurn((row) => this.#cleaned(row));
    await this.#eraseMeta();
    await this.#eachTurn((row) => (this.#isDerived(row) ? this.#withoutTexts(row) : undefined));
    await this.#eachTurn((row) => (this.#isSaid(row) ? this.#withoutTexts(row) : undefined));
    await this.#eraseParticipants();
  }

  async #learn(): Promise<void> {
    await this.#eachTurn((row) => {
      if (this.#isSaid(row)) this.#eraser.learn(textsOf(row).response);
      else if (this.#isDerived(row)) this.#eraser.learnJson(parsed(textsOf(row).response));
      return undefined;
    });
    for (const row of await this.#participants()) {
      if (this.#eraser.isSpeaker(row['name'])) this.#eraser.learn(String(row['persona'] ?? ''));
    }
  }

  #isSaid({ speaker_name: name }: TurnRow): boolean {
    return this.#eraser.isSpeaker(name);
  }

  /** Rows of the older tool have no kind: the moderator's, but for the first, are summaries. */
  #isDerived(row: TurnRow): boolean {
    const first = this.#first.get(row.conversation_id);
    if (first === undefined || row.turn_number <= first || this.#isSaid(row)) return false;
    return row.kind === null ? Boolean(row.is_moderator) : DERIVED.has(row.kind);
  }

  /** Removes copies of what the speaker said from a turn of another speaker. */
  #cleaned(row: TurnRow): Statement | undefined {
    const isOriginal = this.#isSaid(row) || this.#isDerived(row);
    const { prompt, response } = textsOf(row);
    const clean = (text: string): string => this.#eraser.clean(text);
    const isJson = row.kind === 'choice' || row.kind === 'verdict';
    const said = isJson ? this.#named(response) : clean(response);
    const texts = storedTexts(clean(prompt), isOriginal ? response : said);
    const changed = {
      ...texts,
      prompt: row.prompt === null ? null : texts.prompt,
      response: row.response === null ? null : texts.response,
      error: isOriginal ? row.error : this.#cleanedJson(row.error),
      visible_to: this.#cleanedJson(row.visible_to, (name) => this.#eraser.name(name)),
    };
    if (!isOriginal && this.#eraser.isMentioned(`${said}\n${changed.prompt ?? ''}`))
      this.#mentions++;
    return this.#update(row, changed, isOriginal ? undefined : 'quotes');
  }

  /** Returns a decision of the moderator, in which names are values. */
  #named(response: string): string {
    const value = parsed(response);
    if (typeof value === 'string') return this.#eraser.clean(response);
    const named = mapStrings(value, (text) => this.#eraser.name(this.#eraser.clean(text)));
    return JSON.stringify(named) === JSON.stringify(value) ? response : JSON.stringify(named);
  }

  #withoutTexts(row: TurnRow): Statement | undefined {
    const { response } = textsOf(row);
    const value = parsed(response);
    const erased =
      typeof value === 'string' ? ERASED : JSON.stringify(mapStrings(value, () => ERASED));
    return this.#update(
      row,
      {
        speaker_name: row.speaker_name === null ? null : this.#eraser.name(row.speaker_name),
        // The view of the speaker names the speaker.
        prompt: this.#isSaid(row) && row.prompt !== null ? '' : row.prompt,
        response: response === '' ? row.response : erased,
        error: this.#cleanedJson(row.error, (text) => (/\s/u.test(text) ? ERASED : text)),
        exact: null,
      },
      this.#isSaid(row) ? 'turns' : 'summaries',
    );
  }

  #cleanedJson(
    json: string | null,
    change = (text: string): string => this.#eraser.clean(text),
  ): string | null {
    if (json === null) return null;
    const value = parsed(json);
    const changed = JSON.stringify(mapStrings(value, change));
    return changed === JSON.stringify(value) ? json : changed;
  }

  #update(
    row: TurnRow,
    changed: Readonly<Record<string, SqlValue>>,
    place: string | undefined,
  ): Statement | undefined {
    const statement = updateOf('conversation_log', row, changed, ['id']);
    if (statement && place !== undefined) this.counts.add(place);
    return statement;
  }

  async #eraseMeta(): Promise<void> {
    for (const row of await this.#metaRows()) {
      const changed: Record<string, SqlValue> = {};
      for (const name of META_NAMES) {
        const value = row[name];
        if (typeof value === 'string') changed[name] = this.#eraser.name(value);
      }
      for (const name of META_TEXTS) {
        const value = row[name];
        if (typeof value === 'string') {
          changed[name] = this.#eraser.isTakenFrom(value) ? ERASED : this.#eraser.clean(value);
        }
      }
      const statement = updateOf('conversation_meta', row, changed, ['conversation_id']);
      if (!statement) continue;
      this.counts.add('conversations');
      await this.#write([statement]);
    }
  }

  async #eraseParticipants(): Promise<void> {
    for (const row of await this.#participants()) {
      const isSpeaker = this.#eraser.isSpeaker(row['name']);
      const persona = row['persona'] ?? null;
      const cleaned = typeof persona === 'string' ? this.#eraser.clean(persona) : persona;
      const changed = isSpeaker
        ? { name: ERASED, persona: persona === null ? null : ERASED }
        : { persona: cleaned };
      const keys = ['conversation_id', 'position'];
      const statement = updateOf('conversation_participant', row, changed, keys);
      if (!statement) continue;
      this.counts.add('participants');
      await this.#write([statement]);
    }
  }

  async #eachTurn(work: (row: TurnRow) => Statement | undefined): Promise<void> {
    for (let after = -1; ;) {
      this.#options.signal?.throwIfAborted();
      const rows = await this.#database.query<TurnRow>(
        `SELECT ${TURN_COLUMNS} FROM conversation_log WHERE id > ? ORDER BY id LIMIT ${PAGE}`,
        [after],
      );
      await this.#write(rows.flatMap((row) => work(row) ?? []));
      const last = rows.at(-1);
      if (!last) return;
      after = last.id;
    }
  }

  #metaRows(): Promise<Row[]> {
    return this.#database.query('SELECT * FROM conversation_meta');
  }

  #participants(): Promise<Row[]> {
    return this.#database.query('SELECT * FROM conversation_participant');
  }

  async #write(statements: readonly Statement[]): Promise<void> {
    if (this.#options.dryRun || statements.length === 0) return;
    await this.#database.batch(statements);
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

function updateOf(
  table: string,
  row: Row,
  changed: Readonly<Record<string, SqlValue>>,
  keys: readonly string[],
): Statement | undefined {
  const names = Object.keys(changed).filter((name) => changed[name] !== (row[name] ?? null));
  if (names.length === 0) return undefined;
  return {
    sql: `UPDATE ${table} SET ${names.map((name) => `${name} = ?`).join(', ')}
      WHERE ${keys.map((key) => `${key} = ?`).join(' AND ')}`,
    params: [...names, ...keys].map((name) =>
      names.includes(name) ? (changed[name] ?? null) : (row[name] ?? null),
    ),
  };
}
