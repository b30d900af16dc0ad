import Sqlite from 'better-sqlite3';

/** The tables that opencode 1.18 has, as far as they are read. */
const TABLES = `
  CREATE TABLE session (id TEXT PRIMARY KEY, project_id TEXT NOT NULL, parent_id TEXT, slug TEXT NOT NULL,
    directory TEXT NOT NULL, title TEXT NOT NULL, version TEXT NOT NULL, time_created INTEGER NOT NULL,
    time_updated INTEGER NOT NULL);
  CREATE TABLE message (id TEXT PRIMARY KEY, session_id TEXT NOT NULL, time_created INTEGER NOT NULL,
    time_updated INTEGER NOT NULL, data TEXT NOT NULL);
  CREATE TABLE part (id TEXT PRIMARY KEY, message_id TEXT NOT NULL, session_id TEXT NOT NULL,
    time_created INTEGER NOT NULL, time_updated INTEGER NOT NULL, data TEXT NOT NULL);`;

/** A call of a tool that ended. */
export interface ToolCall {
  readonly tool: string;
  readonly input: object;
  readonly output?: string;
  readonly metadata?: object;
  readonly error?: string;
  readonly attachments?: readonly object[];
}

/** Writes a database of opencode, a moment after the other. */
export class OpencodeLog {
  readonly #database: Sqlite.Database;
  #now = Date.parse('2026-11-20T10:00:00Z');
  #count = 0;

  readonly path: string;

  constructor(path: string) {
    this.path = path;
    this.#database = new Sqlite(path);
    this.#database.exec(TABLES);
  }

  close(): void {
    this.#database.close();
  }

  #tick(): number {
    this.#now += 1000;
    return this.#now;
  }

  #id(prefix: string): string {
    this.#count += 1;
    return `${prefix}_${String(this.#count).padStart(12, '0')}abcdefghijklmn`;
  }

  session(
    directory: string,
    parent: string | null = null,
    title = 'New session - 2026-11-20',
  ): string {
    const id = this.#id('ses');
    const now = this.#tick();
    this.#database
      .prepare('INSERT INTO session VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)')
      .run(id, 'p', parent, 'slug', directory, title, '1.18.33', now, now);
    return id;
  }

  /** Adds a message of the user. */
  ask(session: string, text?: string, ...more: readonly object[]): void {
    const message = this.#message(session, { role: 'user', agent: 'build' });
    const said = text === undefined ? [] : [{ type: 'text', text }];
    this.#parts(session, message, [...said, ...more]);
  }

  /** Adds an answer of the model that is finished. */
  answer(
    session: string,
    {
      think,
      say,
      calls = [],
      info = {},
    }: {
      readonly think?: string;
      readonly say?: string;
      readonly calls?: readonly ToolCall[];
      readonly info?: object;
    },
  ): void {
    const tokens = { input: 10, output: 5, reasoning: 0, cache: { read: 0, write: 0 } };
    const facts = { role: 'assistant', modelID: 'fake-1', agent: 'build', tokens, ...info };
    const message = this.#message(session, facts, true);
    const time = { start: this.#tick(), end: this.#tick() };
    this.#parts(session, message, [
      { type: 'step-start' },
      ...(think === undefined ? [] : [{ type: 'reasoning', text: think, time }]),
      ...(say === undefined ? [] : [{ type: 'text', text: say, time }]),
      ...calls.map((call) => this.#call(call)),
      { type: 'step-finish', reason: 'stop', cost: 0, tokens },
    ]);
  }

  /** Adds an answer that is being written: a text without its end, and a call that runs. */
  begin(session: string, text: string, call: ToolCall): void {
    const message = this.#message(session, { role: 'assistant', modelID: 'fake-1' });
    const time = { start: this.#tick() };
    const { tool, input } = call;
    this.#parts(session, message, [
      { type: 'text', text, time },
      { type: 'tool', callID: this.#id('call'), tool, state: { status: 'running', input, time } },
    ]);
  }

  /** Copies a session under new ids, with the times of its messages, as a fork does. */
  fork(session: string, directory: string): string {
    const copy = this.session(directory, null, 'fork');
    const messages = this.#database
      .prepare('SELECT * FROM message WHERE session_id = ? ORDER BY time_created, id')
      .all(session) as { id: string; time_created: number; data: string }[];
    for (const { id, time_created: time, data } of messages) {
      const name = this.#id('msg');
      this.#database
        .prepare('INSERT INTO message VALUES (?, ?, ?, ?, ?)')
        .run(name, copy, time, this.#tick(), data);
      const parts = this.#database
        .prepare('SELECT data FROM part WHERE message_id = ? ORDER BY id')
        .all(id) as { data: string }[];
      this.#parts(
        copy,
        name,
        parts.map((part) => JSON.parse(part.data) as object),
      );
    }
    return copy;
  }

  #message(session: string, info: object, isDone = false): string {
    const id = this.#id('msg');
    const created = this.#tick();
    const time = { created, ...(isDone ? { completed: created + 900 } : {}) };
    this.#database
      .prepare('INSERT INTO message VALUES (?, ?, ?, ?, ?)')
      .run(id, session, created, created, JSON.stringify({ ...info, time }));
    return id;
  }

  #parts(session: string, message: string, parts: readonly object[]): void {
    for (const part of parts) {
      const now = this.#tick();
      this.#database
        .prepare('INSERT INTO part VALUES (?, ?, ?, ?, ?, ?)')
        .run(this.#id('prt'), message, session, now, now, JSON.stringify(part));
    }
    this.#database
      .prepare('UPDATE session SET time_updated = ? WHERE id = ?')
      .run(this.#now, session);
  }

  #call({ tool, input, output = '', metadata = {}, error, attachments }: ToolCall): object {
    const time = { start: this.#tick(), end: this.#tick() };
    const state =
      error === undefined
        ? { status: 'completed', input, output, title: '', metadata, time, attachments }
        : { status: 'error', input, error, metadata, time };
    return { type: 'tool', callID: this.#id('call'), tool, state };
  }
}
