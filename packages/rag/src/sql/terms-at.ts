import { type IndexFacts, withEffects } from './index-facts.ts';
import { readVocabulary, type SpacePlace } from './space-reader.ts';
import type { SpaceRow } from './space-rows.ts';
import { TermTable } from './term-table.ts';

/**
 * Returns the terms of a space as they are before a change that has its lock.
 *
 * @param known - Facts, of this space or another one, and maybe older ones; they are not changed.
 */
export async function termsAt(
  place: SpacePlace,
  { revision, purged }: SpaceRow,
  { facts, space }: { readonly facts: IndexFacts; readonly space: number },
): Promise<TermTable> {
  const isOfSpace = space === place.space && facts.revision >= purged;
  if (isOfSpace && facts.revision === revision - 1) return facts.terms;
  const since = isOfSpace ? facts.revision : -1;
  const rows = await readVocabulary(place, since, revision);
  return withEffects(isOfSpace ? facts.terms.copy() : new TermTable(), rows, since);
}
