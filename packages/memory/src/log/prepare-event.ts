import { createId, type JsonObject, type JsonValue } from '@vizprompt/providers';
import { toBlob, type Blob } from '../blob/blob.ts';
import { unifiedDiff } from '../diff/unified-diff.ts';
import { MemoryError } from '../errors.ts';
import { assertData, assertType, named } from '../model/check-data.ts';
import type { EventType } from '../model/event-data.ts';
import type { EventFacts } from '../model/memory-event.ts';
import { Cleaner } from '../redact/clean-json.ts';
import { assertId } from '../store/ids.ts';
import type { MemoryContext } from '../store/memory-context.ts';
import { toTime } from '../store/times.ts';
import { filePath, shownPath } from '../workspace/paths.ts';

/** Whole texts of a file, and the diff between them, where an event has them. */
interface FileTexts<Value> {
  readonly old?: Value;
  readonly new?: Value;
  readonly diff?: Value;
}

/** An event that is checked, clean and ready to be written. */
export interface PreparedEvent {
  readonly id: string;
  readonly timestamp: string;
  readonly type: EventType | 'forgotten';
  /** Without the texts that are blobs. */
  readonly data: JsonObject;
  readonly json: string;
  readonly parent: string | undefined;
  readonly meta: JsonObject | undefined;
  readonly redactions: number;
  readonly path: string | undefined;
  readonly shownPath: string | undefined;
  readonly texts: FileTexts<string>;
  /** The diff was made from the two texts, so all that differs stands in it. */
  readonly isDiffMade: boolean;
  readonly blobs: FileTexts<Blob>;
}

/** What `logMany` is given, before it is checked. */
export interface LooseEvent extends Omit<EventFacts, 'meta'> {
  readonly meta?: object;
  readonly type: unknown;
  readonly data: unknown;
  /** Secrets that were taken out before, as by the store that it was exported from. */
  readonly redactions?: number;
}

/**
 * Checks an event, takes secrets out of it, makes its path absolute and its diff from its texts.
 *
 * @throws MemoryError `invalid-input`, `invalid-text`, `too-large` or `path-outside`.
 */
export async function prepareEvent(
  context: MemoryContext,
  workspace: string,
  event: LooseEvent,
): Promise<PreparedEvent> {
  const { type, id, timestamp, parent } = event;
  assertType(type);
  assertData(type, event.data);
  if (id !== undefined) assertId(id, 'the id of an event');
  if (parent !== undefined) assertId(parent, 'the parent of an event');
  const cleaner = new Cleaner(context.redact);
  const now = context.clock();
  const raw: Readonly<Record<string, unknown>> = { ...event.data };
  assertSizes(type, raw, context.maxContentBytes);
  const cleaned = cleaner.object(raw, type);
  const meta = event.meta === undefined ? undefined : cleanMeta(cleaner, event.meta);
  const path = pathOf(raw['file_path'], workspace);
  const shown = path === undefined ? undefined : shownPath(path, workspace);
  const { data, texts, isDiffMade } =
    path === undefined
      ? { data: cleaned, texts: {}, isDiffMade: false }
      : splitTexts(cleaned, path, shown);
  const json = JSON.stringify(data);
  const metaSize = meta === undefined ? 0 : JSON.stringify(meta).length;
  assertSize(`the data of ${named(type)}`, json.length + metaSize, context.maxContentBytes);
  return {
    id: id ?? createId(now),
    timestamp:
      timestamp === undefined ? new Date(now).toISOString() : toTime(timestamp, 'timestamp'),
    type,
    data,
    json,
    parent,
    meta,
    redactions: cleaner.count + (event.redactions ?? 0),
    path,
    shownPath: shown,
    texts,
    isDiffMade,
    blobs: path === undefined ? {} : await blobsOf(texts),
  };
}

function cleanMeta(cleaner: Cleaner, meta: unknown): JsonObject {
  if (typeof meta === 'object' && meta !== null && !Array.isArray(meta)) {
    return cleaner.object(meta, 'meta');
  }
  throw new MemoryError('invalid-input', 'the meta of an event must be an object');
}

function pathOf(path: unknown, workspace: string): string | undefined {
  return typeof path === 'string' ? filePath(path, workspace) : undefined;
}

/** Takes the texts of a file out of the data; the diff is that of what is stored. */
function splitTexts(
  cleaned: JsonObject,
  path: string,
  shown = path,
): Pick<PreparedEvent, 'data' | 'texts' | 'isDiffMade'> {
  const { old_content: old, new_content: next, diff, ...rest } = cleaned;
  const before = typeof old === 'string' ? old : undefined;
  const after = typeof next === 'string' ? next : undefined;
  const made = diffOf(rest['action'], shown, before, after);
  const stored = typeof diff === 'string' && diff !== '' ? diff : made;
  return {
    data: { ...rest, file_path: path },
    texts: {
      ...(before === undefined ? {} : { old: before }),
      ...(after === undefined ? {} : { new: after }),
      ...(stored === undefined ? {} : { diff: stored }),
    },
    isDiffMade: made !== undefined && made === stored,
  };
}

/** Nothing where the texts that the action needs are not known. */
function diffOf(
  action: JsonValue | undefined,
  path: string,
  before: string | undefined,
  after: string | undefined,
): string | undefined {
  if (action === 'create' && after !== undefined) {
    return unifiedDiff({ path, before: before === '' ? undefined : before, after });
  }
  if (action === 'delete' && before !== undefined) {
    return unifiedDiff({ path, before, after: undefined });
  }
  if (before === undefined || after === undefined) return undefined;
  return unifiedDiff({ path, before, after });
}

async function blobsOf(texts: FileTexts<string>): Promise<FileTexts<Blob>> {
  const { old, new: next, diff } = texts;
  return {
    ...(old === undefined ? {} : { old: await toBlob(old) }),
    ...(next === undefined ? {} : { new: await toBlob(next) }),
    ...(diff === undefined ? {} : { diff: await toBlob(diff) }),
  };
}

/** Refuses large texts before anything is done with them. */
function assertSizes(type: EventType, data: Readonly<Record<string, unknown>>, max: number): void {
  for (const [name, value] of Object.entries(data)) {
    if (typeof value !== 'string' || value.length * 3 <= max) continue;
    assertSize(`the ${name} of ${named(type)}`, Buffer.byteLength(value, 'utf8'), max);
  }
}

function assertSize(what: string, bytes: number, max: number): void {
  if (bytes <= max) return;
  throw new MemoryError(
    'too-large',
    `${what} takes ${bytes} bytes and at most ${max} are stored: cut it, or raise maxContentBytes`,
    { context: { bytes, max } },
  );
}
