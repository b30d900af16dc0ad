import {
  type EraseOptions,
  type ErasureReport,
  type EventSource,
  messageOf,
  StorageError,
  type Retriever,
  type TurnRecorder,
} from '@vizprompt/providers';
import type { Listener, Unsubscribe } from '@vizprompt/providers/internal';
import {
  type ImportTranscriptOptions,
  INGEST_OPTIONS,
  type IngestOptions,
  type TranscriptReport,
} from './capture/import/import-options.ts';
import type { IngestReport } from './capture/live/ingest-calls.ts';
import { countWaiting } from './capture/live/spool.ts';
import { assertOpened, checkOptions } from './check-values.ts';
import { checkFile } from './check/check-file.ts';
import { checkStore, type CheckReport } from './check/check-store.ts';
import { readStats, type MemoryStats, type StatsFilter } from './check/stats.ts';
import { MemoryError } from './errors.ts';
import type { MemoryEvents } from './events.ts';
import { exportFile, exportJson, type ExportOptions } from './exchange/export-json.ts';
import { exportHtml } from './exchange/html/export-html.ts';
import { importJson, type ImportReport } from './exchange/import-json.ts';
import type { ExportSource, ReadRecordsOptions } from './exchange/read-records.ts';
import { editFile, recordEdit } from './files/edit-file.ts';
import { fileAt } from './files/file-at.ts';
import {
  fileHistory,
  listFiles,
  type PendingFilter,
  pendingIntentions,
} from './files/file-history.ts';
import type {
  ChangedFile,
  FileChange,
  FileEditRequest,
  FileHistoryOptions,
  FileListOptions,
  FileMoment,
  FileSnapshot,
  RecordedEdit,
  RecordEditRequest,
} from './files/file-options.ts';
import { eraseSpeaker } from './forget/erase-speaker.ts';
import {
  deleteSession,
  forget,
  type ForgetOptions,
  type ForgetTarget,
  purge,
} from './forget/forget.ts';
import {
  redactStored,
  type RedactReport,
  type RedactStoredOptions,
} from './forget/redact-stored.ts';
import { applyRetention, type RetentionOptions, type RetentionReport } from './forget/retention.ts';
import { followEvents, type FollowOptions } from './log/follow-events.ts';
import { getEvent, listEvents, type EventFilter, type EventList } from './log/list-events.ts';
import { knownEvents, log, logEvents, type LogManyOptions } from './log/log-events.ts';
import { createRecorder, type RecorderOptions } from './log/turn-recorder.ts';
import type { EventType } from './model/event-data.ts';
import type { SignalOption } from './model/input-kinds.ts';
import type {
  EventFacts,
  EventOf,
  MemoryEvent,
  NewEvent,
  NewEventData,
} from './model/memory-event.ts';
import type { SessionInfo } from './model/session.ts';
import {
  backUp,
  openContext,
  type MemoryStoreOptions,
  type OpenedContext,
} from './open-context.ts';
import type { Recalled, RecallRequest } from './recall/recall-options.ts';
import { createRetriever, recall, type RetrieverScope } from './recall/recall.ts';
import { searchEvents, type SearchOptions } from './search/search-events.ts';
import { searchSessions } from './search/search-sessions.ts';
import type { SearchHit, SessionHit } from './search/search-types.ts';
import { endSession, updateSession, type SessionChange } from './session/change-session.ts';
import { currentSession, listSessions, type SessionFilter } from './session/list-sessions.ts';
import { startSession, type NewSession } from './session/start-session.ts';
import { joinWorkspaces, leaveWorkspaces, workspaceGroup } from './session/workspaces.ts';
import type { EmbeddingReport, MemoryContext } from './store/memory-context.ts';
import { getSession } from './store/session-rows.ts';
import { embedEvents } from './vectors/event-vectors.ts';

/**
 * The external memory of agents: sessions and their events, verbatim. Acknowledged
 * calls survive the death of the process and the loss of power; several processes may write at
 * once. Besides `MemoryError`, every method may throw the `StorageError` of the database.
 */
export class MemoryStore implements EventSource<MemoryEvents>, AsyncDisposable {
  readonly #opened: OpenedContext;
  #isClosed = false;

  private constructor(opened: OpenedContext) {
    assertOpened(opened, 'context', 'MemoryStore.open({ path })');
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
    const opened = await openContext(options);
    try {
      const store = new MemoryStore(opened);
      await store.#ingestIfPossible(options.hooks?.patienceMs);
      await store.#retain();
      return store;
    } catch (error) {
      await opened.close();
      throw error;
    }
  }

  /** Tables of a server, which others use, are not rewritten by opening a memory; and who cannot rewrite a file opens it. */
  async #retain(): Promise<void> {
    const { sessions } = await this.applyRetention({ purge: false });
    const { database, logger } = this.#context;
    if (sessions === 0 || database.dialect !== 'sqlite') return;
    try {
      await purge(this.#context);
    } catch (error) {
      if (!StorageError.isInstance(error)) throw error;
      logger.warn('bytes of deleted sessions may remain: call vacuum()', {
        error: messageOf(error),
      });
    }
  }

  /** A memory that cannot be written now can be read all the same. */
  async #ingestIfPossible(patienceMs?: number): Promise<void> {
    if (patienceMs === 0) return;
    const signal = patienceMs === undefined ? undefined : AbortSignal.timeout(patienceMs);
    try {
      await this.ingestHooks({ signal });
    } catch (error) {
      this.#context.logger.warn('calls of hooks wait on', { error: messageOf(error) });
    }
  }

  /**
   * Checks a SQLite file that may be damaged, on a copy of it, and reports what can still be read.
   *
   * @throws MemoryError `invalid-input` if there is no such file.
   */
  static async checkFile(path: string, options: SignalOption = {}): Promise<CheckReport> {
    return checkFile(path, options.signal);
  }

  /** Calls `listener` at each event of this name until the returned function is called. */
  on<Name extends keyof MemoryEvents>(
    name: Name,
    listener: Listener<MemoryEvents[Name]>,
  ): Unsubscribe {
    return this.#context.events.on(name, listener);
  }

  /** Like `on`, for the next event only. */
  once<Name extends keyof MemoryEvents>(
    name: Name,
    listener: Listener<MemoryEvents[Name]>,
  ): Unsubscribe {
    return this.#context.events.once(name, listener);
  }

  /**
   * Starts a session.
   *
   * @throws MemoryError `exists` if there is one with this id, unless `ifExists` is `'keep'`.
   */
  async startSession(session: NewSession = {}): Promise<SessionInfo> {
    return startSession(this.#context, session);
  }

  /**
   * Ends a session: nothing more can be logged in it. An ended one stays as it is.
   *
   * @throws MemoryError `session-not-found`.
   */
  async endSession(id: string): Promise<SessionInfo> {
    return endSession(this.#context, id);
  }

  /** Returns the newest running session of a folder, or of one that was declared the same workspace. */
  async currentSession(workspace: string): Promise<SessionInfo | null> {
    return currentSession(this.#context, workspace);
  }

  /** Sessions, the newest first. */
  async listSessions(filter: SessionFilter = {}): Promise<readonly SessionInfo[]> {
    return listSessions(this.#context, filter);
  }

  /** @throws MemoryError `session-not-found`. */
  async getSession(id: string): Promise<SessionInfo> {
    return getSession(this.#context, id);
  }

  /** @throws MemoryError `session-not-found`. */
  async updateSession(id: string, change: SessionChange): Promise<SessionInfo> {
    return updateSession(this.#context, id, change);
  }

  /**
   * Deletes a session with all its events, and leaves no byte of them; to keep their places, see `forget`. If it was
   * interrupted, `vacuum` finishes it.
   *
   * @throws MemoryError `session-not-found`; StorageError `busy` if another process reads all the time.
   */
  async deleteSession(id: string, options: ForgetOptions = {}): Promise<void> {
    await this.ingestHooks();
    await deleteSession(this.#context, id, options);
  }

  /**
   * Logs one event. The path of a file becomes absolute, and is stored as the agent named it: whether it led
   * through a symbolic link then cannot be known later. `editFile` and `recordEdit` name the file itself.
   *
   * A `file_edit` that names no `intention_event_id` gets that of the intention, if the last that the session
   * has about the file is one, attempts that failed aside; so does its `parent`, where none is given.
   *
   * @param session - The id of a running session.
   * @param facts - Facts besides the data, such as the `parent`.
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
    const event = await log(this.#context, session, type, data, facts);
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
   * Returns the events of a session in their order: `page()` reads some, `for await` all.
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
   * Returns the events of a session that are stored, and then those that come, whichever process logs them: in their
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
    return followEvents(
      () => this.#context,
      session,
      options,
      () => this.#ingestIfPossible(),
    );
  }

  /**
   * One event with all its texts.
   *
   * @throws MemoryError `event-not-found`.
   */
  async getEvent(id: string): Promise<MemoryEvent> {
    return getEvent(this.#context, id);
  }

  /** Which of these ids are those of stored events; forgotten ones keep theirs. */
  async knownEvents(ids: readonly string[]): Promise<ReadonlySet<string>> {
    return knownEvents(this.#context, ids);
  }

  /**
   * Finds events by words, in every field of every type; text between double quotes as it is. A day
   * or month in the query, such as `on 13 October` or `2025年10月`, puts what happened then first.
   *
   * @returns The best first.
   */
  async search(query: string, options: SearchOptions = {}): Promise<readonly SearchHit[]> {
    return searchEvents(this.#context, query, options);
  }

  /**
   * Finds the sessions that are about something: those whose events fit best, and that speak of it most.
   *
   * @returns The best first, each with its best events.
   */
  async searchSessions(query: string, options: SearchOptions = {}): Promise<readonly SessionHit[]> {
    return searchSessions(this.#context, query, options);
  }

  /**
   * Returns the most useful past events for the task at hand, within a budget of tokens: what fits the query, what
   * was done to the file, and what happened last in the workspace, fused by reciprocal rank. Each is cited
   * by its id, and omissions are listed.
   *
   * @throws MemoryError `invalid-input` or `path-outside`.
   *
   * @example
   * ```ts
   * const { text } = await store.recall({ query: 'JWT', workspace: '.', budgetTokens: 2000 });
   * ```
   */
  async recall(request: RecallRequest): Promise<Recalled> {
    return recall(this.#context, request);
  }

  /**
   * The events as passages, for whatever asks a `Retriever`. It can filter by `workspace`, `session`, `user`,
   * `room`, `type` (one or a list), `path`, `after` and `before`.
   *
   * @param scope - The workspace, the user and the room that are searched, unless a filter names others. Default: all.
   */
  retriever(scope: RetrieverScope = {}): Retriever {
    return createRetriever(() => this.#context, scope);
  }

  /**
   * Changes a file of the workspace: the intention is recorded, the file replaced as a whole, and the edit
   * recorded with its success or its error. A crash in between leaves a pending intention.
   *
   * @throws MemoryError `path-outside`, `edit-conflict` if the file is not as expected, `invalid-text` if
   * it is not UTF-8; nothing is recorded then. `edit-conflict` too if another process changes the file
   * while it is edited: the change of that process stays, and the edit is recorded as failed. A file that
   * cannot be written is not an exception: the edit says so. Edits of one file are done one after the other, also
   * those of other processes that share the memory. Symbolic links are followed, and the edit is that of the
   * file to which they lead, in the workspace; a link itself cannot be deleted (`edit-conflict`).
   *
   * @example
   * ```ts
   * await store.editFile({ session: id, path: 'src/a.ts', edit: { old: 'a', new: 'b' }, reason: 'why' });
   * ```
   */
  async editFile(request: FileEditRequest): Promise<RecordedEdit> {
    return editFile(this.#context, request);
  }

  /**
   * Records what others do to a file, around a command or an editor: before, afterwards, and the diff.
   *
   * @throws the error of `run`, after it was recorded.
   */
  async recordEdit(request: RecordEditRequest): Promise<RecordedEdit> {
    return recordEdit(this.#context, request);
  }

  /** Intentions that no edit followed, the oldest first. */
  async pendingIntentions(
    filter: PendingFilter = {},
  ): Promise<readonly EventOf<'code_intention'>[]> {
    return pendingIntentions(this.#context, filter);
  }

  /**
   * Returns the files that have edits or intentions, in the order of their paths (that of their code points).
   *
   * @example
   * ```ts
   * for (const { file_path, edits } of await store.files({ workspace: '.' })) console.log(file_path, edits);
   * ```
   */
  async files(options: FileListOptions = {}): Promise<readonly ChangedFile[]> {
    return listFiles(this.#context, options);
  }

  /**
   * How a file was changed and why, the newest change first, and intentions of changes that never came.
   *
   * @param path - Absolute, or relative to `workspace`; without one relative to the current folder. A
   * symbolic link is followed.
   * @throws MemoryError `path-outside` for a relative path that leads out.
   */
  async fileHistory(
    path: string,
    options: FileHistoryOptions = {},
  ): Promise<readonly FileChange[]> {
    return fileHistory(this.#context, path, options);
  }

  /**
   * Returns a file as it was at a time, or after an event.
   *
   * @param path - As that of `fileHistory`.
   * @throws MemoryError `event-not-found` if no edit of it is recorded, `edit-conflict` if the edits that
   * are recorded brought too little to rebuild it.
   */
  async fileAt(path: string, moment: FileMoment = {}): Promise<FileSnapshot> {
    return fileAt(this.#context, path, moment);
  }

  /**
   * Makes all missing vectors now and waits for them, which otherwise happens in the background;
   * remaining vectors of forgotten events are removed.
   *
   * @throws MemoryError `invalid-input` if the memory was opened without `embeddings`; the errors of the
   * model and of the vector store. Completed work stays.
   */
  async embedEvents(options: SignalOption = {}): Promise<EmbeddingReport> {
    return embedEvents(this.#context, options);
  }

  /** Counts the content of the memory, by workspace and type. */
  async stats(filter: StatsFilter = {}): Promise<MemoryStats> {
    return readStats(this.#context, filter);
  }

  /**
   * Takes the content of an event, or of all events of a session, away. Empty markers keep the sequence
   * gapless, and an import does not bring the content back. No byte of it remains in the file. If it was
   * interrupted, it is finished by calling it again.
   *
   * @throws MemoryError `event-not-found` or `session-not-found`; StorageError `busy` if another process reads all
   * the time.
   */
  async forget(target: ForgetTarget, options: ForgetOptions = {}): Promise<void> {
    await this.ingestHooks();
    await forget(this.#context, target, options);
  }

  /**
   * Erases what a speaker said: the events of the speaker become empty markers, and copies of them in other events, in
   * contents of files and in the files of hooks are replaced by `[erased]`. No byte of it remains in the memory. An
   * erasure that was interrupted is finished by calling it again.
   *
   * @returns The places that were erased, and those that only people can erase, such as transcripts of agents.
   * @throws MemoryError `invalid-input`; StorageError `busy` if another process reads all the time.
   *
   * @example
   * ```ts
   * const { erased } = await store.eraseSpeaker({ speaker: 'Alice', dryRun: true });
   * ```
   */
  async eraseSpeaker(options: EraseOptions): Promise<ErasureReport> {
    await this.ingestHooks();
    return eraseSpeaker(this.#context, options);
  }

  /**
   * Deletes what the retention says: by the options that the store was opened with, unless others are
   * given. No byte of it remains in the database, unless `purge` is `false`.
   *
   * @throws StorageError `busy` if another process reads all the time: everything is deleted, but its bytes may remain.
   */
  async applyRetention(
    options: RetentionOptions & ForgetOptions & SignalOption = {},
  ): Promise<RetentionReport> {
    return applyRetention(this.#context, this.#opened.retention, options);
  }

  /**
   * Removes secrets from stored data, by the rules that the store was opened with: events, metadata,
   * contents of files, diffs, the index and vectors. No byte of them remains in the files of the database;
   * backups and exports that were made before still hold them.
   *
   * @returns The numbers of findings, by rule.
   * @throws StorageError `busy` if another process reads all the time: run it again then.
   *
   * @example
   * ```ts
   * const { secrets, rules } = await store.redact({ dryRun: true });
   * ```
   */
  async redact(options: RedactStoredOptions = {}): Promise<RedactReport> {
    await this.ingestHooks();
    return redactStored(this.#context, options);
  }

  /**
   * Rewrites the database without deleted and forgotten data. Afterwards nothing of it remains in the file;
   * backups that users made before still hold it.
   *
   * @throws StorageError `busy` if another process reads all the time.
   */
  async vacuum(): Promise<void> {
    await this.ingestHooks();
    await purge(this.#context);
  }

  /**
   * Returns the memory, or a part of it, as one JSON document in pieces.
   *
   * @example
   * ```ts
   * await writeFile('memory.json', store.exportJson({ session: id }));
   * ```
   */
  exportJson(options: ExportOptions = {}): AsyncIterable<string> {
    return exportJson(this.#context, options);
  }

  /**
   * Timelines as one HTML file in pieces, to be read in any browser: it loads nothing, and can be filtered
   * by type and file. The texts of files are in it as diffs.
   *
   * @throws MemoryError `session-not-found`.
   *
   * @example
   * ```ts
   * await writeFile('session.html', store.exportHtml({ session: id }));
   * ```
   */
  exportHtml(options: ExportOptions = {}): AsyncIterable<string> {
    return exportHtml(this.#context, options);
  }

  /** All intentions and edits of a file, in the form of `exportJson`. */
  exportFile(path: string, options: Omit<ExportOptions, 'path'> = {}): AsyncIterable<string> {
    return exportFile(this.#context, path, options);
  }

  /**
   * Adds what an export holds and this memory does not. Importing again changes nothing, and two machines
   * that import from each other have the same events.
   *
   * @throws MemoryError `invalid-import`; what was imported before stays.
   */
  async importJson(source: ExportSource, options: ReadRecordsOptions = {}): Promise<ImportReport> {
    return importJson(this.#context, source, options);
  }

  /**
   * Writes a consistent copy of the database, also while others write. Only this user can read it.
   *
   * @param path - A file that does not exist yet.
   */
  async backup(path: string): Promise<void> {
    await backUp(this.#context, path);
  }

  /** Reads everything and reports inconsistencies; nothing is changed. */
  async check(options: SignalOption = {}): Promise<CheckReport> {
    return checkStore(this.#context, options);
  }

  /** Keeps the turns of conversations that are led elsewhere: each conversation becomes a session. */
  recorder(options: RecorderOptions = {}): TurnRecorder {
    return createRecorder(() => this.#context, options);
  }

  /**
   * Reads the transcripts of coding agents: a file, or all below a folder. Importing again, or a file
   * that has grown, adds only what is new.
   *
   * @throws MemoryError `invalid-input` if there is no such file or folder; the signal's
   * reason. Written events stay.
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
  ): Promise<TranscriptReport> {
    const { importTranscript } = await import('./capture/import/import-transcript.ts');
    return importTranscript({ store: this, context: () => this.#context }, path, options);
  }

  /**
   * Stores what `ptta hook` has left for this memory, which only writes it down so that agents do not wait. Opening does
   * so, too; call it before reading where a store stays open.
   *
   * @throws StorageError if the memory cannot be written now; the calls wait on.
   */
  async ingestHooks(options: IngestOptions = {}): Promise<IngestReport> {
    checkOptions('ingestHooks', options, INGEST_OPTIONS);
    const { signal, dryRun = false } = options;
    const waiting = countWaiting(this.#context);
    if (waiting === 0 || dryRun) return { stored: 0, failed: 0, waiting };
    const { ingestCalls } = await import('./capture/live/ingest-calls.ts');
    return ingestCalls(this, this.#context, signal);
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
  get #context(): MemoryContext {
    if (!this.#isClosed) return this.#opened.context;
    throw new MemoryError('closed', 'the memory store is closed');
  }
}
