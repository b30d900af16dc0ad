import { createId, type JsonObject } from '@vizprompt/providers';
import { ANYTHING, type Kinds } from '@vizprompt/providers/config/internal';
import { diffOfEdit } from '../diff/unified-diff.ts';
import { MemoryError } from '../errors.ts';
import {
  indexedFields,
  indexedWords,
  type IndexedEvent,
  type IndexedFields,
  type IndexedWords,
} from '../indexing/indexed-event.ts';
import { assertData, assertType, type EventType, named } from '../model/event-data.ts';
import { LINES } from '../model/kept-lines.ts';
import { assertId, toKeptTime } from '../model/ids-and-times.ts';
import { type EventFacts, type MemoryEvent, EVENT_FACTS } from '../model/memory-event.ts';
import { shownPath } from '../model/paths.ts';
import { assertCleanId, Redactor, storedFile } from '../redact/redactor.ts';
import { contentOf, type Content } from '../store/blobs.ts';
import { makeEvent } from '../store/event-rows.ts';
import type { MemoryContext } from '../store/memory-context.ts';

/** Whole texts of a file, and the diff between them, where an event has them. */
interface FileTexts<Value> {
  readonly old?: Value;
  readonly new?: Value;
  readonly diff?: Value;
}

/** An event that is checked, redacted and ready to be written. */
export interface PreparedEvent {
  readonly id: string;
  readonly timestamp: string;
  readonly type: EventType | 'forgotten';
  /** Without the texts that are blobs. */
  readonly data: JsonObject;
  readonly json: string;
  readonly parent: string | undefined;
  readonly meta: JsonObject | undefined;
  readonly metaJson: string | undefined;
  readonly redactions: number;
  readonly path: string | undefined;
  /** The `code_intention` that it carried out. */
  readonly intention: string | undefined;
  /** The words that find it, besides whole texts of files. */
  readonly words: IndexedWords;
  readonly texts: FileTexts<string>;
  /** The diff was created from the two texts, so it holds all that differs. */
  readonly isDiffMade: boolean;
  /** The same texts as they are stored, apart from the event, and the lines of a transcript that came along. */
  readonly blobs: FileTexts<Content> & { readonly lines?: Content };
}

/** Returns the stored event that a prepared one became. */
export function asEvent(event: PreparedEvent, session: string, sequence: number): MemoryEvent {
  return makeEvent({ ...event, ...event.texts, session_id: session, sequence });
}

/** Returns about how many bytes an event has. */
export function sizeOf({ json, blobs }: PreparedEvent): number {
  return Object.values(blobs).reduce((sum, { bytes }) => sum + bytes.length, json.length);
}

/** The part of a context that prepares events. */
export type PrepareContext = Pick<
  MemoryContext,
  'redact' | 'maxContentBytes' | 'clock' | 'analyzer'
>;

/** An event for `logMany`, before it is checked. */
export interface LooseEvent extends Omit<EventFacts, 'meta'> {
  readonly meta?: object | undefined;
  readonly type: unknown;
  readonly data: unknown;
  /** Secrets that were removed before, as by the store that it was exported from. */
  readonly redactions?: number | undefined;
}

/** The fields of an event for `logMany`; `redactions` comes from importers. */
export const LOOSE_EVENT: Kinds<LooseEvent> = {
  ...EVENT_FACTS,
  type: ANYTHING,
  data: ANYTHING,
  redactions: ANYTHING,
};

/**
 * Checks an event, takes secrets out of it, makes its path absolute and its diff from its texts.
 *
 * @throws MemoryError `invalid-input`, `invalid-text`, `too-large` or `path-outside`.
 */
export function prepareEvent(
  settings: PrepareContext,
  workspace: string,
  event: LooseEvent,
): PreparedEvent {
  const { type, id, timestamp, parent } = event;
  assertType(type);
  assertData(type, event.data);
  if (id !== undefined) assertId(id, 'the id of an event');
  if (parent !== undefined) assertId(parent, 'the parent of an event');
  const cleaner = new Redactor(settings.redact);
  const now = settings.clock();
  const raw: Readonly<Record<string, unknown>> = { ...event.data };
  assertSizes(type, raw, settings.maxContentBytes);
  const cleaned = cleaner.object(raw, type);
  const given: JsonObject = event.meta === undefined ? {} : cleanMeta(cleaner, event.meta);
  const { [LINES]: lines, ...facts } = given;
  const meta = event.meta === undefined ? undefined : facts;
  assertCleanId(id, 'the id of an event', settings.redact);
  assertCleanId(parent, 'the parent of an event', settings.redact);
  const path = pathOf(raw['file_path'], workspace, settings.redact);
  const shown = path === undefined ? undefined : shownPath(path, workspace);
  const { data, texts, isDiffMade } =
    path === undefined
      ? { data: cleaned, texts: {}, isDiffMade: false }
      : splitTexts(cleaned, path, shown);
  const json = JSON.stringify(data);
  const metaJson = meta === undefined ? undefined : JSON.stringify(meta);
  const metaSize = metaJson?.length ?? 0;
  assertSize(`the data of ${named(type)}`, json.length + metaSize, settings.maxContentBytes);
  const linesJson = lines === undefined ? undefined : JSON.stringify(lines);
  assertSize(`the lines of ${named(type)}`, linesJson?.length ?? 0, settings.maxContentBytes);
  return {
    id: id ?? createId(now),
    timestamp:
      timestamp === undefined ? new Date(now).toISOString() : toKeptTime(timestamp, 'timestamp'),
    type,
    data,
    json,
    parent,
    meta,
    metaJson,
    redactions: cleaner.count + (event.redactions ?? 0),
    path,
    intention: intentionOf(data),
    words: indexedWords(fieldsOf(type, data, meta, shown, texts.diff), settings.analyzer),
    texts,
    isDiffMade,
    blobs: {
      ...(path === undefined ? {} : blobsOf(texts)),
      ...(linesJson === undefined ? {} : { lines: contentOf(linesJson) }),
    },
  };
}

/** Runs a step on one of several events; an error of it names the number of the event. */
export function inEvent<T>(number: number, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!MemoryError.isInstance(error)) throw error;
    const { code, message, context } = error;
    throw new MemoryError(code, `event ${number}: ${message}`, {
      cause: error,
      context: { ...context, event: number },
    });
  }
}

function cleanMeta(cleaner: Redactor, meta: unknown): JsonObject {
  if (typeof meta === 'object' && meta !== null && !Array.isArray(meta)) {
    return cleaner.object(meta, 'meta');
  }
  throw new MemoryError('invalid-input', 'the meta of an event must be an object');
}

function intentionOf(data: JsonObject): string | undefined {
  const id = data['intention_event_id'];
  return typeof id === 'string' ? id : undefined;
}

function fieldsOf(
  type: EventType,
  data: JsonObject,
  meta: JsonObject | undefined,
  path: string | undefined,
  diff: string | undefined,
): IndexedFields {
  const whole = diff === undefined ? data : { ...data, diff };
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it has been checked
  return indexedFields({ type, data: whole, meta, path, contents: [] } as unknown as IndexedEvent);
}

function pathOf(
  path: unknown,
  workspace: string,
  redact: PrepareContext['redact'],
): string | undefined {
  return typeof path === 'string' ? storedFile(path, workspace, redact) : undefined;
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
  const made = diffOfEdit(rest['action'], shown, before, after);
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

function blobsOf({ old, new: next, diff }: FileTexts<string>): FileTexts<Content> {
  return {
    ...(old === undefined ? {} : { old: contentOf(old) }),
    ...(next === undefined ? {} : { new: contentOf(next) }),
    ...(diff === undefined ? {} : { diff: contentOf(diff) }),
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
