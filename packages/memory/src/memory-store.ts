import type { EventSource, Listener, Unsubscribe } from '@vizprompt/providers';
import type { ImportReport, ImportTranscriptOptions } from './capture/import/import-options.ts';
import { MemoryError } from './errors.ts';
import type { MemoryEvents } from './events.ts';
import { getEvent, listEvents } from './log/list-events.ts';
import { logEvent, logEvents } from './log/log-events.ts';
import type { EventFilter, EventList, LogManyOptions } from './log/log-options.ts';
import type { EventType } from './model/event-data.ts';
import type {
  EventFacts,
  EventOf,
  MemoryEvent,
  NewEvent,
  NewEventData,
} from './model/memory-event.ts';
import type { SessionInfo } from './model/session.ts';
import type { MemoryStoreOptions } from './options.ts';
import { searchEvents } from './search/search-events.ts';
import type { SearchHit, SearchOptions } from './search/search-options.ts';
import { changeSession } from './session/change-session.ts';
import { deleteSession } from './session/delete-session.ts';
import { currentSession, listSessions } from './session/list-sessions.ts';
import type { NewSession, SessionChange, SessionFilter } from './session/session-options.ts';
import { findSession, sessionNotFound, toSession } from './session/session-rows.ts';
import { startSession } from './session/start-session.ts';
import type { MemoryContext } from './store/memory-context.ts';
import { openContext, type OpenedContext } from './store/open-context.ts';
import { joinWorkspaces, leaveWorkspaces, workspaceGroup } from './workspace/workspaces.ts';

/**
 * The external memory of agents: sessions and what happened in them, verbatim. What a method has
 * acknowledged survives the death of the process and the loss of power; several processes may write at
 * once. Besides `MemoryError`, every method may throw the `StorageError` of the database.
 */
export class MemoryStore implements EventSource<MemoryEvents>, AsyncDisposable {
  readonly #opened: OpenedContext;
  #isClosed = false;

  private constructor(opened: OpenedContext) {
    this.#opened = opened;
  }

  /**
   * Opens the memory, and makes it where there is none.
   *
   * @throws MemoryError `invalid-input` for options that make no sense.
   * @throws StorageError `corrupt` for a file that is damaged or no database, `io` for one that cannot be
   * written, `newer-schema` for one of a newer version of this package.
   *
   * @example
   * ```ts
   * await using store = await MemoryStore.open();
   * const session = await store.startSession({ workspace: '.' });
   * await store.log(session.id, 'user_message', { content: '認証機能を追加してください' });
   * ```
   */
  static async open(options: MemoryStoreOptions = {}): Promise<MemoryStore> {
    return new MemoryStore(await openContext(options));
  }

  /** Calls `listener` at each event of this name until the returned function is called. */
  on<Name extends keyof MemoryEvents>(
    name: Name,
    listener: Listener<MemoryEvents[Name]>,
  ): Unsubscribe {
    return this.#opened.context.events.on(name, listener);
  }

  /** Like `on`, for the next event only. */
  once<Name extends keyof MemoryEvents>(
    name: Name,
    listener: Listener<MemoryEvents[Name]>,
  ): Unsubscribe {
    return this.#opened.context.events.once(name, listener);
  }

  /**
   * Starts a session.
   *
   * @throws MemoryError `exists` if there is one with this id, unless `ifExists` is `'keep'`.
   */
  async startSession(session: NewSession = {}): Promise<SessionInfo> {
    const started = await startSession(this.#context, session);
    if (started.isNew) this.#context.events.emit('session:started', { session: started.session });
    return started.session;
  }

  /**
   * Ends a session: nothing more can be logged in it. An ended one stays as it is.
   *
   * @throws MemoryError `session-not-found`.
   */
  async endSession(id: string): Promise<SessionInfo> {
    const before = await this.getSession(id);
    if (before.ended_at !== null) return before;
    const endedAt = new Date(this.#context.clock()).toISOString();
    const session = await changeSession(this.#context, id, { endedAt });
    this.#context.events.emit('session:ended', { session });
    return session;
  }

  /** The newest running session of a folder, or of one that was declared the same workspace. */
  async currentSession(workspace: string): Promise<SessionInfo | null> {
    return currentSession(this.#context, workspace);
  }

  /** Sessions, the newest first. */
  async listSessions(filter: SessionFilter = {}): Promise<readonly SessionInfo[]> {
    return listSessions(this.#context, filter);
  }

  /** @throws MemoryError `session-not-found`. */
  async getSession(id: string): Promise<SessionInfo> {
    const row = await findSession(this.#context, this.#context.database, id);
    if (row) return toSession(row);
    throw sessionNotFound(id);
  }

  /** @throws MemoryError `session-not-found`. */
  async updateSession(id: string, change: SessionChange): Promise<SessionInfo> {
    const session = await changeSession(this.#context, id, change);
    this.#context.events.emit('session:updated', { session });
    return session;
  }

  /**
   * Deletes a session with all its events; to keep their places, see `forget`.
   *
   * @throws MemoryError `session-not-found`.
   */
  async deleteSession(id: string): Promise<void> {
    await deleteSession(this.#context, id);
    this.#context.events.emit('session:deleted', { id });
  }

  /**
   * Logs one event.
   *
   * @param session - The id of a running session.
   * @param facts - What is known beside the data, such as the `parent`.
   * @returns The event as it is stored: redacted, numbered, with its diff.
   * @throws MemoryError `session-not-found`, `session-ended`, `exists`, `invalid-input`, `invalid-text`,
   * `too-large` or `path-outside`.
   *
   * @example
   * ```ts
   * await store.log(session.id, 'tool_use', { tool: 'Bash', parameters: { command: 'npm test' } });
   * ```
   */
  async log<Type extends EventType>(
    session: string,
    type: Type,
    data: NewEventData<Type>,
    facts: EventFacts = {},
  ): Promise<EventOf<Type>> {
    const event = await logEvent(this.#context, session, { ...facts, type, data });
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- of the type that was logged
    return event as EventOf<Type>;
  }

  /**
   * Logs many events in their order, in parts of up to 1,000; each part is stored as a whole or not at
   * all, so the first part that fails ends it.
   *
   * @returns Those that were stored.
   * @throws MemoryError as `log`.
   */
  async logMany(
    session: string,
    events: Iterable<NewEvent> | AsyncIterable<NewEvent>,
    options: LogManyOptions = {},
  ): Promise<readonly MemoryEvent[]> {
    return logEvents(this.#context, session, events, options);
  }

  /**
   * The events of a session in their order: `page()` reads some, `for await` all.
   *
   * @example
   * ```ts
   * for await (const event of store.events(session.id, { type: 'file_edit' })) console.log(event);
   * const { events, next } = await store.events(session.id, { limit: 20 }).page();
   * ```
   */
  events(session: string, filter: EventFilter = {}): EventList {
    return listEvents(this.#context, session, filter);
  }

  /**
   * One event with all its texts.
   *
   * @throws MemoryError `event-not-found`.
   */
  async getEvent(id: string): Promise<MemoryEvent> {
    return getEvent(this.#context, id);
  }

  /**
   * Finds events by words, in every field of every type; text between double quotes as it stands.
   *
   * @returns The best first.
   */
  async search(query: string, options: SearchOptions = {}): Promise<readonly SearchHit[]> {
    return searchEvents(this.#context, query, options);
  }

  /** Declares that folders are one workspace: git worktrees, a clone that was moved or renamed. */
  async joinWorkspaces(...workspaces: readonly string[]): Promise<void> {
    await joinWorkspaces(this.#context, workspaces);
  }

  /** Declares that a folder is a workspace of its own again. */
  async leaveWorkspaces(workspace: string): Promise<void> {
    await leaveWorkspaces(this.#context, workspace);
  }

  /** All folders that are one workspace with this one, itself included. */
  async workspaceGroup(workspace: string): Promise<readonly string[]> {
    return workspaceGroup(this.#context, workspace);
  }

  /**
   * Reads the transcripts of coding agents: a file, or all below a folder. Importing again, or a file
   * that has grown, adds only what is new.
   *
   * @throws MemoryError `invalid-input` if there is no such file or folder; the signal's reason.
   *
   * @example
   * ```ts
   * const report = await store.importTranscript(join(homedir(), '.claude', 'projects'));
   * console.log(report.added, report.unknown);
   * ```
   */
  async importTranscript(
    path: string,
    options: ImportTranscriptOptions = {},
  ): Promise<ImportReport> {
    const { importTranscript } = await import('./capture/import/import-transcript.ts');
    return importTranscript(this, path, options);
  }

  /** Gives back what was opened; a `storage` that was passed stays open. Calling it twice does no harm. */
  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    await this.#opened.close();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  get #context(): MemoryContext {
    if (!this.#isClosed) return this.#opened.context;
    throw new MemoryError('closed', 'the memory store is closed');
  }
}
