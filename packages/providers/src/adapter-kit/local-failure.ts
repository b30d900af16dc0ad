import { messageOf } from '../errors.ts';
import { LLMError } from '../models/llm-error.ts';
import { PeerError } from '../peer.ts';

/** Returns the error of a model that runs in this process: no network was involved, and no retry helps. */
export function localFailure(error: unknown, what: string): LLMError | PeerError {
  if (LLMError.isInstance(error) || PeerError.isInstance(error)) return error;
  return new LLMError('invalid_request', `${what}: ${messageOf(error)}`, { cause: error });
}
