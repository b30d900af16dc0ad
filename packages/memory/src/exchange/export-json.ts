import { FUNCTION, type Kinds, optional, SIGNAL, TEXT } from '@vizprompt/providers/config/internal';
import { checkOptions } from '../check-values.ts';
import { pathsOf } from '../files/file-history.ts';
import { isId } from '../model/ids-and-times.ts';
import { SESSION, WORKSPACE } from '../model/input-kinds.ts';
import type { MemoryEvent } from '../model/memory-event.ts';
import { workspaceGroup } from '../session/workspaces.ts';
import {
  readEventRows,
  SELECT_EVENTS,
  type DamagedEvent,
  type EventRow,
  type ReadContents,
} from '../store/event-rows.ts';
import type { MemoryContext } from '../store/memory-context.ts';
import {
  findSession,
  SELECT_SESSIONS,
  sessionNotFound,
  toListedSession,
  type SessionRow,
} from '../store/session-rows.ts';
import { listOf, SqlConditions } from '../store/sql.ts';

/** The name and version of the form of an export. */
export const EXPORT_FORMAT = 'vizprompt-memory';
/** Readers refuse higher versions. */
export const EXPORT_VERSION = 1;

/** The part to export: everything, or less. */
export interface ExportOptions {
  /** The id of a session. */
  readonly session?: string | undefined;
  /** This folder, and all that were declared the same workspace. */
  readonly workspace?: string | undefined;
  /** Only intentions and edits of this file: absolute, or relative to `workspace`. */
  readonly path?: string | undefined;
  /**
   * Called for each event, and each session whose metadata, cannot be read. The export has all others; as JSON
   * it names the damaged ones, too.
   */
  readonly onDamaged?: ((damaged: DamagedRecord) => void) | undefined;
  /** Ends the export. */
  readonly signal?: AbortSignal | undefined;
}

export const EXPORT_OPTIONS: Kinds<ExportOptions> = {
  session: SESSION,
  workspace: WORKSPACE,
  path: optional(TEXT, {
    en: 'Only intentions and edits of this file',
    ja: 'このファイルの意図と編集だけ',
  }),
  onDamaged: optional(FUNCTION),
  signal: optional(SIGNAL),
};

/** A record that an export could not read: an event, or without `sequence` the metadata of a session. */
export type DamagedRecord =
  | DamagedEvent
  | { readonly session_id: string; readonly sequence?: undefined; readonly problem: string };

const SESSIONS_AT_ONCE = 200;
const EVENTS_AT_ONCE = 100;

const { path: _path, ...FILE_OPTIONS } = EXPORT_OPTIONS;

/** Exports a memory, or a part of it, as one JSON document in pieces. */
export function exportJson(context: MemoryContext, options: ExportOptions): AsyncIterable<string> {
  checkOptions('exportJson', options, EXPORT_OPTIONS);
  return jsonPieces(context, options);
}

/** Exports the intentions and edits of a file. */
export function exportFile(
  context: MemoryContext,
  path: string,
  options: Omit<ExportOptions, 'path'>,
): AsyncIterable<string> {
  checkOptions<Omit<ExportOptions, 'path'>>('exportFile', options, FILE_OPTIONS);
  return jsonPieces(context, { ...options, path });
}

/** One JSON document in pieces: a record on each line, each session before its events. */
async function* jsonPieces(
  context: MemoryContext,
  options: ExportOptions,
): AsyncGenerator<string, void, undefined> {
  const { events, clock } = context;
  const head = {
    format: EXPORT_FORMAT,
    version: EXPORT_VERSION,
    exported_at: new Date(clock()).toISOString(),
  };
  const { session } = options;
  if (session !== undefined && !(await findSession(context, context.database, session))) {
    throw sessionNotFound(session);
  }
  yield `${JSON.stringify(head).slice(0, -1)},"records":[`;
  let separator = '\n';
  let done = 0;
  for await (const record of recordsOf(context, options)) {
    options.signal?.throwIfAborted();
    yield separator + JSON.stringify(record);
    separator = ',\n';
    done++;
    if (done % 1000 === 0) events.emit('task:progress', { task: 'export', done });
  }
  yield '\n]}\n';
}

async function* recordsOf(context: MemoryContext, options: ExportOptions): AsyncGenerator<object> {
  const paths =
    options.path === undefined
      ? undefined
      : await pathsOf(context, options.path, options.workspace);
  for await (const row of sessionsOf(context, options)) {
    const session = toListedSession(row);
    const damaged: DamagedRecord[] = [];
    const note = (found: DamagedRecord): void => {
      damaged.push(found);
      options.onDamaged?.(found);
    };
    let isNew = true;
    for await (const event of eventsOf(context, row.key, {
      paths,
      contents: 'all',
      onDamaged: note,
    })) {
      if (isNew) yield { session };
      isNew = false;
      yield { event };
    }
    if (isNew && paths && damaged.length === 0) continue;
    if (session.damaged !== undefined) note({ session_id: session.id, problem: session.damaged });
    // Readers of every version take a session that comes again as the same one.
    if (damaged.length > 0) yield { session, damaged };
    else if (isNew) yield { session };
  }
}

/** Returns the rows of the sessions that are exported, the oldest first. */
export async function* sessionsOf(
  context: MemoryContext,
  { session, workspace }: ExportOptions,
): AsyncGenerator<SessionRow> {
  const { database, tenant } = context;
  const where = new SqlConditions().add('tenant = ?', tenant);
  if (session !== undefined) {
    if (!isId(session)) return;
    where.add('id = ?', session);
  }
  if (workspace !== undefined) {
    where.addIn('workspace_path', await workspaceGroup(context, workspace));
  }
  let last = 0;
  for (;;) {
    const rows = await database.query<SessionRow>(
      `${SELECT_SESSIONS} WHERE ${where.sql} AND key > ? ORDER BY key LIMIT ?`,
      [...where.params, last, SESSIONS_AT_ONCE],
    );
    yield* rows;
    last = rows.at(-1)?.key ?? last;
    if (rows.length < SESSIONS_AT_ONCE) return;
  }
}

/** How events of a session are read for an export. */
export interface EventsOfOptions {
  readonly paths: readonly string[] | undefined;
  readonly contents?: ReadContents | undefined;
  readonly onDamaged: (damaged: DamagedEvent) => void;
}

/** Returns the events of a session that can be read, or those of some files, in their order. */
export async function* eventsOf(
  { database, tenant }: MemoryContext,
  session: number,
  { paths, contents = 'read', onDamaged }: EventsOfOptions,
): AsyncGenerator<MemoryEvent> {
  const filter = paths ? `AND e.file_path IN ${listOf(paths)}` : '';
  let after = 0;
  for (;;) {
    const rows = await database.query<EventRow>(
      `${SELECT_EVENTS} WHERE e.session_key = ? AND e.sequence > ? ${filter}
       ORDER BY e.sequence LIMIT ?`,
      [session, after, ...(paths ?? []), EVENTS_AT_ONCE],
    );
    const { events, damaged } = await readEventRows(database, tenant, rows, contents);
    for (const one of damaged) onDamaged(one);
    for (const event of events) if (event) yield event;
    after = rows.at(-1)?.sequence ?? after;
    if (rows.length < EVENTS_AT_ONCE) return;
  }
}
