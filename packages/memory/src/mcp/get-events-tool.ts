import type { McpServer } from '@modelcontextprotocol/server';
import type { JsonValue } from '@vizprompt/providers';
import {
  COUNT,
  described,
  FLAG,
  listOf,
  NONEMPTY,
  optional,
  wholeFrom,
  snakeInput,
} from '@vizprompt/providers/config/internal';
import { MemoryError } from '../errors.ts';
import type { MemoryStore } from '../memory-store.ts';
import type { MemoryEvent } from '../model/memory-event.ts';
import { EVENT_ID, eventDetails } from './schemas.ts';
import { READ_ONLY, runTool, storedResult, type ToolHost } from './tool-host.ts';

const FILE_TEXTS: readonly string[] = ['old_content', 'new_content'];

const INPUT = snakeInput(
  {
    ids: described(listOf('1 to 50 ids', EVENT_ID, 1, 50), {
      en: 'As search and timeline give them',
    }),
    contents: optional(FLAG, {
      en: 'Whether to give the whole texts of files too (old_content, new_content)',
      default: false,
    }),
    field: optional(NONEMPTY, { en: 'Only this field, such as diff or result' }),
    offset: optional(COUNT, { en: 'Where to begin in that field; needs field', default: 0 }),
    room: optional(wholeFrom(100, 200_000), { en: 'For all events together', default: 20_000 }),
  },
  { ids: 'event_ids', room: 'max_characters' },
);

/** `get_events`. */
export function addGetEventsTool(server: McpServer, host: ToolHost): void {
  const { store, logger } = host;
  server.registerTool(
    'get_events',
    {
      title: 'Read events',
      description:
        'Gives whole events, verbatim, with diffs, tool arguments and results. Long fields are cut, and say where they go on: read on with field and offset.',
      inputSchema: INPUT,
      outputSchema: eventDetails,
      annotations: READ_ONLY,
    },
    ({ ids, contents = false, field, offset = 0, room = 20_000 }) => {
      return runTool(logger, async () => {
        if (offset > 0 && (field === undefined || ids.length > 1)) {
          throw new MemoryError(
            'invalid-input',
            'offset needs one event and the field to read on in',
          );
        }
        const { found, missing } = await read(store, ids);
        let left = room;
        const events = found.map(({ id, data, ...event }) => {
          const { data: shown, cut, length } = cutData(pick(data, field, contents), left, offset);
          left -= length;
          const isCut = Object.keys(cut).length > 0;
          return { event_id: id, ...event, data: shown, ...(isCut ? { cut } : {}) };
        });
        const text = events.map((event) => JSON.stringify(event, null, 1)).join('\n\n');
        const gone = missing.length === 0 ? [] : [`There are no events ${missing.join(', ')}.`];
        return storedResult(host.workspace, [text, ...gone].join('\n\n'), {
          events,
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
  for (const id of new Set(ids)) {
    try {
      found.push(await store.getEvent(id));
    } catch (error) {
      if (!MemoryError.isInstance(error) || error.code !== 'event-not-found') throw error;
      missing.push(id);
    }
  }
  if (found.length > 0) return { found, missing };
  throw new MemoryError('event-not-found', `there are no events ${missing.join(', ')}`);
}

/** The fields that are asked for. */
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

/** Fields of an event as far as there is room, and those that were cut. */
interface CutData {
  readonly data: Readonly<Record<string, JsonValue>>;
  /** Each with the offset at which it goes on. */
  readonly cut: Readonly<Record<string, number>>;
  /** UTF-16 code units that they take. */
  readonly length: number;
}

/** As much of the fields as so many UTF-16 code units hold. What is no text is cut as JSON. */
function cutData(fields: Readonly<Record<string, JsonValue>>, room: number, offset = 0): CutData {
  const data: Record<string, JsonValue> = {};
  const cut: Record<string, number> = {};
  let length = 0;
  for (const [name, value] of Object.entries(fields)) {
    const text = typeof value === 'string' ? value : JSON.stringify(value);
    const end = wholeEnd(text, offset + Math.max(0, room - length));
    const isWhole = offset === 0 && end >= text.length;
    data[name] = isWhole ? value : text.slice(offset, end);
    length += Math.max(0, Math.min(end, text.length) - offset);
    if (end < text.length) cut[name] = end;
  }
  return { data, cut, length };
}

/** An end that is not between the two halves of a character. */
function wholeEnd(text: string, end: number): number {
  const isHalf = end > 0 && /[\ud800-\udbff]/.test(text[end - 1] ?? '');
  return isHalf && end < text.length ? end - 1 : end;
}
