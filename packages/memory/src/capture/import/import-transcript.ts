import { dirname } from 'node:path';
import {
  FLAG,
  FUNCTION,
  type Kinds,
  oneOf,
  optional,
  SIGNAL,
  TEXT,
} from '@vizprompt/providers/config/internal';
import { loopTurn, omitUndefined } from '@vizprompt/providers/internal';
import { checkOptions } from '../../check-values.ts';
import type { WrittenEvents } from '../../log/log-events.ts';
import { asEvent, type PreparedEvent, prepareEvent } from '../../log/prepare-event.ts';
import type { EventType } from '../../model/event-data.ts';
import type { NewEvent } from '../../model/memory-event.ts';
import type { MemoryContext } from '../../store/memory-context.ts';
import { resolveSession } from '../../store/session-rows.ts';
import { cutToFit } from '../cut-to-fit.ts';
import { TRANSCRIPT_AGENTS } from '../draft.ts';
import { type LineCounts, newCounts } from '../reader-state.ts';
import { EventGroup, eventOf, isRefusal, type Run, runsOf } from './draft-writer.ts';
import { findFiles, type FoundFile } from './find-files.ts';
import { type ComingEvents, type FileEnd, ImportDeduplicator } from './import-deduplicator.ts';
import type {
  ImportTranscriptOptions,
  LinePlace,
  TranscriptReport,
  TranscriptStore,
} from './import-options.ts';
import { type FilePart, type ReadFileOptions, readFileParts } from './read-file.ts';

const OPTIONS: Kinds<ImportTranscriptOptions> = {
  agent: optional(oneOf(...TRANSCRIPT_AGENTS)),
  workspace: optional(TEXT),
  closed: optional(FLAG),
  signal: optional(SIGNAL),
  onProgress: optional(FUNCTION),
};

/**
 * Reads the transcripts of Claude Code, Codex, Gemini CLI, Copilot CLI and opencode into a store. Stored entries are
 * skipped, so importing again, or a file that has grown, adds only what is new.
 *
 * @param path - A file, or a folder: all `.jsonl` and `.json` files below it, those compressed by Codex, and the databases of
 *   opencode.
 * @throws MemoryError `invalid-input` if there is no such file or folder.
 * @throws The signal's reason, and what the store throws.
 *
 * @example
 * ```ts
 * const report = await importTranscript(target, join(homedir(), '.claude', 'projects'));
 * console.log(report.added, report.unknown);
 * ```
 */
export async function importTranscript(
  target: ImportTarget,
  path: string,
  options: ImportTranscriptOptions = {},
): Promise<TranscriptReport> {
  checkOptions('importTranscript', options, OPTIONS);
  const { agent, signal, onProgress } = options;
  const files = await findFiles(path);
  const totalBytes = files.reduce((sum, { bytes }) => sum + bytes, 0);
  const report = new ReportBuilder();
  signal?.throwIfAborted();
  const importer = new TranscriptImporter({
    ...omitUndefined({ agent, closed: options.closed, signal }),
    target,
    files,
    report,
    workspace: options.workspace,
    onPart: (file, isEnd) =>
      onProgress?.({
        file: files[file]?.path ?? '',
        files: isEnd ? file + 1 : file,
        totalFiles: files.length,
        bytes: report.bytes,
        totalBytes,
        events: report.added,
      }),
  });
  await importer.run();
  return report.build();
}

/** The store and the context that an import writes to. */
export interface ImportTarget {
  readonly store: TranscriptStore;
  /** @throws MemoryError `closed`. */
  context(): MemoryContext;
}

/** Source files, target and report of one import. */
interface TranscriptImporterOptions extends ReadFileOptions {
  readonly target: ImportTarget;
  readonly files: readonly FoundFile[];
  readonly report: ReportBuilder;
  /** The workspace of all sessions. */
  readonly workspace: string | undefined;
  /** Called after a part that was written, and at the end of a file, with the place of the file. */
  onPart(file: number, isEnd: boolean): void;
}

/** Reads transcripts part by part, and writes what is new in groups. */
class TranscriptImporter {
  readonly #options: TranscriptImporterOptions;
  #group = new EventGroup();
  /** The ids of events that are chosen and not written yet. */
  readonly #coming: ComingEvents = {
    has: (id) => this.#group.has(id),
    write: () => this.#write(),
  };

  constructor(options: TranscriptImporterOptions) {
    this.#options = options;
  }

  /** Writes everything, also the entries that were prepared before a failure. */
  async run(): Promise<void> {
    try {
      for (const [place, file] of this.#options.files.entries()) {
        await this.#importFile(place, file);
      }
      await this.#write();
    } catch (error) {
      // That fails, too, where it is the writing that failed or where it is to stop.
      await this.#write().catch(() => undefined);
      // Reading says only that it was stopped, not why.
      this.#options.signal?.throwIfAborted();
      throw error;
    }
  }

  async #importFile(place: number, file: FoundFile): Promise<void> {
    const { target, workspace, signal } = this.#options;
    const folder = dirname(file.path);
    const importer = new ImportDeduplicator(
      target.store,
      ({ workspacePath }) => workspace ?? workspacePath ?? folder,
    );
    for await (const part of readFileParts(file, this.#options)) {
      signal?.throwIfAborted();
      for (const run of runsOf(part.drafts)) await this.#importRun(importer, file.path, run);
      this.#group.later(() => this.#endPart(importer, place, part));
      // If the store has all events already, no other write would report this part.
      if (this.#group.isFull || this.#group.count === 0) await this.#write();
    }
  }

  async #importRun(
    importer: ImportDeduplicator,
    file: string,
    { session, drafts }: Run,
  ): Promise<void> {
    const { target, report } = this.#options;
    const { id } = await importer.start(session);
    report.sessions.add(id);
    const chosen = await importer.choose(session, drafts, this.#coming);
    report.skipped += drafts.length - chosen.length;
    for (const each of chosen) {
      const draft = drafts[each.index];
      if (!draft) continue;
      const context = target.context();
      const { workspace } = await resolveSession(context, id);
      const event = eventOf(draft, each);
      try {
        this.#group.add(id, prepareFitting(context, workspace, event));
      } catch (error) {
        if (!isRefusal(error)) throw error;
        const { code, message } = error;
        report.refused.push({ file, type: draft.type, code, message });
      }
      if (this.#group.isFull) await this.#write();
      await loopTurn();
    }
  }

  async #endPart(
    importer: ImportDeduplicator,
    place: number,
    { bytes, end }: FilePart,
  ): Promise<void> {
    const { files, report, onPart } = this.#options;
    if (end?.skipped === undefined) {
      report.bytes += bytes;
      onPart(place, false);
    }
    if (!end) return;
    report.addFile(end, files[place]?.path ?? '');
    for (const { draft, endedAt } of end.sessions) await importer.finish(draft, endedAt);
    onPart(place, true);
  }

  async #write(): Promise<void> {
    const { target, report, signal } = this.#options;
    signal?.throwIfAborted();
    const group = this.#group;
    this.#group = new EventGroup();
    const context = target.context();
    const written = await group.write(context);
    for (const { events } of written) {
      for (const { type } of events) if (type !== 'forgotten') report.add(type);
    }
    report.skipped += group.count - written.reduce((sum, { events }) => sum + events.length, 0);
    for (const one of written) emitLogged(context, one);
    await group.finish();
  }
}

function prepareFitting(context: MemoryContext, workspace: string, event: NewEvent): PreparedEvent {
  try {
    return prepareEvent(context, workspace, event);
  } catch (error) {
    const cut = isRefusal(error) ? cutToFit(event, error) : undefined;
    if (!cut) throw error;
    return prepareEvent(context, workspace, cut);
  }
}

function emitLogged({ events: emitter }: MemoryContext, written: WrittenEvents): void {
  const { session, events, first } = written;
  for (const [index, event] of events.entries()) {
    if (emitter.listenerCount('event:logged') === 0) return;
    emitter.emit('event:logged', { event: asEvent(event, session, first + index) });
  }
}

/** Puts a report together while files are read. */
class ReportBuilder {
  readonly counts: LineCounts = newCounts();
  readonly skippedFiles: { file: string; reason: string }[] = [];
  readonly sessions: Set<string> = new Set();
  readonly torn: LinePlace[] = [];
  readonly broken: LinePlace[] = [];
  readonly refused: TranscriptReport['refused'][number][] = [];
  readonly #events: Partial<Record<EventType, number>> = {};
  added = 0;
  skipped = 0;
  files = 0;
  bytes = 0;
  openCalls = 0;

  /** Counts an event that was added. */
  add(type: EventType): void {
    this.added += 1;
    this.#events[type] = (this.#events[type] ?? 0) + 1;
  }

  /** Counts what is known when a file has been read. */
  addFile({ skipped, counts, torn, broken, openCalls }: FileEnd, file: string): void {
    for (const name of ['unknown', 'kept', 'passing'] as const) {
      const sums = this.counts[name];
      for (const [type, count] of counts[name]) sums.set(type, (sums.get(type) ?? 0) + count);
    }
    this.counts.emptyThoughts += counts.emptyThoughts;
    this.counts.unknownTexts += counts.unknownTexts;
    this.torn.push(...torn);
    this.broken.push(...broken);
    this.openCalls += openCalls;
    if (skipped === undefined) this.files += 1;
    else this.skippedFiles.push({ file, reason: skipped });
  }

  build(): TranscriptReport {
    const { counts } = this;
    return {
      files: this.files,
      bytes: this.bytes,
      skippedFiles: this.skippedFiles,
      sessions: [...this.sessions],
      added: this.added,
      skipped: this.skipped,
      events: this.#events,
      unknown: Object.fromEntries(counts.unknown),
      kept: Object.fromEntries(counts.kept),
      passing: Object.fromEntries(counts.passing),
      torn: this.torn,
      broken: this.broken,
      refused: this.refused,
      emptyThoughts: counts.emptyThoughts,
      unknownTexts: counts.unknownTexts,
      openCalls: this.openCalls,
    };
  }
}
