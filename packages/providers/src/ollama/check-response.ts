import { LLMError } from '../models/llm-error.ts';

/**
 * Looks at an answer before the SDK does, which leaves out what it cannot parse and says so on the
 * console only.
 *
 * @throws an error like the SDK's for a refusal that is not JSON.
 */
export async function checkResponse(response: Response, isStream: boolean): Promise<Response> {
  if (!response.body) return response;
  if (response.ok) return isStream ? checkLines(response, response.body) : response;
  const type = response.headers.get('content-type') ?? '';
  if (type.includes('application/json')) return response;
  throw Object.assign(new Error(await response.text()), { status_code: response.status });
}

/** Blank lines, which some proxies send to keep a connection open, are taken out. */
function checkLines(response: Response, body: ReadableStream<Uint8Array>): Response {
  const reader = body.getReader();
  const lines = new LineCheck();
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
  readonly #decoder = new TextDecoder();
  readonly #encoder = new TextEncoder();
  #rest = '';
  #failure: LLMError | undefined;

  add(chunk: Uint8Array): Uint8Array | undefined {
    if (this.#failure) throw this.#failure;
    const lines = (this.#rest + this.#decoder.decode(chunk, { stream: true })).split('\n');
    this.#rest = lines.pop() ?? '';
    const full = lines.filter((line) => line.trim() !== '');
    const broken = full.findIndex((line) => !isJson(line));
    // An error would take back what was just given: it waits for the next piece.
    if (broken >= 0) this.#failure = brokenLine();
    return this.#write(broken < 0 ? full : full.slice(0, broken));
  }

  end(): Uint8Array | undefined {
    if (this.#failure) throw this.#failure;
    const rest = this.#rest.trim();
    if (rest === '') return undefined;
    if (isJson(rest)) return this.#write([rest]);
    if (!rest.startsWith('{')) throw brokenLine();
    throw new LLMError('truncated', 'the stream ended in the middle of a line');
  }

  #write(lines: readonly string[]): Uint8Array | undefined {
    return lines.length === 0 ? undefined : this.#encoder.encode(`${lines.join('\n')}\n`);
  }
}

function isJson(line: string): boolean {
  try {
    JSON.parse(line);
    return true;
  } catch {
    return false;
  }
}

function brokenLine(): LLMError {
  return new LLMError('bad_response', 'a line of the answer is not valid JSON');
}
