import type { JsonObject, JsonValue, SqlExecutor } from '@vizprompt/providers';
import {
  isJsonObject,
  listAt,
  objectOf,
  parseJson,
  textAt,
  type Dialect,
} from '@vizprompt/providers/internal';
import { TRANSCRIPT_AGENTS, TranscriptReader } from '@vizprompt/providers/transcripts';
import { LINES } from '../model/kept-lines.ts';
import { contentOf, putBlob, toBlob } from './blobs.ts';

const PAGE = 100;

/** An event or a session of the second version of the schema. */
interface OldRow {
  readonly key: number;
  readonly tenant: string;
  readonly json: string;
}

/**
 * Moves lines of transcripts from the facts about events and sessions into contents, where each list is stored once,
 * compressed. Lines that are known by now, and are nothing for a reader, are left out.
 */
export async function moveLines(tx: SqlExecutor, dialect: Dialect): Promise<void> {
  const sessions = await tx.query<OldRow>(
    `SELECT key, tenant, metadata AS json FROM memory_sessions WHERE metadata LIKE '%"trailing_lines%'`,
  );
  for (const row of sessions) await moveFromSession(tx, row);
  for (let last = 0; ;) {
    const rows = await tx.query<OldRow>(
      `SELECT key, tenant, meta AS json FROM memory_events
       WHERE key > ? AND meta LIKE '%"${LINES}"%' ORDER BY key LIMIT ${PAGE}`,
      [last],
    );
    for (const row of rows) await moveFromEvent(tx, dialect, row);
    last = rows.at(-1)?.key ?? last;
    if (rows.length < PAGE) break;
  }
}

async function moveFromEvent(tx: SqlExecutor, dialect: Dialect, row: OldRow): Promise<void> {
  const { [LINES]: _lines, ...facts } = objectOf(parseJson(row.json));
  const lines = listAt(objectOf(parseJson(row.json)), LINES);
  if (lines.length === 0) return;
  await tx.execute('UPDATE memory_events SET meta = ? WHERE key = ?', [
    Object.keys(facts).length === 0 ? null : JSON.stringify(facts),
    row.key,
  ]);
  await store(tx, dialect, row, unknownLines(textAt(facts, 'agent'), lines));
}

/** The lines after the last event of a session go to the facts about this event. */
async function moveFromSession(tx: SqlExecutor, row: OldRow): Promise<void> {
  const all = Object.entries(objectOf(parseJson(row.json)));
  // Damaged metadata stay as they are, for check() to report.
  if (all.length === 0) return;
  const isTrailing = ([name]: readonly [string, unknown]): boolean =>
    name.startsWith('trailing_lines');
  const rest: JsonObject = Object.fromEntries(all.filter((entry) => !isTrailing(entry)));
  const late = all
    .filter(isTrailing)
    .flatMap(([, value]) => (Array.isArray(value) ? (value as readonly JsonValue[]) : []));
  await tx.execute('UPDATE memory_sessions SET metadata = ? WHERE key = ?', [
    JSON.stringify(rest),
    row.key,
  ]);
  const [event] = await tx.query<{ key: number; meta: string | null }>(
    `SELECT key, meta FROM memory_events WHERE session_key = ? AND type <> 'forgotten'
     ORDER BY sequence DESC LIMIT 1`,
    [row.key],
  );
  const lines = unknownLines(textAt(rest, 'agent'), late);
  const facts = parseJson(event?.meta ?? '{}');
  if (!event || lines.length === 0 || !isJsonObject(facts)) return;
  const meta = JSON.stringify({ ...facts, [LINES]: [...listAt(facts, LINES), ...lines] });
  await tx.execute('UPDATE memory_events SET meta = ? WHERE key = ?', [meta, event.key]);
}

async function store(
  tx: SqlExecutor,
  dialect: Dialect,
  { key, tenant }: OldRow,
  lines: readonly JsonValue[],
): Promise<void> {
  if (lines.length === 0) return;
  const blob = await toBlob(contentOf(JSON.stringify(lines)));
  const { sql, params } = putBlob(dialect, tenant, blob);
  await tx.execute(sql, params);
  await tx.execute('UPDATE memory_events SET lines_hash = ? WHERE key = ?', [blob.hash, key]);
}

/** Leaves out the lines that the reader of the agent knows as settings and the like. */
function unknownLines(name: string | undefined, lines: readonly JsonValue[]): readonly JsonValue[] {
  const agent = TRANSCRIPT_AGENTS.find((known) => known === name);
  if (agent === undefined) return lines;
  return lines.filter((value) => {
    const entries = new TranscriptReader({ agent }).read({ value });
    return (
      entries.length === 0 || entries.some(({ kind }) => kind !== 'note' && kind !== 'passing')
    );
  });
}
