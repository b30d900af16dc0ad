import type { JsonObject } from '@vizprompt/providers';
import { objectOf, parseJson, plainTables } from '@vizprompt/providers/internal';
import { sqliteDatabase, type ClosableDatabase } from '@vizprompt/providers/node';
import { messageOfRecord } from '@vizprompt/providers/transcripts/internal';

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
  #forms: Promise<Forms> | undefined;

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
    await this.#form();
    return this.#database.query<Row>(sql, values);
  }

  /** Returns the forms in which it has sessions: nothing but tables is read. */
  async #form(): Promise<Forms> {
    this.#forms ??= this.#check();
    return this.#forms;
  }

  async #check(): Promise<Forms> {
    const tables = await plainTables(this.#database);
    const names = new Set(tables.map((name) => name.toLowerCase()));
    const has = (...wanted: readonly string[]): boolean => wanted.every((name) => names.has(name));
    const forms = {
      first: has('session', 'message', 'part'),
      second: has('session_v2', 'session_message'),
    };
    if (forms.first || forms.second) return forms;
    throw new Error(
      "it has neither the tables 'session', 'message' and 'part' nor 'session_v2' and 'session_message'",
    );
  }

  /**
   * Returns all sessions, those that began first first, so that a fork comes after the session that it repeats. Version 2
   * takes sessions over, which then are in the tables of both forms.
   */
  async sessions(): Promise<readonly OpencodeSession[]> {
    const { first, second } = await this.#form();
    const rows = [
      ...(first
        ? await this.#query<SessionHead>(
            `SELECT s.id, s.time_created AS "createdMs", s.time_updated AS "modifiedMs",
               (SELECT COALESCE(SUM(OCTET_LENGTH(m.data)), 0) FROM message AS m WHERE m.session_id = s.id) +
               (SELECT COALESCE(SUM(OCTET_LENGTH(p.data)), 0) FROM part AS p WHERE p.session_id = s.id) AS bytes
             FROM session AS s`,
          )
        : []),
      ...(second
        ? await this.#query<SessionHead>(
            `SELECT s.id, s.time_created AS "createdMs", s.time_updated AS "modifiedMs",
               (SELECT COALESCE(SUM(OCTET_LENGTH(m.data)), 0) FROM session_message AS m WHERE m.session_id = s.id)
                 AS bytes
             FROM session_v2 AS s`,
          )
        : []),
    ];
    const sessions = new Map<string, SessionHead>();
    for (const row of rows) {
      const { id, bytes, modifiedMs } = row;
      const other = sessions.get(id) ?? { ...row, bytes: 0, modifiedMs: 0 };
      const latest = Math.max(other.modifiedMs, modifiedMs);
      sessions.set(id, { ...other, bytes: other.bytes + bytes, modifiedMs: latest });
    }
    return [...sessions.values()]
      .toSorted((a, b) => a.createdMs - b.createdMs || (a.id < b.id ? -1 : 1))
      .map(({ createdMs: _created, ...session }) => session);
  }

  /** Returns the session that a fork has its first messages from: they are older than the fork itself. */
  async originOf(id: string): Promise<string | undefined> {
    const { first, second } = await this.#form();
    const [fork] = second
      ? await this.#query<{ origin: string | null }>(
          'SELECT fork_session_id AS origin FROM session_v2 WHERE id = ?',
          [id],
        )
      : [];
    if (fork?.origin != null) return fork.origin;
    const [origin] = first
      ? await this.#query<{ id: string }>(
          `SELECT o.id FROM session AS s JOIN message AS m ON m.session_id = s.id
             JOIN message AS c ON c.time_created = m.time_created AND c.session_id <> s.id
             JOIN session AS o ON o.id = c.session_id AND o.time_created <= m.time_created
           WHERE s.id = ? AND m.time_created < s.time_created ORDER BY o.time_created LIMIT 1`,
          [id],
        )
      : [];
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
    const { first, second } = await this.#form();
    const columns = 'id, parent_id, directory, title, version, time_created, time_updated';
    const headIn = async (table: string): Promise<SessionRow | undefined> => {
      const rows = await this.#query<SessionRow>(`SELECT ${columns} FROM ${table} WHERE id = ?`, [
        id,
      ]);
      return rows[0];
    };
    const newer = second ? await headIn('session_v2') : undefined;
    const session = newer ?? (first ? await headIn('session') : undefined);
    if (!session) return;
    const { time_created: created, time_updated: updated } = session;
    const info = {
      id,
      directory: session.directory,
      ...(session.title === null ? {} : { title: session.title }),
      version: session.version,
      time: { created, updated },
      ...(session.parent_id === null ? {} : { parentID: session.parent_id }),
    };
    yield { value: { info }, bytes: 0, modifiedMs: updated };
    const messages = first
      ? await this.#query<{ id: string; time_created: number }>(
          `SELECT id, time_created FROM message WHERE session_id = ? ORDER BY time_created, id`,
          [id],
        )
      : [];
    const before = messages.at(-1)?.time_created ?? 0;
    const records = newer ? await this.#records(id, before) : [];
    const last = records.at(-1)?.id ?? messages.at(-1)?.id;
    for (const [at, { id: message }] of [...messages, ...records].entries()) {
      const line =
        at < messages.length
          ? await this.#message(id, message, since)
          : await this.#record(id, message, since);
      if (line === undefined) continue;
      const isOver = isClosed || message !== last;
      yield isOver ? { ...line, value: { ...line.value, isOver } } : line;
    }
  }

  /** Returns the records of a session that version 2 has begun, or continued after the last message of version 1. */
  async #records(session: string, since: number): Promise<readonly { id: string }[]> {
    const rows = await this.#query<{ id: string; time_created: number }>(
      'SELECT id, time_created FROM session_message WHERE session_id = ? ORDER BY seq',
      [session],
    );
    return rows.filter(({ time_created: created }) => created > since);
  }

  async #record(session: string, id: string, since: number): Promise<OpencodeLine | undefined> {
    const [row] = await this.#query<DataRow & { type: string }>(
      'SELECT id, type, data, time_updated FROM session_message WHERE id = ?',
      [id],
    );
    if (!row || row.time_updated < since) return undefined;
    const { type, data, time_updated: modifiedMs } = row;
    const value = messageOfRecord({ ...objectOf(parseJson(data)), id, type }, session);
    return value && { value, bytes: Buffer.byteLength(data), modifiedMs };
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

/** Which tables are there: those before version 2, and its own. */
interface Forms {
  readonly first: boolean;
  readonly second: boolean;
}

interface SessionHead extends OpencodeSession {
  readonly createdMs: number;
}

interface SessionRow {
  readonly id: string;
  readonly parent_id: string | null;
  readonly directory: string;
  readonly title: string | null;
  readonly version: string;
  readonly time_created: number;
  readonly time_updated: number;
}

interface DataRow {
  readonly id: string;
  readonly data: string;
  readonly time_updated: number;
}
