import { parseJson } from '../json/fields.ts';
import { isDeeperThan, isJsonObject, type JsonObject } from '../json/json-value.ts';

/** As many bytes of a frame, and characters of a text, as an SDK may copy several times. */
const LARGE = 65_536;

/** As deep as frames are read: no answer of a model is near. */
const MAX_DEPTH = 64;

/** The characters of a mark, at most. */
const MAX_MARK = 64;

const DATA = 'data:';
const LF = 10;
const ENCODER = new TextEncoder();

/**
 * The large texts of the frames of one call, such as a picture in base64. An SDK may decode, search, parse and encode a
 * frame again and again, and hold as many copies of it: a mark goes through it instead of each large text.
 */
export class LargeTexts {
  /** No answer can hold a mark that it does not know. */
  readonly #mark = crypto.randomUUID();
  readonly #texts = new Map<string, string>();
  #count = 0;

  /** Takes the large texts out of whole lines of events. */
  lift(lines: Uint8Array): Uint8Array {
    if (lines.length < LARGE) return lines;
    const parts: Uint8Array[] = [];
    for (let start = 0; start < lines.length;) {
      const at = lines.indexOf(LF, start);
      const end = at < 0 ? lines.length : at + 1;
      const line = lines.subarray(start, end);
      parts.push(line.length < LARGE ? line : this.#liftLine(line));
      start = end;
    }
    return parts.length === 1 && parts[0] ? parts[0] : Buffer.concat(parts);
  }

  #liftLine(line: Uint8Array): Uint8Array {
    const text = new TextDecoder().decode(line);
    if (!text.startsWith(DATA)) return line;
    const json = text.slice(DATA.length);
    const lifted = this.liftJson(json);
    const ending = json.slice(json.trimEnd().length);
    return lifted === json ? line : ENCODER.encode(`${DATA} ${lifted}${ending}`);
  }

  /** Takes the large texts out of a frame; one that is not JSON stays as it is. */
  liftJson(json: string): string {
    const frame = json.length < LARGE ? undefined : parseJson(json);
    // The SDK reads an error itself, and says its words.
    if (!isJsonObject(frame) || isError(frame) || isDeeperThan(frame, MAX_DEPTH)) return json;
    const before = this.#count;
    replaceTexts(frame, (text) => (text.length < LARGE ? text : this.#markOf(text)));
    return this.#count === before ? json : JSON.stringify(frame);
  }

  #markOf(text: string): string {
    const mark = `${this.#mark}${this.#count++}`;
    this.#texts.set(mark, text);
    return mark;
  }

  /** Puts the texts back into what the SDK made of a frame. */
  restore(chunk: unknown): void {
    if (this.#texts.size === 0) return;
    // An SDK may give a text in several places of one chunk.
    const found = new Set<string>();
    replaceTexts(chunk, (mark) => {
      const text = mark.length < MAX_MARK ? this.#texts.get(mark) : undefined;
      if (text === undefined) return mark;
      found.add(mark);
      return text;
    });
    for (const mark of found) this.#texts.delete(mark);
  }
}

/** Replaces the texts of a value that is made of JSON, in place. */
function replaceTexts(value: unknown, replace: (text: string) => string, depth = MAX_DEPTH): void {
  if (typeof value !== 'object' || value === null || depth < 0) return;
  for (const key of Object.keys(value)) {
    const inner: unknown = Reflect.get(value, key);
    if (typeof inner === 'string') Reflect.set(value, key, replace(inner));
    else replaceTexts(inner, replace, depth - 1);
  }
}

function isError({ error, type }: JsonObject): boolean {
  return Boolean(error) || type === 'error';
}
