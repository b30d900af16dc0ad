import { chmod } from 'node:fs/promises';
import type { EraseOptions, ErasureReport, Retriever, TurnRecorder } from '@vizprompt/providers';
import type { ImportTranscriptOptions, TranscriptReport } from './capture/import/import-options.ts';
import { checkFile } from './check/check-file.ts';
import type { CheckReport } from './check/check-report.ts';
import { checkStore } from './check/check-store.ts';
import { readStats, type MemoryStats, type StatsFilter } from './check/stats.ts';
import { editFile } from './edit/edit-file.ts';
import { assertStorable, assertText } from './check-values.ts';
import { MemoryError } from './errors.ts';
import type { FileEditRequest, RecordEditRequest, RecordedEdit } from './edit/edit-options.ts';
import { pendingIntentions } from './edit/pending-intentions.ts';
import { recordEdit } from './edit/record-edit.ts';
import { exportJson, type ExportOptions } from './exchange/export-json.ts';
import { importJson, type ImportReport } from './exchange/import-json.ts';
import type { ExportSource, ReadRecordsOptions } from './exchange/read-records.ts';
import { exportHtml } from './exchange/html/export-html.ts';
import { fileAt } from './files/file-at.ts';
import { fileHistory } from './files/file-history.ts';
import type {
  ChangedFile,
  FileChange,
  FileHistoryOptions,
  FileListOptions,
  FileMoment,
  FileSnapshot,
} from './files/file-options.ts';
import { listFiles } from './files/list-files.ts';
import { eraseSpeaker } from './forget/erase-speaker.ts';
import { forget, type ForgetOptions, type ForgetTarget } from './forget/forget.ts';
import {
  redactStored,
  type RedactReport,
  type RedactStoredOptions,
} from './forget/redact-stored.ts';
import { applyRetention, type RetentionReport } from './forget/retention.ts';
import { purge } from './forget/purge.ts';
import type { EventOf } from './model/memory-event.ts';
import { assertOptions } from './option-keys.ts';
import type { MemoryStoreOptions, RetentionOptions } from './options.ts';
import { recall } from './recall/recall.ts';
import type { Recalled, RecallRequest } from './recall/recall-options.ts';
import { createRetriever } from './recall/retriever.ts';
import { createRecorder, type RecorderOptions } from './recording/recorder.ts';
import { searchEvents } from './search/search-events.ts';
import type { SearchHit, SearchOptions, SessionHit } from './search/search-options.ts';
import { searchSessions } from './search/search-sessions.ts';
import { openContext } from './store/open-context.ts';
import type { EmbeddingReport } from './vectors/vector-options.ts';
import { joinWorkspaces, leaveWorkspaces, workspaceGroup } from './workspace/workspaces.ts';
import { SessionLog } from './store/session-log.ts';

/**
 * The external memory of agents: sessions and what happened in them, verbatim. What a method has
 * acknowledged survives the death of the process and the loss of power; several processes may write at
 * once. Besides `MemoryError`, every method may throw the `StorageError` of the database.
 */
export class MemoryStore extends SessionLog {
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

  /**
   * Checks a SQLite file that may be damaged, on a copy of it, and tells what can still be read.
   *
   * @throws MemoryError `invalid-input` if there is no such file.
   */
  static async checkFile(
    path: string,
    options: { readonly signal?: AbortSignal } = {},
  ): Promise<CheckReport> {
    return checkFile(path, options.signal);
  }

  /**
   * Finds events by words, in every field of every type; text between double quotes as it stands. A day
   * or month in the query, such as `on 13 October` or `2025年10月`, puts what happened then first.
   *
   * @returns The best first.
   */
  async search(query: string, options: SearchOptions = {}): Promise<readonly SearchHit[]> {
    assertText(query, 'the query');
    assertOptions('search', options);
    return searchEvents(this.context, query, options);
  }

  /**
   * Finds the sessions that are about something: those whose events fit best, and that speak of it most.
   *
   * @returns The best first, each with its best events.
   */
  async searchSessions(query: string, options: SearchOptions = {}): Promise<readonly SessionHit[]> {
    assertText(query, 'the query');
    assertOptions('searchSessions', options);
    return searchSessions(this.context, query, options);
  }

  /**
   * The most useful past events for the task at hand, within a budget of tokens: what fits the query, what
   * was done to the file, and what happened last in the workspace, fused by reciprocal rank. Each is cited
   * by its id, and what was left out is told.
   *
   * @throws MemoryError `invalid-input` or `path-outside`.
   *
   * @example
   * ```ts
   * const { text } = await store.recall({ query: 'JWT', workspace: '.', budgetTokens: 2000 });
   * ```
   */
  async recall(request: RecallRequest): Promise<Recalled> {
    assertOptions('recall', request);
    return recall(this.context, request);
  }

  /**
   * The events as passages, for whatever asks a `Retriever`. It can filter by `workspace`, `session`, `type`
   * (one or a list), `path`, `after` and `before`.
   *
   * @param scope - The workspace that is searched, unless a filter names another. Default: all.
   */
  retriever(scope: { readonly workspace?: string } = {}): Retriever {
    assertOptions('retriever', scope);
    return createRetriever(() => this.context, scope);
  }

  /**
   * Changes a file of the workspace: the intention is recorded, the file replaced as a whole, and the edit
   * recorded with its success or its error. A crash in between leaves a pending intention.
   *
   * @throws MemoryError `path-outside`, `edit-conflict` if the file is not as expected, `invalid-text` if
   * it is not UTF-8; nothing is recorded then. `edit-conflict` too if somebody else changes the file
   * while it is edited: the file stays as that one left it, and the edit is recorded as failed. A file that
   * cannot be written is no exception: the edit says so. Edits of one file are done one after the other, also
   * those of other processes that share the memory. Symbolic links are followed, and the edit is that of the
   * file to which they lead, in the workspace; a link itself cannot be deleted (`edit-conflict`).
   *
   * @example
   * ```ts
   * await store.editFile({ session: id, path: 'src/a.ts', edit: { old: 'a', new: 'b' }, reason: 'why' });
   * ```
   */
  async editFile(request: FileEditRequest): Promise<RecordedEdit> {
    assertOptions('editFile', request);
    return editFile(this.context, request);
  }

  /**
   * Records what others do to a file, around a command or an editor: before, afterwards, and the diff.
   *
   * @throws What `run` throws, after it was recorded.
   */
  async recordEdit(request: RecordEditRequest): Promise<RecordedEdit> {
    assertOptions('recordEdit', request);
    return recordEdit(this.context, request);
  }

  /** Intentions that no edit followed, the oldest first. */
  async pendingIntentions(
    filter: { readonly session?: string; readonly workspace?: string } = {},
  ): Promise<readonly EventOf<'code_intention'>[]> {
    assertOptions('pendingIntentions', filter);
    return pendingIntentions(this.context, filter);
  }

  /**
   * The files that have edits or intentions, in the order of their paths (that of their code points).
   *
   * @example
   * ```ts
   * for (const { file_path, edits } of await store.files({ workspace: '.' })) console.log(file_path, edits);
   * ```
   */
  async files(options: FileListOptions = {}): Promise<readonly ChangedFile[]> {
    assertOptions('files', options);
    return listFiles(this.context, options);
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
    assertOptions('fileHistory', options);
    return fileHistory(this.context, path, options);
  }

  /**
   * A file as it was at a time, or behind an event.
   *
   * @param path - As that of `fileHistory`.
   * @throws MemoryError `event-not-found` if no edit of it is recorded, `edit-conflict` if the edits that
   * are recorded brought too little to rebuild it.
   */
  async fileAt(path: string, moment: FileMoment = {}): Promise<FileSnapshot> {
    assertOptions('fileAt', moment);
    return fileAt(this.context, path, moment);
  }

  /**
   * Makes all vectors that are missing now and waits for them, which otherwise happens in the background;
   * those that are left of forgotten events are taken away.
   *
   * @throws MemoryError `invalid-input` if the memory was opened without `embeddings`; the errors of the
   * model and of the vector store. What is done stays done.
   */
  async embedEvents(options: { readonly signal?: AbortSignal } = {}): Promise<EmbeddingReport> {
    assertOptions('embedEvents', options);
    const { vectors } = this.context;
    if (vectors) return vectors.embedAll(options.signal);
    throw new MemoryError('invalid-input', "the memory was opened without 'embeddings'");
  }

  /** What the memory holds, by workspace and type. */
  async stats(filter: StatsFilter = {}): Promise<MemoryStats> {
    assertOptions('stats', filter);
    return readStats(this.context, filter);
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
    await forget(this.context, target, options);
  }

  /**
   * Erases what a speaker said: the events of the speaker become empty markers, and copies of them in other events, in
   * contents of files and in the files of hooks are replaced by `[erased]`. No byte of it remains in the memory. An
   * erasure that was interrupted is finished by calling it again.
   *
   * @returns What was erased where, and what only people can erase, such as transcripts of agents.
   * @throws MemoryError `invalid-input`; StorageError `busy` if another process reads all the time.
   *
   * @example
   * ```ts
   * const { erased } = await store.eraseSpeaker({ speaker: 'Alice', dryRun: true });
   * ```
   */
  async eraseSpeaker(options: EraseOptions): Promise<ErasureReport> {
    assertOptions('eraseSpeaker', options);
    return eraseSpeaker(this.context, options);
  }

  /**
   * Deletes what the retention says: by the options that the store was opened with, unless others are
   * given.
   */
  async applyRetention(
    options: RetentionOptions & { readonly signal?: AbortSignal } = {},
  ): Promise<RetentionReport> {
    assertOptions('applyRetention', options);
    const { signal, ...given } = options;
    const rules = Object.keys(given).length > 0 ? given : this.retention;
    return applyRetention(this.context, rules, signal);
  }

  /**
   * Takes secrets out of what is stored already, by the rules that the store was opened with: events, metadata,
   * contents of files, diffs, the index and vectors. No byte of them is left in the files of the database;
   * backups and exports that were made before still hold them.
   *
   * @returns What was found, by rule.
   * @throws StorageError `busy` if another process reads all the time: run it again then.
   *
   * @example
   * ```ts
   * const { secrets, rules } = await store.redact({ dryRun: true });
   * ```
   */
  async redact(options: RedactStoredOptions = {}): Promise<RedactReport> {
    return redactStored(this.context, options);
  }

  /**
   * Rewrites the database without what was deleted or forgotten. Afterwards nothing of it is left in the file;
   * backups that users made before still hold it.
   *
   * @throws StorageError `busy` if another process reads all the time.
   */
  async vacuum(): Promise<void> {
    await purge(this.context);
  }

  /**
   * The memory, or a part of it, as one JSON document in pieces.
   *
   * @example
   * ```ts
   * await writeFile('memory.json', store.exportJson({ session: id }));
   * ```
   */
  exportJson(options: ExportOptions = {}): AsyncIterable<string> {
    assertOptions('exportJson', options);
    return exportJson(this.context, options);
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
    assertOptions('exportHtml', options);
    return exportHtml(this.context, options);
  }

  /** All intentions and edits of a file, in the form of `exportJson`. */
  exportFile(path: string, options: Omit<ExportOptions, 'path'> = {}): AsyncIterable<string> {
    assertOptions('exportFile', options);
    return exportJson(this.context, { ...options, path });
  }

  /**
   * Adds what an export holds and this memory does not. Importing again changes nothing, and two machines
   * that import from each other have the same events.
   *
   * @throws MemoryError `invalid-import`; what was imported before stays.
   */
  async importJson(source: ExportSource, options: ReadRecordsOptions = {}): Promise<ImportReport> {
    assertOptions('importJson', options);
    return importJson(this.context, source, options);
  }

  /**
   * Writes a consistent copy of the database, also while others write. Only this user can read it.
   *
   * @param path - A file that does not exist yet.
   */
  async backup(path: string): Promise<void> {
    assertStorable(path, 'the path of the backup');
    await this.context.database.backup(path);
    await chmod(path, 0o600);
  }

  /** Reads everything and tells what does not hold together; nothing is changed. */
  async check(options: { readonly signal?: AbortSignal } = {}): Promise<CheckReport> {
    assertOptions('check', options);
    return checkStore(this.context, options.signal);
  }

  /** Keeps the turns of conversations that are led elsewhere: each conversation becomes a session. */
  recorder(options: RecorderOptions = {}): TurnRecorder {
    assertOptions('recorder', options);
    return createRecorder(() => this.context, options);
  }

  /**
   * Reads the transcripts of coding agents: a file, or all below a folder. Importing again, or a file
   * that has grown, adds only what is new.
   *
   * Much is read in a thread of its own, while this one writes; where none can be started, in this one.
   *
   * @throws MemoryError `invalid-input` if there is no such file or folder; `import-failed` if the thread dies;
   * the signal's reason. What was written stays.
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
    return importTranscript({ store: this, context: () => this.context }, path, options);
  }

  /** Declares that folders are one workspace: git worktrees, a clone that was moved or renamed. */
  async joinWorkspaces(...workspaces: readonly string[]): Promise<void> {
    await joinWorkspaces(this.context, workspaces);
  }

  /** Declares that a folder is a workspace of its own again. */
  async leaveWorkspaces(workspace: string): Promise<void> {
    await leaveWorkspaces(this.context, workspace);
  }

  /** All folders that are one workspace with this one, itself included. */
  async workspaceGroup(workspace: string): Promise<readonly string[]> {
    return workspaceGroup(this.context, workspace);
  }
}
