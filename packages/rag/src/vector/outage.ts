import { LLMError, PeerError, StorageError, VectorError } from '@vizprompt/providers';
import { IndexingError, RagError } from '../errors.ts';

const LASTING: ReadonlySet<string> = new Set([
  'dimension-mismatch',
  'model-mismatch',
  'invalid-input',
  'closed',
]);

/** A model that is not installed, or does not exist. */
const WRONG: ReadonlySet<string> = new Set(['aborted', 'unsupported', 'not_found']);

/**
 * Checks whether a failure of the vector store or the embedding model is one that may pass, or that an
 * operator can repair while the program runs (a wrong key, an empty account): then keywords answer. A mistake
 * in the program itself is not an outage.
 */
export function isOutage(error: unknown): boolean {
  if (RagError.isInstance(error) || PeerError.isInstance(error)) return false;
  if (VectorError.isInstance(error)) return !LASTING.has(error.code);
  if (StorageError.isInstance(error)) return false;
  if (LLMError.isInstance(error)) return !WRONG.has(error.code);
  return true;
}

/** Why a search is degraded though store and model answer. */
export function vectorsMissing(): IndexingError {
  return new IndexingError(
    'some chunks have no vectors yet, as the vector store or the model was away when they were written',
  );
}
