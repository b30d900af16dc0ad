import { LLMError } from '../chat/llm-error.ts';

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
  const decoder = new TextDecoder();
  const encoder = new TextEncoder();
  let rest = '';
  let failure: LLMError | undefined;
  const checked = body.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n');
        rest = lines.pop() ?? '';
        if (failure) throw failure;
        const full = lines.filter((line) => line.trim() !== '');
        const broken = full.findIndex((line) => !isJson(line));
        const sound = broken < 0 ? full : full.slice(0, broken);
        if (sound.length > 0) controller.enqueue(encoder.encode(`${sound.join('\n')}\n`));
        // An error would take back what was just given: it waits for the next piece.
        if (broken >= 0) failure = brokenLine();
      },
      flush(controller) {
        if (failure) throw failure;
        if (rest.trim() === '') return;
        if (isJson(rest)) controller.enqueue(encoder.encode(`${rest}\n`));
        else if (rest.startsWith('{')) {
          throw new LLMError('truncated', 'the stream ended in the middle of a line');
        } else throw brokenLine();
      },
    }),
  );
  return new Response(checked, response);
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
