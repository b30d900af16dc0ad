import { FLAG, type Kinds, optional, SIGNAL } from '@vizprompt/providers/config/internal';
import { redactionRulesVersion, type Statement } from '@vizprompt/providers';
import { parseJson } from '@vizprompt/providers/internal';
import { checkOptions } from '../check-values.ts';
import { lockIndex, rebuildIndex } from '../indexing/rebuild-index.ts';
import { redactionOptions, Redactor, storedPath } from '../redact/redactor.ts';
import {
  blobPages,
  HASH_COLUMNS,
  holdsLines,
  readableText,
  replaceBlob,
  sweepBlobs,
  type BlobRow,
} from '../store/blobs.ts';
import type { MemoryContext } from '../store/memory-context.ts';
import {
  DATA_COLUMNS,
  dataParams,
  readableJson,
  SET_DATA,
  storedData,
  type StoredData,
} from '../store/event-rows.ts';
import { markStale } from '../vectors/vector-book.ts';
import { purge } from './forget.ts';

/** Options of `redact`. */
export interface RedactStoredOptions {
  /** Counts what would be removed, and changes nothing. Default: no. */
  readonly dryRun?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
}

const REDACT_STORED_OPTIONS: Kinds<RedactStoredOptions> = {
  dryRun: optional(FLAG),
  signal: optional(SIGNAL),
};

/** Counts of what was removed from a memory. */
export interface RedactReport {
  /** The secrets, by the name of the rule that found them. A content that several events have counts once. */
  readonly rules: Readonly<Record<string, number>>;
  /** All secrets. */
  readonly secrets: number;
  readonly sessions: number;
  /** Events whose data, or whose files' contents or diffs, held a secret. */
  readonly events: number;
  /** Contents of files, and diffs. */
  readonly contents: number;
  /**
   * Contents and packed data of events that are damaged, and were not cleaned. Other data of damaged events are cleaned
   * as texts.
   */
  readonly damaged: number;
  /** By which version of the default rules. */
  readonly rulesVersion: number;
}

const PAGE = 200;
const BLOBS_PAGE = 20;

/**
 * Removes secrets from stored data: events, metadata of sessions, contents of files, diffs and the index of
 * words. Vectors of changed events are removed and made again. Afterwards no byte of a secret remains in the
 * files of the database. Running it again, also after it was cut short, finds the rest.
 */
export async function redactStored(
  context: MemoryContext,
  options: RedactStoredOptions = {},
): Promise<RedactReport> {
  checkOptions('redact', options, REDACT_STORED_OPTIONS);
  const run = new Run(context, options);
  await run.sessions();
  await run.events();
  await run.contents();
  return run.finish();
}

interface DataRow extends StoredData {
  readonly key: number;
  readonly id: string;
  readonly meta: string | null;
  readonly file_path: string | null;
  readonly intention_event_id: string | null;
}

interface SessionRow {
  readonly key: number;
  readonly metadata: string;
  readonly workspace_path: string;
  readonly home_path: string;
}

interface EventPlace {
  readonly key: number;
  readonly id: string;
}

interface Change {
  readonly place: EventPlace;
  readonly statement: Statement;
}

/** One walk over all that is stored. */
class Run {
  readonly #context: MemoryContext;
  readonly #isDry: boolean;
  readonly #signal: AbortSignal | undefined;
  /** A memory that takes nothing out of what it stores is cleaned by the default rules. */
  readonly #redact: Exclude<MemoryContext['redact'], false>;
  readonly #rules = new Map<string, number>();
  readonly #changed = new Map<number, EventPlace>();
  #sessions = 0;
  #contents = 0;
  #damaged = 0;

  constructor(context: MemoryContext, { dryRun = false, signal }: RedactStoredOptions) {
    const own = context.redact === false ? redactionOptions() : context.redact;
    this.#redact = own === false ? {} : own;
    this.#context = context;
    this.#isDry = dryRun;
    this.#signal = signal;
  }

  async sessions(): Promise<void> {
    const { database, tenant } = this.#context;
    const rows = await database.query<SessionRow>(
      'SELECT key, metadata, workspace_path, home_path FROM memory_sessions WHERE tenant = ?',
      [tenant],
    );
    for (const { key, metadata, workspace_path: workspace, home_path: home } of rows) {
      const { clean, count } = this.#cleanJson(metadata, 'metadata');
      const paths = [this.#cleanPath(workspace), this.#cleanPath(home, workspace)];
      if (count === 0 && paths[0] === workspace && paths[1] === home) continue;
      this.#sessions++;
      if (this.#isDry) continue;
      await database.execute(
        `UPDATE memory_sessions SET metadata = ?, workspace_path = ?, home_path = ?
         WHERE key = ? AND metadata = ?`,
        [clean, ...paths, key, metadata],
      );
      // The session log remembers where sessions are.
      this.#context.sessions.clear();
    }
    await this.#workspaces();
  }

  /** Folders that are one workspace: those that become the same path are joined. */
  async #workspaces(): Promise<void> {
    const { database, tenant } = this.#context;
    const rows = await database.query<{ path: string; main_path: string }>(
      'SELECT path, main_path FROM memory_workspaces WHERE tenant = ?',
      [tenant],
    );
    const statements: Statement[] = [];
    for (const { path, main_path: main } of rows) {
      const clean = [this.#cleanPath(path), this.#cleanPath(main, path)];
      if (clean[0] === path && clean[1] === main) continue;
      statements.push(
        {
          sql: 'DELETE FROM memory_workspaces WHERE tenant = ? AND path = ?',
          params: [tenant, path],
        },
        {
          sql: `INSERT INTO memory_workspaces (tenant, path, main_path) VALUES (?, ?, ?)
            ON CONFLICT (tenant, path) DO UPDATE SET main_path = excluded.main_path`,
          params: [tenant, ...clean],
        },
      );
    }
    if (statements.length > 0 && !this.#isDry) await database.batch(statements);
  }

  async events(): Promise<void> {
    const { database, tenant } = this.#context;
    let last = 0;
    let done = 0;
    for (;;) {
      this.#signal?.throwIfAborted();
      const rows = await database.query<DataRow>(
        `SELECT key, id, ${DATA_COLUMNS.join(', ')}, meta, file_path, intention_event_id FROM memory_events
         WHERE key > ? AND COALESCE(tenant, '') = ? ORDER BY key LIMIT ?`,
        [last, tenant, PAGE],
      );
      const changes: Change[] = [];
      for (const row of rows) changes.push(...(await this.#cleanEvent(row)));
      if (!this.#isDry) {
        const statements = changes.map(({ statement }) => statement);
        await this.#write(
          statements,
          changes.map(({ place }) => place),
        );
      }
      last = rows.at(-1)?.key ?? last;
      done += rows.length;
      this.#context.events.emit('task:progress', { task: 'redact', done });
      if (rows.length < PAGE) return;
    }
  }

  async contents(): Promise<void> {
    for await (const rows of blobPages(this.#context, BLOBS_PAGE)) {
      this.#signal?.throwIfAborted();
      for (const row of rows) await this.#cleanBlob(row);
    }
  }

  async finish(): Promise<RedactReport> {
    const { vectors, database, tenant } = this.#context;
    const places = [...this.#changed.values()];
    if (!this.#isDry) {
      await markStale(database, tenant, places);
      await vectors?.remove(places);
      // Also where nothing was found: a run before this one may have been cut short.
      const lock = await lockIndex(this.#context);
      try {
        await rebuildIndex(this.#context);
      } finally {
        await lock.release();
      }
      await purge(this.#context);
    }
    const rules = [...this.#rules].toSorted(([a], [b]) => (a < b ? -1 : 1));
    return {
      rules: Object.fromEntries(rules),
      secrets: rules.reduce((sum, [, count]) => sum + count, 0),
      sessions: this.#sessions,
      events: places.length,
      contents: this.#contents,
      damaged: this.#damaged,
      rulesVersion: redactionRulesVersion,
    };
  }

  async #cleanEvent(row: DataRow): Promise<readonly Change[]> {
    const {
      key,
      id,
      data_text: data,
      packed,
      meta,
      file_path: path,
      intention_event_id: named,
    } = row;
    const json = readableJson(row);
    if (json === undefined) {
      this.#damaged++;
      return [];
    }
    const cleanData = this.#cleanJson(json, 'data');
    const cleanMeta = meta === null ? undefined : this.#cleanJson(meta, 'meta');
    const clean = path === null ? null : storedPath(path, this.#redact);
    const intention = named === null ? null : storedPath(named, this.#redact);
    // Both are in the data, too.
    const count = cleanData.count + (cleanMeta?.count ?? 0);
    if (count === 0 && clean === path && intention === named) return [];
    this.#changed.set(key, { key, id });
    // An event that is forgotten in between stays so.
    const sql = `UPDATE memory_events SET ${SET_DATA}, meta = ?, file_path = ?, intention_event_id = ?,
      redactions = redactions + ? WHERE key = ? AND data_text = ? AND packed IS NOT DISTINCT FROM ?`;
    const params = [
      ...dataParams(await storedData(cleanData.clean)),
      cleanMeta?.clean ?? null,
      clean,
      intention,
      count,
      key,
      data,
      packed,
    ];
    return [{ place: { key, id }, statement: { sql, params } }];
  }

  async #cleanBlob(row: BlobRow): Promise<void> {
    const { database, tenant } = this.#context;
    const text = readableText(row);
    if (text === undefined) {
      this.#damaged++;
      return;
    }
    const isLines = await holdsLines(database, row.hash);
    const { clean, count } = isLines
      ? this.#cleanJson(text, 'lines')
      : this.#cleanText(text, 'a stored content');
    if (count === 0) return;
    this.#contents++;
    const users = await database.query<EventPlace>(
      `SELECT key, id FROM memory_events WHERE tenant = ? AND ? IN (${HASH_COLUMNS.join(', ')})`,
      [tenant, row.hash],
    );
    for (const place of users) this.#changed.set(place.key, place);
    if (this.#isDry) return;
    const { put, moves } = await replaceBlob(this.#context, row.hash, clean, count);
    await this.#write([put, ...moves], users);
    await sweepBlobs(this.#context, [row.hash]);
  }

  /** Writes changes; the index loses the words of the events in the same transaction, until it is rebuilt. */
  async #write(statements: readonly Statement[], places: readonly EventPlace[]): Promise<void> {
    if (statements.length === 0) return;
    const { database, index } = this.#context;
    const words = places.flatMap(({ key }) => index.put({ id: key, fields: {} }));
    await database.batch([...statements, ...words]);
  }

  #cleanJson(json: string, place: string): { readonly clean: string; readonly count: number } {
    const value = parseJson(json);
    if (typeof value !== 'object' || value === null) return this.#cleanText(json, place);
    const cleaner = this.#cleaner();
    const clean = JSON.stringify(cleaner.json(value, place));
    this.#count(cleaner);
    return { clean, count: cleaner.count };
  }

  #cleanText(text: string, place: string): { readonly clean: string; readonly count: number } {
    const cleaner = this.#cleaner();
    const clean = cleaner.text(text, place);
    this.#count(cleaner);
    return { clean, count: cleaner.count };
  }

  /** Returns a path without secrets, which are counted unless it is the same as another. */
  #cleanPath(path: string, other?: string): string {
    const cleaner = this.#cleaner();
    const clean = cleaner.text(path, 'a path');
    if (path !== other) this.#count(cleaner);
    return clean;
  }

  #cleaner(): Redactor {
    return new Redactor(this.#redact);
  }

  #count({ counts }: Redactor): void {
    for (const [rule, count] of counts) this.#rules.set(rule, (this.#rules.get(rule) ?? 0) + count);
  }
}
