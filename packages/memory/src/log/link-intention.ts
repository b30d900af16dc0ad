import { damageOf, StoredRow } from '@vizprompt/providers/internal';
import type { EventFacts } from '../model/memory-event.ts';
import type { MemoryContext } from '../store/memory-context.ts';
import { resolveSession } from '../store/session-rows.ts';
import { DATA_COLUMNS, dataJson, type StoredData } from '../store/event-rows.ts';
import { storedFile } from '../redact/redactor.ts';

/** How many attempts that failed are looked past. */
const ATTEMPTS = 20;

/** An edit as it is given, before it is checked. */
interface LooseEdit {
  readonly data: unknown;
  readonly facts: EventFacts;
}

/**
 * Links an edit that names no intention with that of its file: if the last event of its session about the file is an
 * intention, attempts that failed aside, the edit carries it out.
 */
export async function linkIntention(
  context: MemoryContext,
  session: string,
  { data, facts }: LooseEdit,
): Promise<LooseEdit> {
  if (typeof data !== 'object' || data === null) return { data, facts };
  const fields: Readonly<Record<string, unknown>> = { ...data };
  const { file_path: path, intention_event_id: named } = fields;
  if (typeof path !== 'string' || named !== undefined) return { data, facts };
  const { key, workspace } = await resolveSession(context, session);
  const id = await openIntention(
    context,
    key,
    storedFile(path, workspace, context.redact),
    facts.parent,
  );
  if (id === undefined) return { data, facts };
  return { data: { ...fields, intention_event_id: id }, facts: { parent: id, ...facts } };
}

/** Nothing, too, where the parent names an intention of the file already. */
async function openIntention(
  { database }: MemoryContext,
  session: number,
  path: string,
  parent: string | undefined,
): Promise<string | undefined> {
  const rows = await database.query<EditRow>(
    `SELECT id, type, ${DATA_COLUMNS.join(', ')} FROM memory_events WHERE file_path = ? AND session_key = ?
     ORDER BY timestamp DESC, key DESC LIMIT ?`,
    [path, session, ATTEMPTS],
  );
  if (rows.some(({ id, type }) => type === 'code_intention' && id === parent)) return undefined;
  const last = rows.find((row) => row.type !== 'file_edit' || isDone(row));
  return last?.type === 'code_intention' ? last.id : undefined;
}

interface EditRow extends StoredData {
  readonly id: string;
  readonly type: string;
}

/** Checks whether an edit succeeded. A damaged one counts as failed: it must not block the next edit. */
function isDone(row: EditRow): boolean {
  try {
    const stored = new StoredRow('memory_events', row.id);
    return stored.object('data', dataJson(stored, row))['success'] === true;
  } catch (error) {
    if (!damageOf(error)) throw error;
    return false;
  }
}
