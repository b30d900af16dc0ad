import type { EventSource, Listener, Unsubscribe } from '@vizprompt/providers';
import { MemoryError } from '../errors.ts';
import type { MemoryEvents } from '../events.ts';
import { knownEvents } from '../log/known-events.ts';
import { followEvents } from '../log/follow-events.ts';
import { linkIntention } from '../log/link-intention.ts';
import { getEvent, listEvents } from '../log/list-events.ts';
import { logEvent, logEvents } from '../log/log-events.ts';
import type { EventFilter, EventList, FollowOptions, LogManyOptions } from '../log/log-options.ts';
import type { EventType } from '../model/event-data.ts';
import type {
  EventFacts,
  EventOf,
  MemoryEvent,
  NewEvent,
  NewEventData,
} from '../model/memory-event.ts';
import type { SessionInfo } from '../model/session.ts';
import { assertOptions } from '../option-keys.ts';
import type { RetentionOptions } from '../options.ts';
import { changeSession } from '../session/change-session.ts';
import { eraserOfSession, type ForgetOptions } from '../forget/forget.ts';
import { cleanHookFiles } from '../forget/hook-files.ts';
import { purge } from '../forget/purge.ts';
import { assertKnownKeys } from '../known-keys.ts';
import { deleteSession } from '../session/delete-session.ts';
import { currentSession, listSessions } from '../session/list-sessions.ts';
import type { NewSession, SessionChange, SessionFilter } from '../session/session-options.ts';
import { findSession, sessionNotFound, toSession } from '../session/session-rows.ts';
import { startSession } from '../session/start-session.ts';
import type { MemoryContext } from '../store/memory-context.ts';
import { type OpenedContext } from '../store/open-context.ts';

/** Sessions and the events in them: what a store begins with. */
export abstract class SessionLog implements EventSource<MemoryEvents>, AsyncDisposable {
  readonly #opened: OpenedContext;
  #isClosed = false;

  protected constructor(opened: OpenedContext) {
    this.#opened = opened;
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
    assertOptions('startSession', session);
    const started = await startSession(this.context, session);
    if (started.isNew) this.context.events.emit('session:started', { session: started.session });
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
    const endedAt = new Date(this.context.clock()).toISOString();
    const session = await changeSession(this.context, id, { endedAt });
    this.context.events.emit('session:ended', { session });
    return session;
  }

  /** The newest running session of a folder, or of one that was declared the same workspace. */
  async currentSession(workspace: string): Promise<SessionInfo | null> {
    return currentSession(this.context, workspace);
  }

  /** Sessions, the newest first. */
  async listSessions(filter: SessionFilter = {}): Promise<readonly SessionInfo[]> {
    assertOptions('listSessions', filter);
    return listSessions(this.context, filter);
  }

  /** @throws MemoryError `session-not-found`. */
  async getSession(id: string): Promise<SessionInfo> {
    const row = await findSession(this.context, this.context.database, id);
    if (row) return toSession(row);
    throw sessionNotFound(id);
  }

  /** @throws MemoryError `session-not-found`. */
  async updateSession(id: string, change: SessionChange): Promise<SessionInfo> {
    const session = await changeSession(this.context, id, change);
    this.context.events.emit('session:updated', { session });
    return session;
  }

  /**
   * Deletes a session with all its events, and leaves no byte of them; to keep their places, see `forget`. If it was
   * interrupted, `vacuum` finishes it.
   *
   * @throws MemoryError `session-not-found`; StorageError `busy` if another process reads all the time.
   */
  async deleteSession(id: string, options: ForgetOptions = {}): Promise<void> {
    assertKnownKeys('deleteSession', options, ['purge']);
    // First what is found by the words of the events, as long as they are known.
    await cleanHookFiles(this.context.file, () => eraserOfSession(this.context, id));
    await deleteSession(this.context, id);
    this.context.events.emit('session:deleted', { id });
    if (options.purge !== false) await purge(this.context);
  }

  /**
   * Logs one event. The path of a file becomes absolute, and is kept as the agent named it: whether it led
   * through a symbolic link then, nobody knows later. `editFile` and `recordEdit` name the file itself.
   *
   * A `file_edit` that names no `intention_event_id` gets that of the intention, if the last that the session
   * tells of the file is one, attempts that failed aside; so does its `parent`, where none is given.
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
    assertOptions('log', facts);
    const given = { data, facts };
    const linked = type === 'file_edit' ? await linkIntention(this.context, session, given) : given;
    const event = await logEvent(this.context, session, {
      ...linked.facts,
      type,
      data: linked.data,
    });
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
    assertOptions('logMany', options);
    return logEvents(this.context, session, events, options);
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
    assertOptions('events', filter);
    return listEvents(this.context, session, filter);
  }

  /**
   * The events of a session that are stored, and then those that come, whichever process logs them: in their
   * order, without gaps and repetitions. It ends with the signal, or when the session is deleted.
   *
   * @throws MemoryError `session-not-found`, `invalid-input`; `closed` when the store is closed meanwhile.
   *
   * @example
   * ```ts
   * for await (const event of store.follow(session.id, { signal })) console.log(event.sequence, event.type);
   * ```
   */
  follow(session: string, options: FollowOptions = {}): AsyncIterable<MemoryEvent> {
    assertOptions('follow', options);
    return followEvents(() => this.context, session, options);
  }

  /**
   * One event with all its texts.
   *
   * @throws MemoryError `event-not-found`.
   */
  async getEvent(id: string): Promise<MemoryEvent> {
    return getEvent(this.context, id);
  }

  /** Which of these ids are those of stored events; forgotten ones keep theirs. */
  async knownEvents(ids: readonly string[]): Promise<ReadonlySet<string>> {
    return knownEvents(this.context, ids);
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

  /** @throws MemoryError `closed`. */
  protected get context(): MemoryContext {
    if (!this.#isClosed) return this.#opened.context;
    throw new MemoryError('closed', 'the memory store is closed');
  }

  /** What the store was told to delete by itself. */
  protected get retention(): RetentionOptions {
    return this.#opened.retention;
  }
}
