import { defined } from '@vizprompt/providers';
import { fileTexts } from '../../log/new-contents.ts';
import type { EventRecord } from '../../log/event-record.ts';
import type { PrepareSettings } from '../../log/prepare-event.ts';
import type { EventDraft } from '../draft.ts';
import type { FoundFile } from './find-files.ts';
import { prepareDrafts } from './prepare-drafts.ts';
import { readFileParts, type ReadFileOptions } from './read-file.ts';
import { runsOf, type Run } from './runs-of.ts';
import type {
  DraftHead,
  DraftRun,
  PreparedBatch,
  PrepareRequest,
  TranscriptPart,
  TranscriptParts,
} from './transcript-parts.ts';

const MAX_MARKS = 10_000;

/** Reads and prepares in the thread that asks. */
export class ReadParts implements TranscriptParts {
  readonly #settings: Omit<PrepareSettings, 'clock'>;
  readonly #parts: AsyncGenerator<TranscriptPart, undefined>;
  /** The drafts of the last parts, by the number of the part, run by run. */
  readonly #runs = new Map<number, readonly Run[]>();
  /** The texts that were given before: once is enough to search them. */
  readonly #marks = new Set<string>();

  constructor(
    files: readonly FoundFile[],
    options: ReadFileOptions,
    settings: Omit<PrepareSettings, 'clock'>,
  ) {
    this.#settings = settings;
    this.#parts = this.#read(files, options);
  }

  async next(): Promise<TranscriptPart | undefined> {
    return (await this.#parts.next()).value;
  }

  async prepare(request: PrepareRequest): Promise<PreparedBatch> {
    const drafts = this.#runs.get(request.part)?.[request.run]?.drafts ?? [];
    if (this.#marks.size > MAX_MARKS) this.#marks.clear();
    return prepareDrafts(drafts, request, this.#settings, (record) => this.#lightened(record));
  }

  async close(): Promise<void> {
    await this.#parts.return(undefined);
    this.#runs.clear();
  }

  async *#read(
    files: readonly FoundFile[],
    options: ReadFileOptions,
  ): AsyncGenerator<TranscriptPart, undefined> {
    let number = 0;
    for (const [file, found] of files.entries()) {
      for await (const { drafts, bytes, end } of readFileParts(found, options)) {
        const runs = runsOf(drafts);
        this.#runs.set(number, runs);
        this.#runs.delete(number - 2);
        yield { number, file, bytes, runs: runs.map(toDraftRun), ...(end ? { end } : {}) };
        number += 1;
      }
    }
    return undefined;
  }

  /** Without texts that nobody asks for: they would fill the memory until they are written. */
  #lightened(record: EventRecord): EventRecord {
    const texts: { old?: string; new?: string } = {};
    for (const { side, mark, isCovered } of fileTexts(record)) {
      const text = record.texts[side];
      if (text !== undefined && !isCovered && !this.#marks.has(mark)) texts[side] = text;
      this.#marks.add(mark);
    }
    return { ...record, texts };
  }
}

function toDraftRun({ session, drafts }: Run): DraftRun {
  // It goes on changing while more lines are read.
  const copy = { ...session, metadata: { ...session.metadata } };
  return { session: copy, heads: drafts.map(headOf) };
}

function headOf({ key, alias, parent, intention, unlessWhole }: EventDraft): DraftHead {
  return { key, ...defined({ alias, parent, intention, unlessWhole }) };
}
