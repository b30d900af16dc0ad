import { dirname } from 'node:path';
import { eventOfRecord, type EventRecord } from '../../log/event-record.ts';
import { writeNewRecords } from '../../log/log-events.ts';
import { placeOf } from '../../session/session-rows.ts';
import type { MemoryContext } from '../../store/memory-context.ts';
import type { SessionLog } from '../../store/session-log.ts';
import { DraftChooser } from './draft-chooser.ts';
import type { FoundFile } from './find-files.ts';
import { OneBehind } from './one-behind.ts';
import type { ReportBuilder } from './report-builder.ts';
import type {
  DraftRun,
  FileEnd,
  PreparedBatch,
  TranscriptPart,
  TranscriptParts,
} from './transcript-parts.ts';

/** Where events are written to. */
export interface ImportTarget {
  readonly store: SessionLog;
  /** @throws MemoryError `closed`. */
  context(): MemoryContext;
}

/** What one import writes to and tells. */
export interface PartImporterOptions {
  readonly target: ImportTarget;
  readonly parts: TranscriptParts;
  readonly files: readonly FoundFile[];
  readonly report: ReportBuilder;
  /** The workspace of all sessions. */
  readonly workspace: string | undefined;
  readonly signal: AbortSignal | undefined;
  /** Called behind a part that was written, and at the end of a file, with the place of the file. */
  onPart(file: number, isEnd: boolean): void;
}

/** Writes the parts of transcripts: each batch while the next one is prepared. */
export class PartImporter {
  readonly #options: PartImporterOptions;
  readonly #behind = new OneBehind();
  /** The events that are prepared and not written yet: whether each has the whole text of a file. */
  readonly #coming = new Map<string, boolean>();
  #chooser: DraftChooser | undefined;
  #file = -1;

  constructor(options: PartImporterOptions) {
    this.#options = options;
  }

  /** Writes everything. What was read before a failure is written first. */
  async run(): Promise<void> {
    const { parts, signal } = this.#options;
    for (let reading = parts.next(); ;) {
      const part = await reading.catch(async (error: unknown) => {
        await this.#behind.flush();
        throw error;
      });
      if (!part) break;
      signal?.throwIfAborted();
      reading = parts.next();
      reading.catch(() => undefined);
      await this.#take(part);
    }
    await this.#behind.flush();
  }

  async #take(part: TranscriptPart): Promise<void> {
    const { onPart, report } = this.#options;
    const chooser = this.#chooserOf(part.file);
    for (const [index, run] of part.runs.entries()) await this.#takeRun(chooser, part, index, run);
    const { end, file, bytes } = part;
    this.#behind.later(async () => {
      if (end?.skipped === undefined) {
        report.bytes += bytes;
        onPart(file, false);
      }
      if (!end) return;
      await this.#endFile(chooser, file, end);
      onPart(file, true);
    });
  }

  async #takeRun(
    chooser: DraftChooser,
    part: TranscriptPart,
    index: number,
    { session, heads }: DraftRun,
  ): Promise<void> {
    const { target, parts, report } = this.#options;
    const { id } = await chooser.start(session);
    report.sessions.add(id);
    const chosen = await chooser.choose(session, heads, this.#coming);
    report.skipped += heads.length - chosen.length;
    const { workspace } = await placeOf(target.context(), id);
    for (let from = 0; from < chosen.length;) {
      const request = { part: part.number, run: index, chosen: chosen.slice(from), workspace };
      const now = target.context().clock();
      const asked = parts.prepare({ ...request, now });
      const { count, records } = await this.#behind.step(asked, (batch) =>
        this.#write(id, part.file, batch),
      );
      for (const { id: coming, blobs } of records)
        this.#coming.set(coming, blobs.new !== undefined);
      from += count;
    }
  }

  async #write(
    session: string,
    file: number,
    { count, records, refused }: PreparedBatch,
  ): Promise<void> {
    const { target, files, report, signal } = this.#options;
    signal?.throwIfAborted();
    const context = target.context();
    const place = await placeOf(context, session);
    const { written, first } = await writeNewRecords(context, session, place, records, 'any');
    this.#coming.clear();
    for (const { type } of written) if (type !== 'forgotten') report.add(type);
    const path = files[file]?.path ?? '';
    for (const each of refused) report.refused.push({ file: path, ...each });
    report.skipped += count - written.length - refused.length;
    tell(context, session, written, first);
  }

  async #endFile(chooser: DraftChooser, file: number, end: FileEnd): Promise<void> {
    const { files, report } = this.#options;
    report.addFile(end, files[file]?.path ?? '');
    for (const { draft, endedAt } of end.sessions) await chooser.finish(draft, endedAt);
  }

  #chooserOf(file: number): DraftChooser {
    if (this.#chooser && this.#file === file) return this.#chooser;
    const { target, files, workspace } = this.#options;
    const folder = dirname(files[file]?.path ?? '');
    this.#file = file;
    this.#chooser = new DraftChooser(
      target.store,
      ({ workspacePath }) => workspace ?? workspacePath ?? folder,
    );
    return this.#chooser;
  }
}

function tell(
  { events }: MemoryContext,
  session: string,
  written: readonly EventRecord[],
  first: number,
): void {
  for (const [index, record] of written.entries()) {
    if (events.listenerCount('event:logged') === 0) return;
    events.emit('event:logged', { event: eventOfRecord(record, session, first + index) });
  }
}
