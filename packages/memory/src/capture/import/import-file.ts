import { readFile } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import type { JsonValue } from '@vizprompt/providers';
import type { SessionLog } from '../../store/session-log.ts';
import { detectAgent } from '../detect-agent.ts';
import type { TranscriptAgent, TranscriptReader } from '../draft.ts';
import { parseLine } from '../lines/parse-line.ts';
import { readLines, type FileLine } from '../lines/read-lines.ts';
import { READERS } from '../readers.ts';
import { Recording } from '../recording.ts';
import { DraftWriter } from './draft-writer.ts';
import type { FoundFile } from './find-files.ts';
import type { ImportTranscriptOptions } from './import-options.ts';
import type { ReportBuilder } from './report-builder.ts';
import { wellFormed } from './well-formed.ts';

/** Lines that may stand before one that tells the program. */
const MAX_UNTOLD = 200;
/** Events are written in parts of so many bytes of the file. */
const PART_BYTES = 4 << 20;
/** A file that nobody has changed for so long does not grow any more. */
const CLOSED_AFTER_MS = 24 * 60 * 60 * 1000;
/** Larger files of a single object are not read. */
const MAX_DOCUMENT = 512 << 20;

/** Reads one file into the store. */
export async function importFile(
  store: SessionLog,
  { path, bytes, modifiedMs }: FoundFile,
  report: ReportBuilder,
  options: ImportTranscriptOptions,
  onPart: (bytes: number) => void,
): Promise<void> {
  const { signal, workspace } = options;
  const closed = options.closed ?? Date.now() - modifiedMs > CLOSED_AFTER_MS;
  const writer = new DraftWriter(
    store,
    report,
    ({ workspacePath }) => workspace ?? workspacePath ?? dirname(path),
  );
  let open: { readonly recording: Recording; readonly reader: TranscriptReader } | undefined;
  let untold: Line[] = [];
  const begin = (agent: TranscriptAgent): void => {
    const fallback = basename(path).replace(/\.jsonl?$/i, '');
    const recording = new Recording(agent, report.counts, fallback);
    open = { recording, reader: READERS[agent](recording) };
    for (const line of untold) feed(open.reader, line);
    untold = [];
  };
  if (options.agent) begin(options.agent);
  let pending = 0;
  const flush = async (): Promise<void> => {
    signal?.throwIfAborted();
    if (open) await writer.write(open.recording.take(), path, signal);
    onPart(pending);
    pending = 0;
  };
  for await (const line of linesOf(path, bytes, report, signal)) {
    if (open) feed(open.reader, line);
    else {
      untold.push(line);
      const agent = line.value === undefined ? undefined : detectAgent(line.value);
      if (agent) begin(agent);
      else if (untold.length >= MAX_UNTOLD) break;
    }
    pending += line.bytes;
    if (pending >= PART_BYTES) await flush();
  }
  if (!open) {
    const reason =
      untold.length === 0 ? 'it is empty' : 'its lines are of no program that is known';
    report.skippedFiles.push({ file: path, reason });
    return;
  }
  open.reader.end(closed);
  await flush();
  report.openCalls += open.recording.state.calls.size;
  report.files += 1;
  for (const session of open.recording.sessions()) {
    await writer.finish(session, closed ? open.recording.lastTime(session) : undefined);
  }
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
  report: ReportBuilder,
  signal: AbortSignal | undefined,
): AsyncGenerator<Line> {
  if (/\.json$/i.test(path)) {
    const document = bytes > MAX_DOCUMENT ? undefined : parseLine(await readFile(path, 'utf8'));
    // Else it is lines after all, or cut off.
    if (document?.value !== undefined && document.broken === undefined) {
      const text = JSON.stringify(document.value);
      yield { value: wellFormed(document.value, text), bytes };
      return;
    }
  }
  for await (const lines of readLines(path, signal ? { signal } : {})) {
    for (const line of lines) {
      const parsed = parsedLine(line, path, report);
      if (parsed) yield parsed;
    }
  }
}

function parsedLine(line: FileLine, file: string, report: ReportBuilder): Line | undefined {
  const { text, isWhole, bytes } = line;
  if (text.trim() === '') return undefined;
  const { value, broken } = parseLine(text);
  const place = { file, line: line.line, offset: line.offset };
  if (value === undefined && !isWhole) {
    report.torn.push(place);
    return undefined;
  }
  if (broken !== undefined) report.broken.push(place);
  return {
    value: value === undefined ? undefined : wellFormed(value, text),
    bytes: bytes + 1,
    ...(broken === undefined ? {} : { broken }),
  };
}
