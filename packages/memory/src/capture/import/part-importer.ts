import { dirname } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { eventOfRecord, type EventRecord, type WrittenRecords } from '../../log/event-record.ts';
import type { MemoryContext } from '../../store/memory-context.ts';
import { placeOf } from '../../store/session-rows.ts';
import { DraftChooser, type ComingEvents } from './draft-chooser.ts';
import type { FoundFile } from './find-files.ts';
import type { TranscriptStore } from './import-options.ts';
import { RecordGroup } from './record-group.ts';
import type { ReportBuilder } from './report-builder.ts';
import { StepQueue } from './step-queue.ts';
import type {
  ChosenDraft,
  DraftRun,
  FileEnd,
  PreparedBatch,
  PrepareRequest,
  TranscriptPart,
  TranscriptParts,
} from './transcript-parts.ts';

/** How many steps, two for most parts, are prepared before they are done: neither side waits for the other. */
const AHEAD = 32;
/** How many parts are read beside the one that is taken. */
const READ_AHEAD = 10;

/** Where events are written to. */
export interface ImportTarget {
  readonly store: TranscriptStore;
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

/** Writes the parts of transcripts, some of them at once, while the next ones are prepared. */
export class PartImporter {
  readonly #options: PartImporterOptions;
  readonly #steps = new StepQueue(AHEAD);
  /** The ids of events that are chosen and not written yet. */
  readonly #chosen = new Set<string>();
  readonly #coming: ComingEvents = {
    has: (id) => this.#chosen.has(id),
    write: async () => {
      // A step that waits for this choice would never end.
      this.#endChoosing();
      await this.#writeAll();
    },
  };
  /** Ends when the thread that prepares has been told what was being chosen for it. */
  #choosing: Promise<void> | undefined;
  #endChoosing = (): void => undefined;
  #group = new RecordGroup();
  #chooser: DraftChooser | undefined;
  #file = -1;
  /** Parts before this one are gathered. */
  #needed = 0;

  constructor(options: PartImporterOptions) {
    this.#options = options;
  }

  /** Writes everything. What was prepared before a failure is written all the same. */
  async run(): Promise<void> {
    try {
      await this.#takeAll();
      await this.#writeAll();
    } catch (error) {
      await this.#steps.end().catch(() => undefined);
      // That fails, too, where it is the writing that failed or where it is to stop.
      await this.#writeGroup().catch(() => undefined);
      throw error;
    }
  }

  async #takeAll(): Promise<void> {
    const { parts, signal } = this.#options;
    const reading: Promise<TranscriptPart | undefined>[] = [];
    const read = (): void => {
      const next = parts.next(this.#needed);
      // It is told when it is taken.
      next.catch(() => undefined);
      reading.push(next);
    };
    for (let ahead = 0; ahead < READ_AHEAD; ahead++) read();
    for (;;) {
      const part = await reading.shift();
      if (!part) return;
      signal?.throwIfAborted();
      read();
      await this.#take(part);
    }
  }

  async #take(part: TranscriptPart): Promise<void> {
    const { onPart, report } = this.#options;
    const chooser = this.#chooserOf(part.file);
    for (const [index, run] of part.runs.entries()) await this.#takeRun(chooser, part, index, run);
    const { bytes, end, file, number } = part;
    await this.#steps.add(async () => {
      this.#needed = number + 1;
      this.#group.later(async () => {
        if (end?.skipped === undefined) {
          report.bytes += bytes;
          onPart(file, false);
        }
        if (!end) return;
        await this.#endFile(chooser, file, end);
        onPart(file, true);
      });
      // Where all is there already, nothing else would tell of it.
      if (this.#group.isFull || this.#group.count === 0) await this.#writeGroup();
    });
  }

  async #takeRun(
    chooser: DraftChooser,
    part: TranscriptPart,
    index: number,
    { session, heads }: DraftRun,
  ): Promise<void> {
    const { target, parts } = this.#options;
    this.#choosing = new Promise((resolve) => {
      this.#endChoosing = resolve;
    });
    const { id, chosen } = await this.#choose(chooser, session, heads).finally(this.#endChoosing);
    if (chosen.length === 0) return;
    const { workspace } = await placeOf(target.context(), id);
    const now = target.context().clock();
    const request = { part: part.number, run: index, chosen, workspace, now };
    const first = parts.prepare(request);
    // It is told when it is taken, unless something failed before.
    first.catch(() => undefined);
    for (const { id: coming } of chosen) this.#chosen.add(coming);
    await this.#steps.add(() => this.#gather(id, part.file, request, first));
  }

  async #choose(
    chooser: DraftChooser,
    session: DraftRun['session'],
    heads: DraftRun['heads'],
  ): Promise<{ readonly id: string; readonly chosen: readonly ChosenDraft[] }> {
    const { report } = this.#options;
    const { id } = await chooser.start(session);
    report.sessions.add(id);
    const chosen = await chooser.choose(session, heads, this.#coming);
    report.skipped += heads.length - chosen.length;
    return { id, chosen };
  }

  /** Takes what was prepared, and has the rest prepared where it is too much for one time. */
  async #gather(
    session: string,
    file: number,
    request: PrepareRequest,
    first: Promise<PreparedBatch>,
  ): Promise<void> {
    const { files, parts, report } = this.#options;
    let { chosen } = request;
    for (let making = first; ;) {
      // There is time for it, instead of waiting.
      if (this.#group.isWorthIt && !(await isSettled(making))) await this.#writeGroup();
      const { count, records, refused } = await making;
      this.#group.add(session, records);
      const path = files[file]?.path ?? '';
      for (const each of refused) report.refused.push({ file: path, ...each });
      const done = chosen.slice(0, count);
      this.#group.later(() => {
        for (const { id } of done) this.#chosen.delete(id);
      });
      chosen = chosen.slice(count);
      if (this.#group.isFull) await this.#writeGroup();
      if (chosen.length === 0) return;
      making = parts.prepare({ ...request, chosen });
    }
  }

  async #writeAll(): Promise<void> {
    await this.#steps.end();
    await this.#writeGroup();
  }

  async #writeGroup(): Promise<void> {
    const { target, report, signal } = this.#options;
    await this.#tellOther();
    signal?.throwIfAborted();
    const group = this.#group;
    this.#group = new RecordGroup();
    const context = target.context();
    const all = await group.write(context);
    for (const { records } of all) {
      for (const { type } of records) if (type !== 'forgotten') report.add(type);
    }
    report.skipped += group.count - all.reduce((sum, { records }) => sum + records.length, 0);
    for (const written of all) tell(context, written);
    await group.finish();
  }

  /** Lets the other thread be told as much as it may be: while this one writes, it is told nothing. */
  async #tellOther(): Promise<void> {
    for (let told: unknown; told !== this.#choosing;) {
      told = this.#choosing;
      await this.#choosing;
      await setImmediate();
    }
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

async function isSettled(promise: Promise<unknown>): Promise<boolean> {
  const settled = promise.then(
    () => true,
    () => true,
  );
  return Promise.race([settled, setImmediate(false)]);
}

function tell(
  { events }: MemoryContext,
  { session, records, first }: WrittenRecords<EventRecord>,
): void {
  for (const [index, record] of records.entries()) {
    if (events.listenerCount('event:logged') === 0) return;
    events.emit('event:logged', { event: eventOfRecord(record, session, first + index) });
  }
}
