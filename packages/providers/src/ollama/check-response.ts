import type { LargeTexts } from '../adapter-kit/large-texts.ts';
import { LineBody } from '../adapter-kit/stream-body.ts';
import { parseJson } from '../json/fields.ts';
import { LLMError } from '../models/llm-error.ts';

/**
 * Looks at an answer before the SDK does, which leaves out what it cannot parse and says so on the
 * console only.
 */
export function checkResponse(response: Response, isStream: boolean, large: LargeTexts): Response {
  const type = response.headers.get('content-type') ?? '';
  // The wire has read the refusal; the SDK would say on the console that it is not JSON.
  if (!response.ok && !type.includes('application/json')) {
    throw Object.assign(new Error(response.statusText), { status_code: response.status });
  }
  return response.ok && response.body && isStream
    ? checkLines(response, response.body, large)
    : response;
}

/** Blank lines, which some proxies send to keep a connection open, are removed. */
function checkLines(
  response: Response,
  body: ReadableStream<Uint8Array>,
  large: LargeTexts,
): Response {
  const reader = new LineBody(body);
  const lines = new LineCheck(large);
  const checked = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        for (;;) {
          const { done, value } = await reader.read();
          const sound = done ? lines.end() : lines.add(value);
          if (sound) controller.enqueue(sound);
          if (done) controller.close();
          if (done || sound) return;
        }
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  );
  return new Response(checked, response);
}

/** Cuts bytes into lines, and gives back those that are JSON. */
class LineCheck {
  readonly #large: LargeTexts;
  readonly #decoder = new TextDecoder();
  readonly #encoder = new TextEncoder();
  #rest = '';
  /** Lines of a whole answer that is spread over several. */
  #spread: string[] | undefined = [];
  #failure: LLMError | undefined;

  constructor(large: LargeTexts) {
    this.#large = large;
  }

  add(chunk: Uint8Array): Uint8Array | undefined {
    if (this.#failure) throw this.#failure;
    const before = this.#rest;
    // Pieces end with a line, so never within a character, and are decoded four times as fast when each is whole.
    const lines = (before + this.#decoder.decode(chunk)).split('\n');
    this.#rest = lines.pop() ?? '';
    const full: string[] = [];
    let isAsItCame = before === '' && this.#rest === '';
    for (const line of lines) {
      // Nearly all lines are JSON and nothing else.
      const found = line.startsWith('{') ? line : jsonIn(line);
      const json = found && this.#large.liftJson(found);
      if (json !== undefined) full.push(json);
      isAsItCame &&= json === line;
    }
    const broken = full.findIndex((line) => !isJson(line));
    if (this.#spread && full.length > 0) {
      // A whole answer continues where its first line was no JSON: this one, or an earlier one.
      if (
        (this.#spread.length > 0 || broken === 0) &&
        /^\s*[{[]/.test(this.#spread[0] ?? full[0] ?? '')
      ) {
        this.#spread.push(...full);
        return undefined;
      }
      this.#spread = undefined;
    }
    // An error would take back what was just given: it waits for the next piece.
    if (broken >= 0) this.#failure = brokenLine();
    else if (isAsItCame) return chunk;
    return this.#write(broken < 0 ? full : full.slice(0, broken));
  }

  end(): Uint8Array | undefined {
    if (this.#failure) throw this.#failure;
    const spread = this.#spread ?? [];
    const rest = jsonIn([...spread, this.#rest].join('\n')) ?? '';
    if (rest === '') return undefined;
    const whole = parseJson(rest);
    if (spread.length > 0 && whole !== undefined) return this.#write([JSON.stringify(whole)]);
    if (spread.length > 1) throw brokenLine();
    if (isJson(rest)) return this.#write([rest]);
    if (!rest.startsWith('{')) throw brokenLine();
    throw new LLMError('truncated', 'the stream ended in the middle of a line');
  }

  #write(lines: readonly string[]): Uint8Array | undefined {
    return lines.length === 0 ? undefined : this.#encoder.encode(`${lines.join('\n')}\n`);
  }
}

/** Returns the JSON of a line, also of one that a proxy made a server-sent event; `undefined` for one that has none. */
function jsonIn(line: string): string | undefined {
  const json = line.replace(/^data: ?/, '').trim();
  return json === '' || json === '[DONE]' || /^(?::|event:|id:|retry:)/.test(json)
    ? undefined
    : json;
}

function isJson(line: string): boolean {
  return parseJson(line) !== undefined;
}

function brokenLine(): LLMError {
  return new LLMError('bad_response', 'a line of the answer is not valid JSON');
}
