import { isRecord } from './record.ts';
import { MemoryError } from '../errors.ts';
import { EXPORT_FORMAT, EXPORT_VERSION } from './export-json.ts';

/** What an export can be read from: the text, or its pieces. */
export type ExportSource = string | Iterable<string> | AsyncIterable<string>;

/**
 * The records of an export. One that lies on the disk as it was written is read line by line; one that
 * was formatted anew is read as a whole.
 *
 * @throws MemoryError `invalid-import` with the line.
 */
export async function* readRecords(source: ExportSource): AsyncGenerator {
  const lines = linesOf(typeof source === 'string' ? [source] : source);
  const first = await lines.next();
  const head = first.done ? '' : first.value;
  if (!head.trimEnd().endsWith('"records":[')) {
    let text = head;
    for await (const line of lines) text += `\n${line}`;
    yield* recordsOfDocument(parse(text, 'the text'));
    return;
  }
  assertHead(parse(`${head}]}`, 'line 1'));
  let number = 1;
  let isEnded = false;
  for await (const line of lines) {
    number++;
    const text = line.trim().replace(/,$/, '');
    if (text === '') continue;
    if (isEnded) throw invalid(`line ${number} stands behind the end`);
    if (text === ']}') isEnded = true;
    else yield parse(text, `line ${number}`);
  }
  if (!isEnded) throw invalid(`it ends after line ${number}, in the middle`);
}

function* recordsOfDocument(document: unknown): Generator {
  assertHead(document);
  yield* document.records;
}

function assertHead(value: unknown): asserts value is { readonly records: readonly unknown[] } {
  if (!isRecord(value) || value['format'] !== EXPORT_FORMAT || !Array.isArray(value['records'])) {
    throw invalid(`it does not begin with {"format":"${EXPORT_FORMAT}"`);
  }
  const { version } = value;
  if (typeof version === 'number' && version >= 1 && version <= EXPORT_VERSION) return;
  throw invalid(
    `it is of version ${JSON.stringify(version)}, and this package reads up to ${EXPORT_VERSION}`,
  );
}

function parse(text: string, place: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw invalid(`${place} is no JSON`, cause);
  }
}

/** The error for what cannot be imported. */
export function invalid(why: string, cause?: unknown): MemoryError {
  return new MemoryError('invalid-import', `this is no export of a memory: ${why}`, { cause });
}

async function* linesOf(
  pieces: Iterable<string> | AsyncIterable<string>,
): AsyncGenerator<string, void, undefined> {
  let rest = '';
  for await (const piece of pieces) {
    const lines = (rest + piece).split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
  }
  yield rest;
}
