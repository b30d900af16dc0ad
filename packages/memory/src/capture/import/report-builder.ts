import type { EventType } from '../../model/event-data.ts';
import { newCounts, type LineCounts } from '../reader-state.ts';
import type { FileEnd } from './import-deduplicator.ts';
import type { LinePlace, TranscriptReport } from './import-options.ts';

/** Puts a report together while files are read. */
export class ReportBuilder {
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
