/** @import { Rest } from './rest.js' */

import { RestError } from './rest.js';

/**
 * @typedef {object} StreamMessage
 * @property {string} event - `message` where it has no name.
 * @property {string} [id]
 * @property {any} data
 */

/**
 * Follows server-sent events. `EventSource` cannot send the token, so this is done by `fetch`: when the
 * connection breaks it is made again, after the last message that came.
 *
 * @param {Rest} rest
 * @param {string} path
 * @param {object} options
 * @param {number} [options.after] - For streams whose messages have ids.
 * @param {(message: StreamMessage) => void} options.onMessage
 * @param {(isOpen: boolean) => void} [options.onState]
 * @param {AbortSignal} options.signal
 * @throws {RestError} If the server says that it is of no use to try again.
 */
export async function follow(rest, path, { after = 0, onMessage, onState, signal }) {
  let last = String(after);
  while (!signal.aborted) {
    try {
      const headers = { Accept: 'text/event-stream', 'Last-Event-ID': last };
      const { body } = await rest.fetch(path, headers, signal);
      onState?.(true);
      for await (const message of messagesOf(/** @type {ReadableStream} */ (body))) {
        last = message.id ?? last;
        onMessage(message);
        if (message.event === 'deleted') return;
      }
    } catch (error) {
      if (signal.aborted) return;
      const isFinal = error instanceof RestError && error.status < 500;
      if (isFinal) throw error;
    }
    onState?.(false);
    await new Promise((resolve) => setTimeout(resolve, 1000));
  }
}

/**
 * @param {ReadableStream<BufferSource>} body
 * @returns {AsyncGenerator<StreamMessage>}
 */
async function* messagesOf(body) {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    const frames = (rest + value).split('\n\n');
    rest = frames.pop() ?? '';
    for (const frame of frames) {
      const message = parse(frame);
      if (message) yield message;
    }
  }
}

/**
 * @param {string} frame
 * @returns {StreamMessage | undefined} Nothing for comments.
 */
function parse(frame) {
  /** @type {Record<string, string>} */
  const fields = {};
  for (const line of frame.split('\n')) {
    const colon = line.indexOf(': ');
    if (colon > 0) fields[line.slice(0, colon)] = line.slice(colon + 2);
  }
  const { event = 'message', id, data } = fields;
  if (data === undefined) return undefined;
  return { event, data: JSON.parse(data), ...(id === undefined ? {} : { id }) };
}
