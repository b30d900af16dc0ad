import type { McpServer } from '@modelcontextprotocol/server';
import type { JsonValue } from '@vizprompt/providers';
import {
  COUNT,
  described,
  FLAG,
  listOf,
  NONEMPTY,
  optional,
  snakeInput,
  OBJECT,
  oneOf,
} from '@vizprompt/providers/config/internal';
import { MemoryError } from '../errors.ts';
import { EVENT_FILTER } from '../log/list-events.ts';
import type { MemoryStore } from '../memory-store.ts';
import { EVENT_TYPES } from '../model/event-data.ts';
import { ID, limitKind } from '../model/input-kinds.ts';
import { shortFacts } from '../model/kept-lines.ts';
import { type MemoryEvent, EVENT_FACTS, type NewEvent } from '../model/memory-event.ts';
import type { SessionInfo } from '../model/session.ts';
import {
  EVENT_ID,
  eventDetails,
  FOLDER,
  SESSION_ID,
  timelineResult,
  loggedEvent,
} from './schemas.ts';
import { sessionData, sessionLine } from './session-tools.ts';
import {
  READ_ONLY,
  runTool,
  storedResult,
  type ToolHost,
  briefEvent,
  fitting,
  ROOM,
  ADDS,
  sessionOf,
  toolResult,
} from './tool-host.ts';

const FILE_TEXTS: readonly string[] = ['old_content', 'new_content'];

/** Maximum size of the events of an answer in both of its forms, in bytes: ids that have no room take some, too. */
const BOTH_BYTES = 18_000;

const GET_EVENTS_INPUT = snakeInput(
  {
    ids: described(listOf('1 to 50 ids', EVENT_ID, 1, 50), {
      en: 'As search and timeline give them',
    }),
    contents: optional(FLAG, {
      en: 'Give the whole texts of files too (old_content, new_content)',
      default: false,
    }),
    field: optional(NONEMPTY, { en: 'Only this field, such as diff or result' }),
    offset: optional(COUNT, { en: 'Where to begin in that field; needs field', default: 0 }),
    maxCharacters: ROOM,
  },
  { ids: 'event_ids' },
);

/** `get_events`. */
export function addGetEventsTool(server: McpServer, host: ToolHost): void {
  const { store } = host;
  server.registerTool(
    'get_events',
    {
      title: 'Read events',
      description:
        'Gives whole events, verbatim, with diffs, tool arguments and results. Long fields are cut, and say where they continue: read the rest with field and offset.',
      inputSchema: GET_EVENTS_INPUT,
      outputSchema: eventDetails,
      annotations: READ_ONLY,
    },
    ({ ids, contents = false, field, offset = 0, maxCharacters }) => {
      return runTool(host, async () => {
        if (offset > 0 && (field === undefined || ids.length > 1)) {
          throw new MemoryError(
            'invalid-input',
            'offset needs one event and the field to read on in',
          );
        }
        const { found, missing } = await read(store, ids);
        const sizeOf = maxCharacters === undefined ? bytesInBoth : lengthOf;
        let left = maxCharacters ?? BOTH_BYTES;
        const leftOut: string[] = [];
        const events = found.flatMap(({ id, data, meta, ...event }, at) => {
          // The other properties of each event take room, too, but for the first.
          const frame = at === 0 ? 0 : sizeOf({ event_id: id, ...event });
          if (frame > left) {
            leftOut.push(id);
            return [];
          }
          left -= frame;
          const {
            data: shown,
            cut,
            size,
          } = cutData(pick(data, field, contents), {
            room: left,
            offset,
            sizeOf,
          });
          left -= size;
          const isCut = Object.keys(cut).length > 0;
          const facts = shortFacts(meta ?? {});
          const factsSize = sizeOf(facts);
          const hasFacts = Object.keys(facts).length > 0 && factsSize <= left;
          if (hasFacts) left -= factsSize;
          return {
            event_id: id,
            ...event,
            data: shown,
            ...(hasFacts ? { meta: facts } : {}),
            ...(isCut ? { cut } : {}),
          };
        });
        const text = events.map((event) => JSON.stringify(event)).join('\n\n');
        const gone =
          missing.length === 0 ? [] : [`There are no readable events ${missing.join(', ')}.`];
        const more =
          leftOut.length === 0
            ? []
            : [`These had no room; ask for them next: ${leftOut.join(', ')}.`];
        return storedResult(host.workspace, [text, ...gone, ...more].join('\n\n'), {
          events,
          ...(leftOut.length > 0 ? { left_out: leftOut } : {}),
          ...(missing.length > 0 ? { not_found: missing } : {}),
        });
      });
    },
  );
}

async function read(
  store: MemoryStore,
  ids: readonly string[],
): Promise<{ readonly found: readonly MemoryEvent[]; readonly missing: readonly string[] }> {
  const found: MemoryEvent[] = [];
  const missing: string[] = [];
  let corrupt: MemoryError | undefined;
  for (const id of new Set(ids)) {
    try {
      found.push(await store.getEvent(id));
    } catch (error) {
      if (!MemoryError.isInstance(error)) throw error;
      if (error.code === 'corrupt') corrupt = error;
      else if (error.code !== 'event-not-found') throw error;
      missing.push(id);
    }
  }
  if (found.length > 0) return { found, missing };
  if (corrupt) throw corrupt;
  throw new MemoryError('event-not-found', `there are no events ${missing.join(', ')}`);
}

/** Returns the fields that are asked for. */
function pick(
  data: MemoryEvent['data'],
  field: string | undefined,
  contents: boolean,
): Readonly<Record<string, JsonValue>> {
  const fields: Readonly<Record<string, JsonValue>> = { ...data };
  const entries = Object.entries(fields).filter(([name]) => {
    return field === undefined ? contents || !FILE_TEXTS.includes(name) : name === field;
  });
  if (entries.length > 0 || field === undefined) return Object.fromEntries(entries);
  throw new MemoryError(
    'invalid-input',
    `there is no field '${field}' in this event: it has ${Object.keys(fields).join(', ')}`,
  );
}

/** Returns the size of a value in an answer that is limited by characters. */
function lengthOf(value: JsonValue | object): number {
  return JSON.stringify(value).length;
}

/** Returns the size of a value in both forms of an answer, in bytes: the text is JSON in a string, escaped twice. */
function bytesInBoth(value: JsonValue | object): number {
  const json = JSON.stringify(value);
  return Buffer.byteLength(json) + Buffer.byteLength(JSON.stringify(json));
}

/** Limits of what {@link cutData} returns. */
interface CutRoom {
  /** Maximum size of all values together. */
  readonly room: number;
  readonly offset: number;
  readonly sizeOf: (value: JsonValue) => number;
}

/** Fields of an event as far as there is room, and those that were cut. */
interface CutData {
  readonly data: Readonly<Record<string, JsonValue>>;
  /** The cut fields, each with the offset at which it continues. */
  readonly cut: Readonly<Record<string, number>>;
  readonly size: number;
}

/** Truncates fields to the room that there is. A value that is not a string is cut as JSON. */
function cutData(
  fields: Readonly<Record<string, JsonValue>>,
  { room, offset, sizeOf }: CutRoom,
): CutData {
  const data: Record<string, JsonValue> = {};
  const cut: Record<string, number> = {};
  let size = 0;
  for (const [name, value] of Object.entries(fields)) {
    const text = typeof value === 'string' ? value : JSON.stringify(value);
    const left = room - size;
    const isWhole = offset === 0 && text.length <= left && sizeOf(value) <= left;
    const end = isWhole ? text.length : fittingEnd(text, offset, left, sizeOf);
    const shown = isWhole ? value : text.slice(offset, end);
    data[name] = shown;
    size += sizeOf(shown);
    if (end < text.length) cut[name] = end;
  }
  return { data, cut, size };
}

/** Returns the last end of a part of a text that has room. */
function fittingEnd(text: string, offset: number, room: number, sizeOf: CutRoom['sizeOf']): number {
  let [end, over] = [offset, Math.min(text.length, offset + Math.max(0, room)) + 1];
  while (over - end > 1) {
    const middle = Math.floor((end + over) / 2);
    if (sizeOf(text.slice(offset, middle)) <= room) end = middle;
    else over = middle;
  }
  return wholeEnd(text, end);
}

/** An end that is not between the two halves of a character. */
function wholeEnd(text: string, end: number): number {
  const isHalf = end > 0 && /[\ud800-\udbff]/.test(text[end - 1] ?? '');
  return isHalf && end < text.length ? end - 1 : end;
}

const TIMELINE_INPUT = snakeInput(
  {
    session: SESSION_ID,
    event: optional(ID, { en: 'Shows what happened before and after this event' }),
    workspace: FOLDER,
    after: EVENT_FILTER.after,
    type: EVENT_FILTER.type,
    path: EVENT_FILTER.path,
    limit: limitKind(20, 200),
    maxCharacters: ROOM,
  },
  { session: 'session_id', event: 'event_id' },
);

/** `timeline`. */
export function addTimelineTool(server: McpServer, host: ToolHost): void {
  const { store } = host;
  server.registerTool(
    'timeline',
    {
      title: 'Show a timeline',
      description:
        'Lists the events of a session in their order, a line for each: around an event, after a sequence, or the last ones. Without session_id and event_id it is the newest session of the workspace. get_events reads the whole of those that matter.',
      inputSchema: TIMELINE_INPUT,
      outputSchema: timelineResult,
      annotations: READ_ONLY,
    },
    (
      { session: id, event, workspace: folder, after, limit, maxCharacters, ...filter },
      { mcpReq },
    ) => {
      return runTool(host, async () => {
        const size = limit ?? 20;
        const around = event === undefined ? undefined : await store.getEvent(event);
        const session = await sessionFor(host, around?.session_id ?? id, folder);
        const middle = around && Math.max(0, around.sequence - 1 - Math.floor((size - 1) / 2));
        const isFiltered = filter.type !== undefined || filter.path !== undefined;
        // With a filter, the last matches are known only after all events are read.
        const last = isFiltered ? 0 : Math.max(0, session.event_count - size);
        const list = store.events(session.id, {
          ...filter,
          after: after ?? middle ?? last,
          limit: size,
          contents: 'omit',
          signal: mcpReq.signal,
        });
        const page = await list.page();
        const { damaged = [] } = page;
        const short = (one: MemoryEvent) => ({
          event_id: one.id,
          session_id: one.session_id,
          sequence: one.sequence,
          timestamp: one.timestamp,
          type: one.type,
          brief: briefEvent(one, session.workspace_path),
        });
        const events = fitting(page.events, short, maxCharacters);
        const next = events.length < page.events.length ? events.at(-1)?.sequence : page.next;
        const shown = events.map(short);
        const lines = shown.map((one) => {
          return `${one.sequence}. ${one.type} [${one.event_id}]: ${one.brief}`;
        });
        const none = lines.length === 0 ? ['There are no such events.'] : [];
        const broken = damaged.map((one) => `${one.sequence}. cannot be read [${one.id}]`);
        const more = next === undefined ? [] : [`(continue with after ${next})`];
        const text = [sessionLine(session), ...lines, ...broken, ...none, ...more].join('\n');
        return storedResult(session.workspace_path, text, {
          session: sessionData(session),
          events: shown,
          ...(damaged.length === 0 ? {} : { damaged }),
          ...(next === undefined ? {} : { next_after: next }),
        });
      });
    },
  );
}

async function sessionFor(
  { store, workspace: preset }: ToolHost,
  id: string | undefined,
  folder: string | undefined,
): Promise<SessionInfo> {
  if (id !== undefined) return store.getSession(id);
  const place = folder ?? preset;
  const [newest] = await store.listSessions({ workspace: place, limit: 1 });
  if (newest) return newest;
  throw new MemoryError('session-not-found', `there is no session of ${place} yet`);
}

const FIELDS = `The fields of the type:
user_message {content};
assistant_message {content, tool_calls?: [{tool, args}]};
thinking {content, context?};
code_intention {action: create|edit|delete, file_path, reason, old_content?, new_content?, diff?}, before the change;
file_edit {action, file_path, old_content?, new_content?, diff?, intention_event_id? (default: the open one of the file), success, error_message?}, after it;
tool_use {tool, parameters, result?, duration_ms?, success?}`;

const LOG_INPUT = snakeInput(
  {
    type: oneOf(...EVENT_TYPES),
    data: described(OBJECT, { en: FIELDS }),
    session: { ...SESSION_ID, en: 'Default: the one that runs in the workspace' },
    parent: EVENT_FACTS.parent,
  },
  { session: 'session_id', parent: 'parent_event_id' },
);

/** `log`. */
export function addLogTool(server: McpServer, host: ToolHost): void {
  server.registerTool(
    'log',
    {
      title: 'Log an event',
      description:
        'Keeps an event for later sessions, verbatim but for secrets: what was said, thought, intended, edited or run.',
      inputSchema: LOG_INPUT,
      outputSchema: loggedEvent,
      annotations: ADDS,
    },
    ({ type, data, session: id, ...facts }) => {
      return runTool(host, async () => {
        const session = await sessionOf(host, id);
        // The store checks the data by hand, and says which field is wrong.
        // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it is checked next
        const given = data as NewEvent['data'];
        const event = await host.store.log(session.id, type, given, facts);
        const removed =
          event.redactions === undefined ? '' : `; ${event.redactions} secrets were removed`;
        const intention =
          'intention_event_id' in event.data ? event.data.intention_event_id : undefined;
        const carried = intention === undefined ? '' : `; it carried out [${intention}]`;
        return toolResult(`Logged as ${event.sequence} [${event.id}]${carried}${removed}.`, {
          event_id: event.id,
          session_id: event.session_id,
          sequence: event.sequence,
          ...(intention === undefined ? {} : { intention_event_id: intention }),
          ...(event.redactions === undefined ? {} : { redactions: event.redactions }),
        });
      });
    },
  );
}
