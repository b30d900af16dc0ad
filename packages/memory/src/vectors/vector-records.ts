import type { JsonObject, VectorFilter, VectorRecord } from '@vizprompt/providers';
import { tagsOf } from '../indexing/event-tags.ts';
import { shownText } from '../indexing/indexed-fields.ts';
import type { MemoryEvent } from '../model/memory-event.ts';
import type { UnembeddedRow, VectorPlace } from './vector-book.ts';

/** So many characters of an event are embedded: models take no more, and the beginning tells most. */
const MAX_CHARACTERS = 4000;

/** What is embedded of a text. */
export function embeddedText(text: string): string {
  return text.slice(0, MAX_CHARACTERS).toWellFormed();
}

/** What is embedded of an event: what is shown of it, or at least what it is. */
export function embeddedEvent(event: MemoryEvent): string {
  return embeddedText(shownText(event).trim()) || event.type;
}

/** The id of a vector: that of its event, and the number of the row, which another copy of it has not. */
export function vectorId({ key, id }: VectorPlace): string {
  return `${key} ${id}`;
}

/** The number of the event that a vector is of. */
export function keyOfVector(id: string): number {
  return Number.parseInt(id, 10);
}

/** What a list of tags tells, by the first letter of its tags. */
const KINDS: Readonly<Record<string, string>> = {
  s: 'session',
  w: 'place',
  t: 'type',
  f: 'path',
  y: 'time',
  m: 'time',
};

/** The record of an event, to be filtered by what the text index is filtered by. */
export function vectorRecord(
  row: UnembeddedRow,
  tenant: string,
  vector: Float32Array,
): VectorRecord {
  const { home_path: workspace, session_key: session, type, timestamp } = row;
  const path = row.file_path ?? undefined;
  const payload: Record<string, string[]> = { tenant: [tenant] };
  for (const tag of tagsOf({ tenant, workspace, session, type, path, timestamp, characters: 0 })) {
    const kind = KINDS[tag.charAt(0)];
    if (kind !== undefined) (payload[kind] ??= []).push(tag);
  }
  // A session may be moved into a workspace that it was not started in.
  payload['place'] = [...(payload['place'] ?? []), ...(payload['session'] ?? [])];
  return { id: vectorId(row), vector, payload: payload satisfies JsonObject };
}

/** The filter for the clauses that the text index is asked with. */
export function vectorFilter(
  tenant: string,
  clauses: readonly (readonly string[])[] = [],
): VectorFilter {
  const filter: Record<string, { readonly anyOf: readonly string[] }> = {
    tenant: { anyOf: [tenant] },
  };
  for (const clause of clauses) {
    const [first = ''] = clause;
    const kind = first === 'never' ? 'time' : KINDS[first.charAt(0)];
    if (kind !== undefined) filter[kind] = { anyOf: clause };
  }
  return filter;
}
