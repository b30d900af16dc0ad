import type { JsonObject } from '@vizprompt/providers';
import { objectOf, parseJson, plainTables } from '@vizprompt/providers/internal';
import { sqliteDatabase, type ClosableDatabase } from '@vizprompt/providers/node';

/** A session in the database of opencode. */
export interface OpencodeSession {
  readonly id: string;
  /** Size of its messages and their parts as JSON. */
  readonly bytes: number;
  readonly modifiedMs: number;
}

/** A session, or a message of it, in the form of `opencode export`. */
export interface OpencodeLine {
  readonly value: JsonObject;
  readonly bytes: number;
  /** When it changed last: milliseconds since 1970. */
  readonly modifiedMs: number;
}

/** Checks whether a file name is that of a database of opencode; each release channel has its own. */
export function isOpencodeName(name: string): boolean {
  return /^opencode(?:-[\w.-]+)?\.db$/i.test(name);
}

/** Reads the sessions of opencode, which stores them in SQLite: while it runs, too, as nothing is locked or written. */
export class OpencodeDatabase {
  readonly #database: ClosableDatabase;
  #checked: Promise<void> | undefined;

  constructor(path: string) {
    this.#database = sqliteDatabase({ path, readOnly: true });
  }

  async close(): Promise<void> {
    await this.#database.close();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  async #query<Row extends object>(
    sql: string,
    values: readonly string[] = [],
  ): Promise<readonly Row[]> {
    this.#checked ??= this.#check();
    await this.#checked;
    return this.#database.query<Row>(sql, values);
  }

  /** Checks that nothing but tables is read. */
  async #check(): Promise<void> {
    const tables = await plainTables(this.#database);
    const names = new Set(tables.map((name) => name.toLowerCase()));
    if (['session', 'message', 'part'].every((name) => names.has(name))) return;
    throw new Error("it has no tables 'session', 'message' and 'part'");
  }

  /** Returns all sessions, those that began first first, so that a fork comes after the session that it repeats. */
  async sessions(): Promise<readonly OpencodeSession[]> {
    return this.#query<OpencodeSession>(
      `SELECT s.id, s.time_updated AS "modifiedMs",
         (SELECT COALESCE(SUM(OCTET_LENGTH(m.data)), 0) FROM message AS m WHERE m.session_id = s.id) +
         (SELECT COALESCE(SUM(OCTET_LENGTH(p.data)), 0) FROM part AS p WHERE p.session_id = s.id) AS bytes
       FROM session AS s ORDER BY s.time_created, s.id`,
    );
  }

  /** Returns the session that a fork has its first messages from: they are older than the fork itself. */
  async originOf(id: string): Promise<string | undefined> {
    const [origin] = await this.#query<{ id: string }>(
      `SELECT o.id FROM session AS s JOIN message AS m ON m.session_id = s.id
         JOIN message AS c ON c.time_created = m.time_created AND c.session_id <> s.id
         JOIN session AS o ON o.id = c.session_id AND o.time_created <= m.time_created
       WHERE s.id = ? AND m.time_created < s.time_created ORDER BY o.time_created LIMIT 1`,
      [id],
    );
    return origin?.id;
  }

  /**
   * Reads a session and its messages, in their order.
   *
   * @param options.since - Only messages that changed then or later: milliseconds since 1970.
   * @param options.isClosed - True if the session does not continue, so unfinished entries stay unfinished.
   */
  async *lines(
    id: string,
    { since = 0, isClosed = false }: { readonly since?: number; readonly isClosed?: boolean } = {},
  ): AsyncGenerator<OpencodeLine> {
    const [session] = await this.#query<SessionRow>(
      `SELECT id, parent_id, directory, title, version, time_created, time_updated FROM session WHERE id = ?`,
      [id],
    );
    if (!session) return;
    const { time_created: created, time_updated: updated } = session;
    const info = {
      id,
      directory: session.directory,
      title: session.title,
      version: session.version,
      time: { created, updated },
      ...(session.parent_id === null ? {} : { parentID: session.parent_id }),
    };
    yield { value: { info }, bytes: 0, modifiedMs: updated };
    const messages = await this.#query<{ id: string }>(
      `SELECT id FROM message WHERE session_id = ? ORDER BY time_created, id`,
      [id],
    );
    const last = messages.at(-1)?.id;
    for (const { id: message } of messages) {
      const line = await this.#message(id, message, since);
      if (line === undefined) continue;
      const isOver = isClosed || message !== last;
      yield isOver ? { ...line, value: { ...line.value, isOver } } : line;
    }
  }

  async #message(session: string, id: string, since: number): Promise<OpencodeLine | undefined> {
    const rows = await this.#query<DataRow>(
      `SELECT id, data, time_updated, 0 AS is_part FROM message WHERE id = ?
       UNION ALL SELECT id, data, time_updated, 1 AS is_part FROM part WHERE message_id = ?
       ORDER BY is_part, id`,
      [id, id],
    );
    const modifiedMs = Math.max(...rows.map(({ time_updated: time }) => time));
    const [head, ...parts] = rows;
    if (!head || modifiedMs < since) return undefined;
    const value = {
      info: { ...objectOf(parseJson(head.data)), id, sessionID: session },
      parts: parts.map(({ id: part, data }) => ({
        ...objectOf(parseJson(data)),
        id: part,
        sessionID: session,
        messageID: id,
      })),
    };
    return {
      value,
      bytes: rows.reduce((sum, { data }) => sum + Buffer.byteLength(data), 0),
      modifiedMs,
    };
  }
}

interface SessionRow {
  readonly id: string;
  readonly parent_id: string | null;
  readonly directory: string;
  readonly title: string;
  readonly version: string;
  readonly time_created: number;
  readonly time_updated: number;
}

interface DataRow {
  readonly id: string;
  readonly data: string;
  readonly time_updated: number;
}
