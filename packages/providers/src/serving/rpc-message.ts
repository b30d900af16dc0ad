/**
 * Returns an answer that lets go of its result once it is written as JSON: a transport holds what it sends until it is
 * read, and a short part of a long text holds all of the text. A result that writes itself stays as it is.
 */
export function writtenOnce<Message extends object>(message: Message): Message {
  if (!('result' in message) || hasToJSON(message.result)) return message;
  let result: unknown = message.result;
  const toJSON = (): unknown => {
    const written = result;
    result = undefined;
    return written;
  };
  return Object.defineProperty({ ...message }, 'result', { value: { toJSON }, enumerable: true });
}

function hasToJSON(value: unknown): boolean {
  const isObject = typeof value === 'object' && value !== null;
  return isObject && 'toJSON' in value && typeof value.toJSON === 'function';
}

/** Returns the message of a line, if it is one. */
export function messageOf(line: Buffer): object | undefined {
  try {
    const message: unknown = JSON.parse(line.toString('utf8'));
    const isObject = typeof message === 'object' && message !== null && !Array.isArray(message);
    return isObject ? message : undefined;
  } catch {
    return undefined;
  }
}

/** Checks whether a message cancels a request. */
export function isCancellation(message: object): boolean {
  return 'method' in message && message.method === 'notifications/cancelled';
}

/** Returns the id of the request that a message cancels. */
export function cancelledBy(message: object): unknown {
  const params: unknown = 'params' in message ? message.params : undefined;
  const isObject = typeof params === 'object' && params !== null;
  return isObject && 'requestId' in params ? params.requestId : undefined;
}
