import { isJsonObject } from '@vizprompt/providers';
import { MemoryError } from '../errors.ts';
import { EXPORT_FORMAT, EXPORT_VERSION } from './export-json.ts';

/** What an export can be read from: the text or its UTF-8 bytes, whole or in pieces, such as those of a file. */
export type ExportSource =
  | string
  | Uint8Array
  | Iterable<string | Uint8Array>
  | AsyncIterable<string | Uint8Array>;

/**
 * The records of an export. One that lies on the disk as it was written is read line by line; one that
 * was formatted anew is read as a whole.
 *
 * @throws MemoryError `invalid-import` with the line.
 */
export async function* readRecords(source: ExportSource): AsyncGenerator {
  const isWhole = typeof source === 'string' || source instanceof Uint8Array;
  const lines = linesOf(isWhole ? [source] : source);
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
  if (!isJsonObject(value) || value['format'] !== EXPORT_FORMAT) {
    throw invalid(`it does not begin with {"format":"${EXPORT_FORMAT}"`);
  }
  const { version } = value;
  if (typeof version !== 'number' || version < 1 || version > EXPORT_VERSION) {
    throw invalid(
      `it is of version ${JSON.stringify(version)}, and this package reads up to ${EXPORT_VERSION}`,
    );
  }
  if (!Array.isArray(value['records'])) throw invalid('it has no list of records');
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
  pieces: Iterable<string | Uint8Array> | AsyncIterable<string | Uint8Array>,
): AsyncGenerator<string, void, undefined> {
  let rest = '';
  let isFirst = true;
  for await (const text of textOf(pieces)) {
    if (text === '') continue;
    const lines = (rest + (isFirst ? text.replace(/^\uFEFF/, '') : text)).split('\n');
    isFirst = false;
    rest = lines.pop() ?? '';
    yield* lines;
  }
  yield rest;
}

/** Pieces as text; a character may lie in two of them. */
async function* textOf(
  pieces: Iterable<string | Uint8Array> | AsyncIterable<string | Uint8Array>,
): AsyncGenerator<string, void, undefined> {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  const decode = (bytes?: Uint8Array): string => {
    try {
      return decoder.decode(bytes, { stream: bytes !== undefined });
    } catch (cause) {
      throw invalid('it is not UTF-8', cause);
    }
  };
  for await (const piece of pieces) {
    if (typeof piece !== 'string' && !(piece instanceof Uint8Array)) {
      throw new MemoryError(
        'invalid-input',
        'an export is read from text or bytes, or pieces of them',
      );
    }
    yield typeof piece === 'string' ? piece : decode(piece);
  }
  yield decode();
}
