import { LLMError } from '../chat/llm-error.ts';

/**
 * Looks at an answer before the SDK does, which leaves out what it cannot parse and says so on the
 * console only.
 *
 * @throws an error like the SDK's for a refusal that is not JSON.
 */
export async function checkResponse(response: Response): Promise<Response> {
  const isJson = (response.headers.get('content-type') ?? '').includes('application/json');
  if (isJson || !response.body) return response;
  if (response.ok) return checkLines(response, response.body);
  throw Object.assign(new Error(await response.text()), { status_code: response.status });
}

/** Blank lines, which some proxies send to keep a connection open, are taken out. */
function checkLines(response: Response, body: ReadableStream<Uint8Array>): Response {
  const decoder = new TextDecoder();
  const encoder = new TextEncoder();
  let rest = '';
  const checked = body.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n');
        rest = lines.pop() ?? '';
        const sound = lines.filter((line) => line.trim() !== '');
        for (const line of sound) assertJson(line);
        if (sound.length > 0) controller.enqueue(encoder.encode(`${sound.join('\n')}\n`));
      },
      flush() {
        if (rest.trim() === '') return;
        if (!rest.startsWith('{')) assertJson(rest);
        throw new LLMError('truncated', 'the stream ended in the middle of a line');
      },
    }),
  );
  return new Response(checked, response);
}

function assertJson(line: string): void {
  try {
    JSON.parse(line);
  } catch (cause) {
    const message = `a line of the answer is not valid JSON: ${line.slice(0, 100)}`;
    throw new LLMError('bad_response', message, { cause });
  }
}
