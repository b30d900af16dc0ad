import { fieldsOf, parseJson, textAt } from '../json/fields.ts';
import { isJsonObject, type JsonValue } from '../json/json-value.ts';
import { LLMError } from '../models/llm-error.ts';
import { readErrorBody } from './error-body.ts';
import { kindsIn } from './failure-words.ts';
import type { LargeTexts } from './large-texts.ts';

const LF = 10;
const CR = 13;
const ENCODER = new TextEncoder();
const NOTHING = new Uint8Array();
/** About ten frames of a usual stream. */
const PART_BYTES = 2048;
const FAR_BYTES = 65_536;
/** As much of a text that is no answer as its title or its sentence needs. */
const MAX_WORDS = 2000;

/** As many bytes of an error without an end as are held: each line that comes scans them. */
const MAX_ERROR = 65_536;

/** Lines, or the end. */
type Piece = IteratorResult<Uint8Array, undefined>;

/** The part of a body that an SDK reads. */
export interface LineReader {
  read(): Promise<Piece>;
  cancel(reason?: unknown): Promise<void>;
  releaseLock(): void;
}

/**
 * The body of a stream in pieces that end with a line. SDKs search all that they hold with each piece that comes, so a
 * frame of many pieces (a picture in base64) would cost the square of its length. And they copy all that they hold with
 * each frame, so a piece of many frames would cost the square of its own: it is given in parts.
 */
export class LineBody {
  readonly #body: ReadableStream<Uint8Array>;
  #reader: ReadableStreamDefaultReader<Uint8Array> | undefined;
  /** The pieces of a line that has no end yet. */
  #held: Uint8Array[] = [];
  /** Lines that are not given yet. */
  #ready: Uint8Array = NOTHING;

  constructor(body: ReadableStream<Uint8Array>) {
    this.#body = body;
  }

  /** Reads the next lines; the last ones may have no end. */
  read(): Promise<Piece> {
    if (this.#ready.length === 0) return this.#readLines();
    return Promise.resolve({ done: false, value: this.#nextPart() });
  }

  /** Changes lines before they are given. */
  protected change(lines: Uint8Array): Uint8Array {
    return lines;
  }

  async #readLines(): Promise<Piece> {
    this.#reader ??= this.#body.getReader();
    for (;;) {
      const { done, value } = await this.#reader.read();
      if (done) {
        const rest = this.#take();
        return rest ? this.#give(rest) : { done: true, value: undefined };
      }
      const at = value.lastIndexOf(LF);
      const end = (at < 0 ? value.lastIndexOf(CR) : at) + 1;
      if (end === value.length && this.#held.length === 0 && end > 0) return this.#give(value);
      if (end > 0) {
        const lines = this.#take(value.subarray(0, end));
        if (end < value.length) this.#held.push(value.subarray(end));
        if (lines) return this.#give(lines);
      } else if (value.length > 0) {
        this.#held.push(value);
      }
    }
  }

  #give(lines: Uint8Array): Piece {
    this.#ready = this.change(lines);
    return { done: false, value: this.#nextPart() };
  }

  #nextPart(): Uint8Array {
    const lines = this.#ready;
    // A large frame is not searched for its end.
    const near = lines.subarray(PART_BYTES, FAR_BYTES).indexOf(LF);
    const end = near < 0 ? lines.length : PART_BYTES + near + 1;
    // A view of nothing would hold all bytes of a large frame.
    this.#ready = end === lines.length ? NOTHING : lines.subarray(end);
    return lines.subarray(0, end);
  }

  async cancel(reason?: unknown): Promise<void> {
    await (this.#reader ?? this.#body).cancel(reason);
  }

  getReader(): LineReader {
    return {
      read: () => this.read(),
      cancel: (reason) => this.cancel(reason),
      releaseLock: () => undefined,
    };
  }

  #take(last?: Uint8Array): Uint8Array | undefined {
    const pieces = last ? [...this.#held, last] : this.#held;
    this.#held = [];
    return pieces.length > 1 ? Buffer.concat(pieces) : pieces[0];
  }
}

/**
 * The body of an answer that was asked for as server-sent events. One that came as a whole, as JSON or as lines of JSON,
 * becomes events, whatever its media type says; so do errors that servers put in fields of their own.
 */
export class EventBody extends LineBody {
  readonly #status: number;
  readonly #hasNames: boolean;
  readonly #large: LargeTexts | undefined;
  #isFirst = true;
  /** True if the server names its events; `undefined` before the first event. */
  #isNamed: boolean | undefined;
  /** The last lines end within an event that has a name. */
  #isInNamed = false;
  /** The last lines, if they end with data and not with an empty line. */
  #open: Uint8Array | undefined;
  /** The lines of an error that may have more. */
  #openError: Uint8Array = NOTHING;
  /** The text that came instead of events, as long as no event has come. */
  #words: string | undefined;

  /**
   * @param hasNames - The SDK reads events by their names: each gets the `type` of its JSON where it has none.
   * @param large - Takes the large texts, where the SDK is not to have them.
   */
  constructor(
    body: ReadableStream<Uint8Array>,
    status: number,
    hasNames: boolean = false,
    large?: LargeTexts,
  ) {
    super(body);
    this.#status = status;
    this.#hasNames = hasNames;
    this.#large = large;
  }

  override read(): Promise<Piece> {
    return this.#isFirst ? this.#readFirst() : this.#readNext();
  }

  async #readNext(): Promise<Piece> {
    const piece = await super.read();
    if (piece.done) return this.#last(piece);
    if (this.#words !== undefined) this.#readWords(piece.value);
    return piece;
  }

  /** Ends the last event, where it is whole and the server does not. */
  #last(piece: Piece): Piece {
    if (this.#words !== undefined) throw notEvents(this.#words, this.#status);
    if (this.#openError.length > 0) {
      const lines = this.#openError;
      this.#openError = NOTHING;
      return { done: false, value: asData(lines) };
    }
    if (this.#open === undefined) return piece;
    const last = new TextDecoder().decode(this.#open).trimEnd().split('\n').at(-1) ?? '';
    this.#open = undefined;
    const isWhole = parseJson(last.replace(/^data: ?/, '')) !== undefined;
    return isWhole ? { done: false, value: ENCODER.encode('\n\n') } : piece;
  }

  async #readFirst(): Promise<Piece> {
    const piece = await super.read();
    if (piece.done) return this.#last(piece);
    const beginning = beginningOf(piece.value);
    const [first] = beginning;
    this.#isFirst = first === undefined;
    if (first !== undefined && !mayBeEvents(beginning)) this.#readWords(piece.value);
    return first === '{' || first === '[' ? this.#readWhole(piece.value) : piece;
  }

  protected override change(lines: Uint8Array): Uint8Array {
    const even = this.#evened(lines);
    return this.#large?.lift(even) ?? even;
  }

  /** Returns lines in the form that the SDK knows. */
  #evened(lines: Uint8Array): Uint8Array {
    const isOpen = this.#continuesOpen(lines);
    const hasOdd = isOpen || this.#openError.length > 0 || hasOddLine(lines);
    const apart = hasOdd ? setApart(lines, isOpen) : lines;
    // By its name an error is known to the SDK, in whatever form.
    if (this.#hasNames) return this.#named(apart);
    return hasOdd ? this.#withErrors(apart) : apart;
  }

  /** Makes data of odd errors, of which one at the end is held until it is whole. */
  #withErrors(lines: Uint8Array): Uint8Array {
    const all = this.#openError.length > 0 ? Buffer.concat([this.#openError, lines]) : lines;
    this.#openError = NOTHING;
    if (!hasOddError(all)) return all;
    const from = all.length > MAX_ERROR ? all.length : openError(all);
    this.#openError = all.subarray(from);
    return asData(all.subarray(0, from));
  }

  /** Keeps what came instead of events: an error in plain words, or a page. */
  #readWords(piece: Uint8Array): void {
    const text = new TextDecoder().decode(piece);
    // A piece begins with a line.
    const hasEvents = /^(?:data|event|error) ?:/m.test(text);
    this.#words = hasEvents ? undefined : `${this.#words ?? ''}${text}`.slice(0, MAX_WORDS);
  }

  /** Checks whether an event begins where the last lines ended without an empty one. */
  #continuesOpen(lines: Uint8Array): boolean {
    const buffer = bufferOf(lines);
    const start = buffer.toString('latin1', 0, 8);
    const isOpen = this.#open !== undefined && /^(?:data: ?[{[]|event:)/.test(start);
    const end = buffer.toString('latin1', Math.max(0, buffer.length - 3));
    this.#open = /\}(?:\r?\n)?$/.test(end) ? lines : undefined;
    return isOpen;
  }

  #named(lines: Uint8Array): Uint8Array {
    if (this.#isNamed === undefined) {
      const field = /^(?:event|data):/m.exec(new TextDecoder().decode(lines))?.[0];
      if (field !== undefined) this.#isNamed = field === 'event:';
    }
    if (this.#isNamed === false) return withNames(lines);
    const isInNamed = this.#isInNamed;
    this.#isInNamed = endsInNamed(lines, isInNamed);
    return hasUnnamedError(lines) ? withErrorNames(lines, isInNamed) : lines;
  }

  override getReader(): LineReader {
    return { ...super.getReader(), read: () => this.read() };
  }

  [Symbol.asyncIterator](): AsyncIterator<Uint8Array, undefined> {
    return {
      next: () => this.read(),
      return: async () => {
        await this.cancel();
        return { done: true, value: undefined };
      },
    };
  }

  async #readWhole(first: Uint8Array): Promise<Piece> {
    const pieces = [first];
    for (;;) {
      const { done, value } = await super.read();
      if (done) break;
      pieces.push(value);
    }
    const text = new TextDecoder().decode(Buffer.concat(pieces));
    const frames = framesOf(text).map((frame) => {
      if (!isAnswer(frame)) throw notAnAnswer(frame, this.#status);
      const data = `data: ${JSON.stringify(asEvent(frame))}\n\n`;
      return this.#hasNames ? `event: ${typeOf(frame)}\n${data}` : data;
    });
    const events = ENCODER.encode(frames.join(''));
    return { done: false, value: this.#large?.lift(events) ?? events };
  }
}

function beginningOf(bytes: Uint8Array): string {
  return new TextDecoder()
    .decode(bytes.subarray(0, 64))
    .replace(/^\uFEFF/, '')
    .trimStart();
}

function framesOf(text: string): readonly JsonValue[] {
  const whole = parseJson(text.replace(/^\uFEFF/, ''));
  if (Array.isArray(whole)) return whole;
  if (whole !== undefined) return [whole];
  const lines = text.split(/\r?\n/).filter((line) => line.trim() !== '');
  return lines.map((line) => {
    const value = parseJson(line);
    if (value !== undefined) return value;
    throw new LLMError('bad_response', 'the answer is not valid JSON');
  });
}

/** Chunks and whole answers of the wires, and their errors, which the SDKs know. */
function isAnswer(frame: JsonValue): boolean {
  if (!isJsonObject(frame)) return false;
  const { choices, candidates, error, type } = frame;
  if (type === 'message' || isResponse(frame)) return true;
  if (error !== undefined && error !== null) return true;
  const has = (list: JsonValue | undefined): boolean => Array.isArray(list) && list.length > 0;
  return (
    has(choices) ||
    has(candidates) ||
    'usage' in frame ||
    'usageMetadata' in frame ||
    'promptFeedback' in frame
  );
}

/** A whole answer of the Responses API, failures included. */
function isResponse(frame: JsonValue): boolean {
  return isJsonObject(frame) && (frame['object'] === 'response' || Array.isArray(frame['output']));
}

/** A response may have an error of its own, for which SDKs would take the event. */
function asEvent(frame: JsonValue): JsonValue {
  return isResponse(frame) ? { type: 'response.completed', response: frame } : frame;
}

/** In the form of the SDKs' own errors: status, message, and the body. */
function notAnAnswer(frame: JsonValue, status: number): Error {
  const hasWords = textAt(fieldsOf(frame), 'message', 'msg', 'detail', 'error_msg') !== undefined;
  const isFailure = isJsonObject(frame) && ('base_resp' in frame || hasWords);
  if (!isJsonObject(frame) || (!isFailure && ('choices' in frame || 'candidates' in frame))) {
    return new LLMError(
      'bad_response',
      'the server answered as a whole, and was asked for a stream',
    );
  }
  return Object.assign(new Error(JSON.stringify(frame)), { status, error: frame });
}

/** Checks whether a text begins as JSON or as events do, or as much of it as came. */
function mayBeEvents(text: string): boolean {
  const isCut = ['data:', 'event:', 'retry:', 'id:'].some((name) => name.startsWith(text));
  return isCut || /^(?:[{[:]|(?:data|event|retry|id|error) ?:)/.test(text);
}

/** An answer that has no events, in the words of the server: a refusal, if they name one. */
function notEvents(words: string, status: number): Error {
  const { text } = readErrorBody(words);
  if (kindsIn(text).length > 0) return Object.assign(new Error(text), { status, error: words });
  const message = `the server answered with a text instead of an answer: ${text}`;
  return new LLMError('bad_response', message, { status, isRetryable: true });
}

const TAB = 9;
const SPACE = 32;
const LETTER_E = 101;
const CLOSING_BRACE = 125;

/** Returns the same bytes as a buffer. */
function bufferOf({ buffer, byteOffset, byteLength }: Uint8Array): Buffer {
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
function hasOddLine(bytes: Uint8Array): boolean {
  return someLine(bytes, isOddLine);
}

/** Checks for an error in a form that SDKs do not know. */
function hasOddError(bytes: Uint8Array): boolean {
  return someLine(bytes, isOddError);
}

/** Checks for an error that may have no name. */
function hasUnnamedError(bytes: Uint8Array): boolean {
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
function typeOf(frame: JsonValue | undefined): string {
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
function withErrorNames(bytes: Uint8Array, isInNamed: boolean): Uint8Array {
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
function endsInNamed(bytes: Uint8Array, isInNamed: boolean): boolean {
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
function asData(bytes: Uint8Array): Uint8Array {
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
function openError(bytes: Uint8Array): number {
  const buffer = bufferOf(bytes);
  const from = Math.max(buffer.lastIndexOf('\n\n') + 2, buffer.lastIndexOf('\n\r\n') + 3);
  // The first line may be the end of the event before.
  const start =
    from > 2 ? from : (/^(?:\r?\n)*/.exec(buffer.toString('latin1', 0, 4))?.[0].length ?? 0);
  return hasErrorName(bytes.subarray(start)) ? start : bytes.length;
}
