import type { JsonObject } from '@vizprompt/providers';
import { isJsonObject } from '@vizprompt/providers/internal';
import { checkOptions } from '../check-values.ts';
import { MemoryError } from '../errors.ts';
import { forget } from '../forget/forget.ts';
import { writeNew } from '../log/log-events.ts';
import { prepareEvent, type PreparedEvent } from '../log/prepare-event.ts';
import { assertId, toKeptTime } from '../model/ids-and-times.ts';
import { changeSession } from '../session/change-session.ts';
import { addSession } from '../session/start-session.ts';
import type { MemoryContext, SessionKey } from '../store/memory-context.ts';
import { resolveSession } from '../store/session-rows.ts';
import {
  invalid,
  READ_RECORDS_OPTIONS,
  readRecords,
  type ExportSource,
  type ReadRecordsOptions,
} from './read-records.ts';

/** The result of an import. */
export interface ImportReport {
  /** Sessions that were not there before. */
  readonly sessions: number;
  /** Events that were not there before. */
  readonly events: number;
  /** Events that were there already. */
  readonly known: number;
  /** Events that were there, and were forgotten where the export comes from. */
  readonly forgotten: number;
}

const EVENTS_AT_ONCE = 500;

/** Adds what is not there yet; events keep their ids and are numbered after those of their session. */
export async function importJson(
  context: MemoryContext,
  source: ExportSource,
  options: ReadRecordsOptions = {},
): Promise<ImportReport> {
  checkOptions('importJson', options, READ_RECORDS_OPTIONS);
  const { signal } = options;
  const report = { sessions: 0, events: 0, known: 0, forgotten: 0 };
  let session: { readonly id: string; readonly place: SessionKey } | undefined;
  let part: PreparedEvent[] = [];
  let done = 0;

  const flush = async (): Promise<void> => {
    if (!session || part.length === 0) return;
    signal?.throwIfAborted();
    const own = { session: session.id, place: session.place, events: part };
    const written = await writeNew(context, own, 'any');
    report.events += written.length;
    report.known += part.length - written.length;
    const fresh = new Set(written.map(({ id }) => id));
    for (const { id, type } of part) {
      if (type !== 'forgotten' || fresh.has(id)) continue;
      report.forgotten += (await forget(context, { event: id })).length;
    }
    done += part.length;
    part = [];
    context.events.emit('task:progress', { task: 'import', done });
  };

  for await (const record of readRecords(source, options)) {
    if (!isJsonObject(record)) throw invalid('a record is no object');
    if (isJsonObject(record['session'])) {
      await flush();
      const found = record['session'];
      const { id, isNew } = await placed('session', found, () => importSession(context, found));
      if (isNew) report.sessions++;
      session = { id, place: await resolveSession(context, id) };
    } else if (isJsonObject(record['event'])) {
      if (!session) throw invalid('an event comes before its session');
      const { workspace } = session.place;
      const found = record['event'];
      part.push(await placed('event', found, async () => toPrepared(context, workspace, found)));
      if (part.length >= EVENTS_AT_ONCE) await flush();
    } else throw invalid('a record is neither a session nor an event');
  }
  await flush();
  return report;
}

/** Returns a record that the memory refuses makes the export invalid, unless it is only too large. */
async function placed<T>(
  kind: 'session' | 'event',
  { id }: Readonly<Record<string, unknown>>,
  read: () => Promise<T>,
): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (!MemoryError.isInstance(error) || !WRONG.has(error.code)) throw error;
    throw invalid(`the ${kind} ${JSON.stringify(id)} cannot be read: ${error.message}`, error);
  }
}

const WRONG: ReadonlySet<string> = new Set(['invalid-input', 'invalid-text', 'path-outside']);

async function importSession(
  context: MemoryContext,
  record: Readonly<Record<string, unknown>>,
): Promise<{ readonly id: string; readonly isNew: boolean }> {
  const { id, workspace_path: workspace, started_at, ended_at, metadata } = record;
  assertId(id, 'the id of a session');
  if (typeof workspace !== 'string') throw invalid(`the session '${id}' has no workspace_path`);
  const startedAt = toKeptTime(started_at, 'started_at');
  const given = isJsonObject(metadata) ? withoutTrailing(metadata) : {};
  const { session, isNew } = await addSession(context, {
    id,
    workspace,
    startedAt,
    metadata: given,
    ifExists: 'keep',
  });
  const endedAt = typeof ended_at === 'string' && session.ended_at === null ? ended_at : undefined;
  const added = Object.fromEntries(
    Object.entries(given).filter(([name]) => !Object.hasOwn(session.metadata, name)),
  );
  if (endedAt === undefined && (isNew || Object.keys(added).length === 0)) return { id, isNew };
  await changeSession(context, id, {
    ...(endedAt === undefined ? {} : { endedAt }),
    metadata: added,
  });
  return { id, isNew };
}

/** Older versions had lines of transcripts in the metadata, which were for no reader. */
function withoutTrailing(metadata: JsonObject): JsonObject {
  const entries = Object.entries(metadata);
  return Object.fromEntries(entries.filter(([name]) => !name.startsWith('trailing_lines')));
}

function toPrepared(
  context: MemoryContext,
  workspace: string,
  record: Readonly<Record<string, unknown>>,
): PreparedEvent {
  const { id, type, timestamp, data, parent_event_id: parent, meta, redactions } = record;
  assertId(id, 'the id of an event');
  const facts = {
    id,
    timestamp: toKeptTime(timestamp, `the timestamp of the event '${id}'`),
    ...(typeof parent === 'string' ? { parent } : {}),
  };
  if (type === 'forgotten') return { ...MARKER, ...facts, parent: facts.parent };
  return prepareEvent(context, workspace, {
    ...facts,
    type,
    data,
    ...(isJsonObject(meta) ? { meta } : {}),
    ...(typeof redactions === 'number' ? { redactions } : {}),
  });
}

const NO_TERMS = { line: [], extra: [] };

/** The rest of a forgotten event. */
const MARKER: Omit<PreparedEvent, 'id' | 'timestamp' | 'parent'> = {
  type: 'forgotten',
  data: {},
  json: '{}',
  meta: undefined,
  metaJson: undefined,
  redactions: 0,
  path: undefined,
  intention: undefined,
  words: {
    terms: { text: NO_TERMS, path: NO_TERMS, detail: NO_TERMS },
    characters: { text: 0, path: 0, detail: 0 },
  },
  texts: {},
  isDiffMade: false,
  blobs: {},
};
