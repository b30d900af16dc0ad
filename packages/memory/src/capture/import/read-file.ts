import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import type { JsonValue } from '@vizprompt/providers';
import { newCounts } from '../counts.ts';
import { detectAgent } from '../detect-agent.ts';
import type { EventDraft, TranscriptAgent, TranscriptReader } from '../draft.ts';
import { parseLine } from '../lines/parse-line.ts';
import { readLines, type FileLine } from '../lines/read-lines.ts';
import { READERS } from '../readers.ts';
import { Recording } from '../recording.ts';
import type { FoundFile } from './find-files.ts';
import type { ImportTranscriptOptions, LinePlace } from './import-options.ts';
import type { FileEnd } from './transcript-parts.ts';
import { wellFormed } from './well-formed.ts';

/** Lines that may stand before one that tells the program. */
const MAX_UNTOLD = 200;
/** Events are written in parts of so many bytes of the file. */
const PART_BYTES = 1 << 19;
/** And of so many characters that edits make: a line may change a few of those of a large file. */
const PART_TEXT = 1 << 21;
/** A file that nobody has changed for so long does not grow any more. */
const CLOSED_AFTER_MS = 24 * 60 * 60 * 1000;
/** Larger files of a single object are not read. */
const MAX_DOCUMENT = 256 << 20;

/** How a file is read. */
export type ReadFileOptions = Pick<ImportTranscriptOptions, 'agent' | 'closed' | 'signal'>;

/** What some lines of a file tell. */
export interface FilePart {
  readonly drafts: readonly EventDraft[];
  readonly bytes: number;
  /** With the last part. */
  readonly end?: FileEnd;
}

/** Where lines of a file are that cannot be read. */
interface Unread {
  readonly torn: LinePlace[];
  readonly broken: LinePlace[];
}

/** Reads one file, part by part. The sessions of the drafts become complete as the lines are read. */
export async function* readFileParts(
  { path, bytes, modifiedMs }: FoundFile,
  options: ReadFileOptions,
): AsyncGenerator<FilePart> {
  const closed = options.closed ?? Date.now() - modifiedMs > CLOSED_AFTER_MS;
  const counts = newCounts();
  const unread: Unread = { torn: [], broken: [] };
  const facts = { counts, ...unread };
  let open: { readonly recording: Recording; readonly reader: TranscriptReader } | undefined;
  let untold: Line[] = [];
  const begin = (agent: TranscriptAgent): void => {
    const fallback = basename(path).replace(/\.jsonl?$/i, '');
    const recording = new Recording(agent, counts, fallback);
    open = { recording, reader: READERS[agent](recording) };
    for (const line of untold) feed(open.reader, line);
    untold = [];
  };
  if (options.agent) begin(options.agent);
  let pending = 0;
  for await (const line of linesOf(path, bytes, unread, options.signal)) {
    if (open) feed(open.reader, line);
    else {
      untold.push(line);
      const agent = line.value === undefined ? undefined : detectAgent(line.value);
      if (agent) begin(agent);
      else if (untold.length >= MAX_UNTOLD) break;
    }
    pending += line.bytes;
    const isLarge = pending >= PART_BYTES || (open?.recording.textCharacters ?? 0) >= PART_TEXT;
    if (!isLarge) continue;
    yield { drafts: open?.recording.take() ?? [], bytes: pending };
    pending = 0;
  }
  if (!open) {
    const skipped =
      untold.length === 0 ? 'it is empty' : 'its lines are of no program that is known';
    yield { drafts: [], bytes: 0, end: { skipped, sessions: [], openCalls: 0, ...facts } };
    return;
  }
  const { recording, reader } = open;
  reader.end(closed);
  const drafts = recording.take();
  const sessions = recording.sessions().map((draft) => {
    const endedAt = closed ? recording.lastTime(draft) : undefined;
    return { draft, ...(endedAt === undefined ? {} : { endedAt }) };
  });
  const end = { sessions, openCalls: recording.state.calls.size, ...facts };
  yield { drafts, bytes: pending, end };
}

/** A line that is parsed. */
interface Line {
  readonly value: JsonValue | undefined;
  readonly broken?: string;
  readonly bytes: number;
}

function feed(reader: TranscriptReader, { value, broken }: Line): void {
  if (broken !== undefined) reader.broken(broken.toWellFormed());
  if (value !== undefined) reader.line(value);
}

async function* linesOf(
  path: string,
  bytes: number,
  unread: Unread,
  signal: AbortSignal | undefined,
): AsyncGenerator<Line> {
  if (/\.json$/i.test(path)) {
    const document =
      bytes > MAX_DOCUMENT
        ? undefined
        : parseLine(await readFile(path, { encoding: 'utf8', ...(signal ? { signal } : {}) }));
    // Else it is lines after all, or cut off.
    if (document?.value !== undefined && document.broken === undefined) {
      const text = JSON.stringify(document.value);
      yield { value: wellFormed(document.value, text), bytes };
      return;
    }
  }
  for await (const lines of readLines(path, { skipEmpty: true, signal })) {
    for (const line of lines) {
      const parsed = parsedLine(line, path, unread);
      if (parsed) yield parsed;
    }
  }
}

function parsedLine(line: FileLine, file: string, unread: Unread): Line | undefined {
  const { text, isWhole, bytes } = line;
  if (text.trim() === '') return undefined;
  const { value, broken } = parseLine(text);
  const place = { file, line: line.line, offset: line.offset };
  if (value === undefined && !isWhole) {
    unread.torn.push(place);
    return undefined;
  }
  if (broken !== undefined) unread.broken.push(place);
  return {
    value: value === undefined ? undefined : wellFormed(value, text),
    bytes: bytes + 1,
    ...(broken === undefined ? {} : { broken }),
  };
}
