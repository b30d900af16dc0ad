import { defined } from '@vizprompt/providers';
import { MAX_INDEXED } from '../../indexing/indexed-fields.ts';
import { contentWords, type ContentWords } from '../../indexing/indexed-words.ts';
import type { EventRecord, FileTexts } from '../../log/event-record.ts';
import { fileTexts } from '../../log/new-contents.ts';
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
  /** The drafts of the parts that may be asked for, by the number of the part, run by run. */
  readonly #runs = new Map<number, readonly Run[]>();
  /** The texts that came before: each is searched at the first event of its session that has it. */
  readonly #marks = new Set<string>();

  constructor(
    files: readonly FoundFile[],
    options: ReadFileOptions,
    settings: Omit<PrepareSettings, 'clock'>,
  ) {
    this.#settings = settings;
    this.#parts = this.#read(files, options);
  }

  async next(needed: number): Promise<TranscriptPart | undefined> {
    for (const number of this.#runs.keys()) if (number < needed) this.#runs.delete(number);
    return (await this.#parts.next()).value;
  }

  async prepare(request: PrepareRequest): Promise<PreparedBatch> {
    const drafts = this.#runs.get(request.part)?.[request.run]?.drafts ?? [];
    if (this.#marks.size > MAX_MARKS) this.#marks.clear();
    return prepareDrafts(drafts, request, this.#settings, (record, texts) =>
      this.#withWords(record, texts),
    );
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
        yield { number, file, bytes, runs: runs.map(toDraftRun), ...(end ? { end } : {}) };
        number += 1;
      }
    }
    return undefined;
  }

  /** With the words of those texts that no event of the session was found by. */
  #withWords(record: EventRecord, texts: FileTexts<string>): EventRecord {
    const words: { old?: ContentWords; new?: ContentWords } = {};
    for (const { side, mark, isCovered } of fileTexts(record)) {
      const text = texts[side];
      const isKnown = isCovered || this.#marks.has(mark);
      this.#marks.add(mark);
      if (text === undefined || isKnown || text.length > MAX_INDEXED) continue;
      words[side] = contentWords(text, this.#settings.analyzer);
    }
    return { ...record, contentWords: words };
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
