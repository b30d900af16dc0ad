import type { EraseOptions, ErasureReport, JsonObject, JsonValue } from '@vizprompt/providers';
import { ERASE_OPTIONS } from '@vizprompt/providers/config/internal';
import {
  ERASED,
  Eraser,
  ErasureCounts,
  erasureReport,
  isJsonObject,
  objectOf,
  parseJson,
  textAt,
} from '@vizprompt/providers/internal';
import { checkOptions } from '../check-values.ts';
import { indexRow, rowsAfter, type IndexedRow } from '../indexing/rebuild-index.ts';
import type { MemoryEvent } from '../model/memory-event.ts';
import {
  blobPages,
  HASH_COLUMNS,
  holdsLines,
  readableText,
  replaceBlob,
  sweepBlobs,
  type BlobRow,
} from '../store/blobs.ts';
import {
  dataParams,
  plainData,
  readableJson,
  readEventRows,
  SET_DATA,
  storedData,
} from '../store/event-rows.ts';
import type { MemoryContext } from '../store/memory-context.ts';
import { withoutTitles } from './clean-copies.ts';
import { forgetRows, purge, textsOfEvent } from './forget.ts';
import { cleanHookFiles } from './hook-files.ts';

const BLOBS_AT_ONCE = 50;

/**
 * Erases what a speaker said. Copies in other events and in the contents of files are replaced first, then the events
 * of the speaker become empty markers, as `forget` leaves them; then the files are rewritten.
 */
export async function eraseSpeaker(
  context: MemoryContext,
  options: EraseOptions,
): Promise<ErasureReport> {
  checkOptions('eraseSpeaker', options, ERASE_OPTIONS);
  const { dryRun = false } = options;
  const report = await new Erasure(context, options).run();
  if (!dryRun) await purge(context);
  return report;
}

class Erasure {
  readonly #eraser: Eraser;
  readonly #context: MemoryContext;
  readonly #options: EraseOptions;
  readonly #counts = new ErasureCounts();
  readonly #damaged = new Set<number | string>();
  /** The paths of files as they were, and as they are stored. */
  readonly #paths = new Map<string, string>();
  /** How many files have a path that is alike without what was said. */
  readonly #alike = new Map<string, number>();
  #mentions = 0;

  constructor(context: MemoryContext, options: EraseOptions) {
    this.#context = context;
    this.#options = options;
    this.#eraser = new Eraser(options.speaker, options);
  }

  async run(): Promise<ErasureReport> {
    const { dryRun = false } = this.#options;
    const { database, file } = this.#context;
    const said: IndexedRow[] = [];
    await this.#eachEvent(async (row, event, isSaid) => {
      if (!isSaid) return;
      said.push(row);
      for (const text of textsOfEvent(event)) this.#eraser.learn(text);
    });
    await this.#eachEvent(async (row, event, isSaid) => {
      if (!isSaid) await this.#cleanEvent(row, event);
    });
    await this.#cleanContents();
    this.#counts.add('hook files', await cleanHookFiles(file, () => this.#eraser, { dryRun }));
    this.#counts.add('events', said.length);
    const spoken = new Set(said.map(({ session_key: key }) => key));
    const cleaned = await this.#cleanSessions(spoken, 'keep names');
    if (!dryRun) await forgetRows(this.#context, said);
    // By the name of its user a session's messages are found, so that it goes last.
    for (const key of await this.#cleanSessions(spoken, 'erase names')) cleaned.add(key);
    this.#counts.add('sessions', cleaned.size);
    const servers = this.#context.vectors ? (['vector-server'] as const) : [];
    return erasureReport(this.#options, this.#counts, {
      mentions: this.#mentions,
      damaged: this.#damaged.size,
      dialect: database.dialect,
      others: [...servers, 'transcripts', 'backups'],
    });
  }

  async #eachEvent(
    work: (row: IndexedRow, event: MemoryEvent, isSaid: boolean) => Promise<void>,
  ): Promise<void> {
    const { database, tenant } = this.#context;
    const sessions = new Map<number, JsonObject>();
    for (const { key, metadata } of await this.#sessionRows())
      sessions.set(key, objectOf(parseJson(metadata)));
    for (let last = 0; ;) {
      this.#options.signal?.throwIfAborted();
      const rows = await rowsAfter(this.#context, last);
      const newest = rows.at(-1);
      if (!newest) return;
      last = newest.key;
      const own = rows.filter((row) => row.tenant === tenant && row.type !== 'forgotten');
      const { events } = await readEventRows(database, tenant, own, 'omit');
      for (const [at, row] of own.entries()) {
        const event = events[at];
        if (!event) {
          this.#damaged.add(row.key);
          continue;
        }
        await work(row, event, isSaidBy(event, sessions.get(row.session_key) ?? {}, this.#eraser));
      }
    }
  }

  /** Removes copies of what the speaker said from an event of another speaker. */
  async #cleanEvent(row: IndexedRow, event: MemoryEvent): Promise<void> {
    const before = readableJson(row) ?? row.data_text;
    const path = row.file_path === null ? null : await this.#cleanPath(row.file_path);
    // An earlier version replaced the path in the data only.
    const place = textAt(objectOf(parseJson(before)), 'file_path') ?? '';
    const isOther = place.includes(ERASED) && path?.includes(ERASED) === false;
    const data = this.#cleaned(before, path === null || isOther ? {} : { file_path: path });
    const meta = row.meta === null ? null : await this.#cleanMeta(row.meta);
    if (this.#eraser.isMentioned(`${data}${JSON.stringify(event.meta ?? {})}`)) this.#mentions++;
    if (data === before && meta === row.meta && path === row.file_path) return;
    this.#counts.add('quotes');
    if (this.#options.dryRun) return;
    const { database, index, vectors } = this.#context;
    const text = await indexRow(
      this.#context,
      { ...row, ...plainData(data), meta, file_path: path },
      new Set(),
    );
    await database.batch([
      {
        sql: `UPDATE memory_events SET ${SET_DATA}, meta = ?, file_path = ? WHERE key = ?`,
        params: [...dataParams(await storedData(data)), meta, path, row.key],
      },
      ...index.put(text),
    ]);
    await vectors?.remove([{ key: row.key, id: row.id }]);
  }

  async #cleanMeta(json: string): Promise<string> {
    const from = textAt(objectOf(parseJson(json)), 'moved_from');
    return this.#cleaned(
      json,
      from === undefined ? {} : { moved_from: await this.#cleanPath(from) },
    );
  }

  /**
   * Returns the path of a file without what the speaker said. Two files stay two: where another has such a path, it gets
   * a number. All events of a file get it at once, so that a kill does not make two files of it.
   */
  async #cleanPath(path: string): Promise<string> {
    const known = this.#paths.get(path);
    if (known !== undefined) return known;
    const { database, tenant } = this.#context;
    const cleaned = this.#eraser.path(path);
    const free = cleaned === path ? path : await this.#freePath(cleaned);
    this.#paths.set(path, free);
    if (free !== path && !this.#options.dryRun) {
      await database.execute(
        'UPDATE memory_events SET file_path = ? WHERE tenant = ? AND file_path = ?',
        [free, tenant, path],
      );
    }
    return free;
  }

  async #freePath(cleaned: string): Promise<string> {
    const at = cleaned.lastIndexOf(ERASED) + ERASED.length;
    for (let count = (this.#alike.get(cleaned) ?? 0) + 1; ; count++) {
      const number = count === 1 ? '' : ` ${count}`;
      const free = `${cleaned.slice(0, at)}${number}${cleaned.slice(at)}`;
      if (await this.#isPath(free)) continue;
      this.#alike.set(cleaned, count);
      return free;
    }
  }

  async #isPath(path: string): Promise<boolean> {
    const { database, tenant } = this.#context;
    const rows = await database.query(
      'SELECT 1 AS found FROM memory_events WHERE tenant = ? AND file_path = ? LIMIT 1',
      [tenant, path],
    );
    return rows.length > 0;
  }

  /** Contents of files are stored under their hash: one that is cleaned gets another, and so do its events. */
  async #cleanContents(): Promise<void> {
    for await (const rows of blobPages(this.#context, BLOBS_AT_ONCE)) {
      this.#options.signal?.throwIfAborted();
      for (const row of rows) await this.#cleanContent(row);
    }
  }

  async #cleanContent(row: BlobRow): Promise<void> {
    const text = readableText(row);
    if (text === undefined) this.#damaged.add(row.hash);
    if (text === undefined) return;
    const { database, tenant, index } = this.#context;
    const isLines = await holdsLines(database, row.hash);
    const cleaned = isLines ? this.#cleanedLines(text) : this.#eraser.clean(text);
    if (cleaned === text) return;
    this.#counts.add('contents');
    if (this.#options.dryRun) return;
    const users = await rowsAfter(this.#context, 0, {
      sql: HASH_COLUMNS.map((column) => `e.${column} = ?`).join(' OR '),
      params: HASH_COLUMNS.map(() => row.hash),
    });
    const { hash, put, moves } = await replaceBlob(this.#context, row.hash, cleaned);
    // Indexed before the events have it: after a kill the old content is found, and all of this done again.
    await database.batch([put]);
    for (const user of users.filter((one) => one.tenant === tenant)) {
      const [changed] = await rowsAfter(this.#context, user.key - 1, {
        sql: 'e.key = ?',
        params: [user.key],
      });
      if (!changed) continue;
      const moved = HASH_COLUMNS.filter((column) => changed[column] === row.hash);
      const hashes = Object.fromEntries(moved.map((column) => [column, hash]));
      const indexed = await indexRow(this.#context, { ...changed, ...hashes }, new Set());
      await database.batch(index.put(indexed));
    }
    await database.batch([put, ...moves]);
    await sweepBlobs(this.#context, [row.hash]);
  }

  /** Drops the lines that hold something of it in another form, as nothing can be replaced in these. */
  #cleanedLines(json: string): string {
    const lines: JsonValue = JSON.parse(json);
    if (!Array.isArray(lines)) return this.#cleaned(json);
    const list = lines as readonly JsonValue[];
    const cleaned = list
      .map((line) => this.#eraser.cleanJson(line))
      .filter((line) => !this.#eraser.isHeldIn(line));
    return JSON.stringify(cleaned) === JSON.stringify(list) ? json : JSON.stringify(cleaned);
  }

  /**
   * @param spoken - The keys of the sessions in which the speaker said something: models make titles of that.
   * @returns The keys of the sessions that change.
   */
  async #cleanSessions(
    spoken: ReadonlySet<number>,
    names: 'keep names' | 'erase names',
  ): Promise<Set<number>> {
    const { database, tenant, sessions } = this.#context;
    const changed = new Set<number>();
    const erase = (text: string): string => {
      if (this.#eraser.isSpeaker(text)) return names === 'keep names' ? text : ERASED;
      return this.#eraser.isTakenFrom(text) ? ERASED : this.#eraser.clean(text);
    };
    for (const { key, id, metadata } of await this.#sessionRows()) {
      const value = objectOf(parseJson(metadata));
      const isOwn = isSessionOf(value, this.#eraser);
      const untitled = withoutTitles(value, this.#eraser, spoken.has(key));
      const named = this.#eraser.mapJson(untitled, erase);
      const cleaned = JSON.stringify(named);
      if (cleaned === JSON.stringify(value) && !isOwn) continue;
      changed.add(key);
      if (this.#options.dryRun) continue;
      sessions.delete(id);
      const params = [cleaned, tenant, id];
      await database.execute(
        'UPDATE memory_sessions SET metadata = ? WHERE tenant = ? AND id = ?',
        params,
      );
    }
    return changed;
  }

  #sessionRows(): Promise<
    { readonly key: number; readonly id: string; readonly metadata: string }[]
  > {
    const { database, tenant } = this.#context;
    return database.query('SELECT key, id, metadata FROM memory_sessions WHERE tenant = ?', [
      tenant,
    ]);
  }

  /** @param places - Members that are paths, and are cleaned already. */
  #cleaned(json: string, places: JsonObject = {}): string {
    const value: JsonValue = JSON.parse(json);
    const inside = this.#eraser.cleanJson(value);
    const all = isJsonObject(inside) ? { ...inside, ...places } : inside;
    const cleaned = JSON.stringify(all);
    return cleaned === JSON.stringify(value) ? json : cleaned;
  }
}

/** Fields of the facts about an event, and about a session, that name a person or an agent. */
const EVENT_NAMES = ['speaker', 'user'] as const;
const SESSION_NAMES = ['user', 'speaker'] as const;

/**
 * Checks whether a speaker said an event. This is the one place that knows which fields name a person: recorders name
 * the speaker of a turn, and a session whose metadata name a user has that user's messages.
 */
function isSaidBy({ type, meta }: MemoryEvent, session: JsonObject, eraser: Eraser): boolean {
  if (EVENT_NAMES.some((name) => eraser.isSpeaker(meta?.[name]))) return true;
  return type === 'user_message' && isSessionOf(session, eraser);
}

/** Checks whether a session is a speaker's. */
function isSessionOf(metadata: JsonObject, eraser: Eraser): boolean {
  return SESSION_NAMES.some((name) => eraser.isSpeaker(metadata[name]));
}
