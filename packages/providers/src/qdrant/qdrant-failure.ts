import { messageOf } from '../errors.ts';
import { PeerError } from '../peer.ts';
import { VectorError } from '../vector/vector-error.ts';
import { fieldsOf, numberOf, stringOf } from '../json/fields.ts';

/** Returns an error of the client as one of a vector store. */
export function qdrantFailure(error: unknown, place: string): unknown {
  if (VectorError.isInstance(error) || PeerError.isInstance(error)) return error;
  const status = numberOf(fieldsOf(error)['status']);
  const context = status === undefined ? {} : { status };
  const details = { cause: error, context };
  const said = saidBy(error);
  if (status === undefined || status >= 500 || status === 429 || status === 408) {
    return new VectorError(
      'unavailable',
      `${place} cannot be reached or did not answer: ${said}. Is the server running ` +
        '(docker run -p 6333:6333 qdrant/qdrant), and is the address right?',
      details,
    );
  }
  if (status === 401 || status === 403) {
    return new VectorError('refused', `${place} refused the key: ${said}. Check 'apiKey'`, details);
  }
  if (status >= 300 && status < 400) {
    const message = `${place} redirects, which is not followed: use the address that it names`;
    return new VectorError('refused', message, details);
  }
  return new VectorError('refused', `${place} refused the call: ${said}`, details);
}

/** Returns the words of the server, or why there is no answer. */
function saidBy(error: unknown): string {
  const { data, cause } = fieldsOf(error);
  const status = fieldsOf(fieldsOf(data)['status']);
  const reason = cause === undefined ? '' : ` (${messageOf(cause)})`;
  return stringOf(status['error']) ?? `${messageOf(error)}${reason}`;
}
