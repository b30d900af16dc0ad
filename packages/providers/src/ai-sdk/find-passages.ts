import { untilAborted } from '../concurrency/until-aborted.ts';
import type { JsonValue } from '../json/json-value.ts';
import type { Passage, Retriever } from '../retrieval/retriever.ts';
import { cutMiddle } from '../strings/cut-middle.ts';

/** Characters of a passage unless something else is said. */
export const MAX_CHARACTERS = 8000;

/** A search for a model. */
export interface PassageQuery {
  readonly query: string;
  readonly limit: number;
  readonly maxCharacters: number;
  readonly filter: Readonly<Record<string, JsonValue>> | undefined;
  readonly signal: AbortSignal | undefined;
}

/**
 * Finds the passages for a model with any retriever, also one that does not heed its signal or finds more than it was
 * asked for. Long passages are cut in the middle.
 */
export async function findPassages(
  retriever: Retriever,
  { query, limit, maxCharacters, filter, signal }: PassageQuery,
): Promise<readonly Passage[]> {
  const search = retriever.retrieve(query, { limit, k: limit, filter, signal });
  const found = await untilAborted(search, signal);
  return found.slice(0, limit).map((passage) => {
    const text = cutMiddle(
      passage.text,
      (shown) => shown.length <= maxCharacters,
      (left) => ` … ${left} characters … `,
    );
    return { ...passage, text };
  });
}
