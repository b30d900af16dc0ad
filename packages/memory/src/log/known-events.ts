import { MemoryError } from '../errors.ts';
import { isId } from '../model/ids.ts';
import type { MemoryContext } from '../store/memory-context.ts';

/** How many ids one query asks for. */
const IDS_AT_ONCE = 500;

/** Which of these ids are those of events that are stored, forgotten ones included. */
export async function knownEvents(
  { database, tenant }: MemoryContext,
  ids: readonly string[],
): Promise<Set<string>> {
  const given: unknown = ids;
  if (!Array.isArray(given)) {
    throw new MemoryError('invalid-input', 'the ids of knownEvents: expected a list of ids');
  }
  const known = new Set<string>();
  for (let at = 0; at < ids.length; at += IDS_AT_ONCE) {
    const some = ids.slice(at, at + IDS_AT_ONCE).filter(isId);
    if (some.length === 0) continue;
    const rows = await database.query<{ id: string }>(
      `SELECT id FROM memory_events WHERE tenant = ? AND id IN (${some.map(() => '?').join(', ')})`,
      [tenant, ...some],
    );
    for (const { id } of rows) known.add(id);
  }
  return known;
}
