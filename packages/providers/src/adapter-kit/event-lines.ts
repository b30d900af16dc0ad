import { parseJson } from '../json/fields.ts';
import { isJsonObject, type JsonValue } from '../json/json-value.ts';

const TAB = 9;
const LF = 10;
const CR = 13;
const SPACE = 32;
const LETTER_E = 101;
const CLOSING_BRACE = 125;
const ENCODER = new TextEncoder();

/** Returns the same bytes as a buffer. */
export function bufferOf({ buffer, byteOffset, byteLength }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength);
}

/** Ends each event where a server leaves out the empty line, and removes empty data. */
export function setApart(lines: Uint8Array, isOpen: boolean): Uint8Array {
  // In Latin-1 every byte is a character, so that no character is changed.
  const text = bufferOf(lines)
    .toString('latin1')
    .replace(/^data:[ \t]*(?:\r?\n|$)/gm, '')
    .replace(/^data:[ \t]*\[DONE\][ \t]*/gm, 'data: [DONE]')
    .replace(/\}(\r?\n)(?=data: ?[{[]|event:(?!.*\r?\n\r?\n))/g, '}$1$1');
  return Buffer.from(isOpen ? `\n${text}` : text, 'latin1');
}

/** Checks the beginnings of all lines; each byte is scanned once, and by the system. */
function someLine(
  bytes: Uint8Array,
  isOdd: (bytes: Uint8Array, start: number) => boolean,
): boolean {
  for (let start = 0; start < bytes.length;) {
    if (isOdd(bytes, start)) return true;
    const end = bytes.indexOf(LF, start);
    if (end < 0) return false;
    start = end + 1;
  }
  return false;
}

/**
 * Checks for a line that SDKs do not read: one that follows the end of an event without an empty line, empty data, spaces
 * around the end of the stream, an odd error.
 */
function isOddLine(bytes: Uint8Array, start: number): boolean {
  const isData = startsWith(bytes, start, DATA);
  if (!isData && isOddError(bytes, start)) return true;
  if (!isData && !startsWith(bytes, start, EVENT)) return false;
  const before = bytes[start - 2] === CR ? start - 3 : start - 2;
  if (bytes[before] === CLOSING_BRACE) return true;
  const value = start + DATA.length + (bytes[start + DATA.length] === SPACE ? 1 : 0);
  const first = bytes[value];
  const isEmpty = first === undefined || first === LF || first === CR || isBlank(first);
  return isData && (isEmpty || startsWith(bytes, value, DONE_AND_SPACE));
}

function isBlank(byte: number): boolean {
  return byte === SPACE || byte === TAB;
}

/** Checks for a line that SDKs do not read. */
export function hasOddLine(bytes: Uint8Array): boolean {
  return someLine(bytes, isOddLine);
}

/** Checks for an error in a form that SDKs do not know. */
export function hasOddError(bytes: Uint8Array): boolean {
  return someLine(bytes, isOddError);
}

/** Checks for an error that may have no name. */
export function hasUnnamedError(bytes: Uint8Array): boolean {
  return someLine(bytes, (all, start) => UNNAMED.some((mark) => startsWith(all, start, mark)));
}

function hasErrorName(bytes: Uint8Array): boolean {
  return someLine(bytes, (all, start) => ERROR_NAMES.some((mark) => startsWith(all, start, mark)));
}

/** Checks for an error that is in no `data` of its own, or in one that is not JSON. */
function isOddError(bytes: Uint8Array, start: number): boolean {
  return bytes[start] === LETTER_E && ODD_ERRORS.some((mark) => startsWith(bytes, start, mark));
}

function startsWith(bytes: Uint8Array, start: number, mark: Uint8Array): boolean {
  for (let at = 0; at < mark.length; at++) {
    if (bytes[start + at] !== mark[at]) return false;
  }
  return true;
}

const DATA = ENCODER.encode('data:');
const EVENT = ENCODER.encode('event:');
const DONE_AND_SPACE = ENCODER.encode('[DONE] ');
const marks = (...texts: readonly string[]): readonly Uint8Array[] =>
  texts.map((text) => ENCODER.encode(text));
const ERROR_NAMES = marks('event: error', 'event:error');
const ERROR_LINES = marks('error:', 'error :');
const ODD_ERRORS = [...ERROR_NAMES, ...ERROR_LINES];
const UNNAMED = [
  ...ERROR_LINES,
  ...['type":"error"', 'type": "error"', 'error":{', 'error": {', 'error":"', 'error": "'].flatMap(
    (field) => marks(`data: {"${field}`, `data:{"${field}`),
  ),
];

/** Returns the type of a frame, by which an event is named. */
export function typeOf(frame: JsonValue | undefined): string {
  if (!isJsonObject(frame)) return 'message';
  const { type, error } = frame;
  if (error !== undefined && error !== null) return error ? 'error' : 'message';
  return typeof type === 'string' ? type : 'message';
}

/** Names each event by the type of its data; what is not JSON gets a name, too, and is refused by its reader. */
export function withNames(bytes: Uint8Array): Uint8Array {
  const text = new TextDecoder().decode(bytes);
  const named = text.replace(/^data: ?(.*)$/gm, (line, data: string) =>
    data.trim() === '[DONE]' ? '' : `event: ${typeOf(parseJson(data))}\n${line}`,
  );
  return ENCODER.encode(named);
}

/**
 * Names the errors that a gateway adds without a name to a stream of named events. A field `error` of an event with a name
 * is not one.
 *
 * @param isInNamed - The first lines belong to an event that has a name: {@link endsInNamed}.
 */
export function withErrorNames(bytes: Uint8Array, isInNamed: boolean): Uint8Array {
  const text = new TextDecoder().decode(bytes);
  const events = text.split(/(?<=\n\r?\n)/);
  const named = events.map((event, at) => {
    const hasName = (at === 0 && isInNamed) || /^event:/m.test(event);
    return event
      .replace(/^error ?: ?(.*)$/gm, 'event: error\ndata: $1\n\n')
      .replace(hasName ? TYPED_ERROR : ANY_ERROR, 'event: error\n$&');
  });
  return ENCODER.encode(named.join(''));
}

const TYPED_ERROR = /^data: ?\{"type": ?"error"/gm;
const ANY_ERROR = /^data: ?\{"(?:type": ?"error"|error": ?[{"])/gm;

/**
 * Checks whether lines end within an event that has a name.
 *
 * @param isInNamed - They begin within one.
 */
export function endsInNamed(bytes: Uint8Array, isInNamed: boolean): boolean {
  const buffer = bufferOf(bytes);
  const start = Math.max(buffer.lastIndexOf('\n\n') + 2, buffer.lastIndexOf('\n\r\n') + 3);
  const isWhole = start > 2;
  if (isWhole && start === buffer.length) return false;
  const hasName = /^event:/m.test(buffer.toString('latin1', isWhole ? start : 0));
  return hasName || (!isWhole && isInNamed && !/^\r?\n/.test(buffer.toString('latin1', 0, 2)));
}

/**
 * `error: {…}` (llama.cpp) and `event: error` with JSON or plain text, as data that SDKs throw. Between the lines of an
 * event may be others: `:HTTP_STATUS/400` (DashScope).
 */
export function asData(bytes: Uint8Array): Uint8Array {
  const events = new TextDecoder().decode(bytes).split(/(?<=\n\r?\n)|(?<=^\r?\n)/);
  return ENCODER.encode(events.map(withoutOddError).join(''));
}

function withoutOddError(event: string): string {
  if (!/^event: ?error[ \t\r]*$/m.test(event))
    return event.replace(/^error ?: ?(.*)$/gm, (_, plain: string) => `${errorData(plain)}\n\n`);
  const data = event.split('\n').filter((line) => line.startsWith('data:'));
  // Its data came before its name.
  if (data.length === 0) return event;
  return `${errorData(data.map((line) => line.replace(/^data: ?/, '')).join('\n'))}\n\n`;
}

function errorData(text: string): string {
  const said = text.trim();
  const value = parseJson(said) ?? { message: said };
  const error = isJsonObject(value) && 'error' in value ? value : { error: value };
  return `data: ${JSON.stringify(error)}`;
}

/** Returns where an `event: error` begins that has no end yet; the length of the lines if there is none. */
export function openError(bytes: Uint8Array): number {
  const buffer = bufferOf(bytes);
  const from = Math.max(buffer.lastIndexOf('\n\n') + 2, buffer.lastIndexOf('\n\r\n') + 3);
  // The first line may be the end of the event before.
  const start =
    from > 2 ? from : (/^(?:\r?\n)*/.exec(buffer.toString('latin1', 0, 4))?.[0].length ?? 0);
  return hasErrorName(bytes.subarray(start)) ? start : bytes.length;
}
