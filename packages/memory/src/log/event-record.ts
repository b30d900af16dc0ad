import type { JsonObject } from '@vizprompt/providers';
import type { ContentWords, IndexedWords } from '../indexing/indexed-words.ts';
import type { EventType } from '../model/event-data.ts';
import type { MemoryEvent } from '../model/memory-event.ts';
import { textOfContent, type Content } from '../store/content.ts';
import { makeEvent } from '../store/event-rows.ts';
import type { SessionPlace } from '../store/memory-context.ts';

/** Whole texts of a file, and the diff between them, where an event has them. */
export interface FileTexts<Value> {
  readonly old?: Value;
  readonly new?: Value;
  readonly diff?: Value;
}

/** What is written of an event: plain values, which another thread may have made. */
export interface EventRecord {
  readonly id: string;
  readonly timestamp: string;
  readonly type: EventType | 'forgotten';
  /** Its data, without the texts that are blobs. */
  readonly json: string;
  readonly parent: string | undefined;
  readonly metaJson: string | undefined;
  readonly redactions: number;
  readonly path: string | undefined;
  /** The `code_intention` that it carried out. */
  readonly intention: string | undefined;
  /** What it is found by, beside whole texts of files. */
  readonly words: IndexedWords;
  /** The diff was made from the two texts, so all that differs stands in it. */
  readonly isDiffMade: boolean;
  /** Its whole texts, which are stored apart from it. */
  readonly wholes: FileTexts<Content>;
  /** What these are searched by, as far as it was found before. */
  readonly contentWords: FileTexts<ContentWords>;
}

/** Events that go behind those of one session. */
export interface SessionRecords<Written extends EventRecord = EventRecord> {
  readonly session: string;
  readonly place: SessionPlace;
  readonly records: readonly Written[];
}

/** The same when they are written. */
export interface WrittenRecords<Written extends EventRecord> extends SessionRecords<Written> {
  /** The sequence of the first one. */
  readonly first: number;
}

/** A whole text of an event, if it has it. */
export function textOfRecord(
  { wholes }: EventRecord,
  side: keyof FileTexts<string>,
): string | undefined {
  const whole = wholes[side];
  return whole && textOfContent(whole);
}

/** The event that a record was made of. */
export function eventOfRecord(record: EventRecord, session: string, sequence: number): MemoryEvent {
  const { json, metaJson, ...facts } = record;
  return makeEvent({
    ...facts,
    session_id: session,
    sequence,
    data: parsed(json),
    meta: metaJson === undefined ? undefined : parsed(metaJson),
    old: textOfRecord(record, 'old'),
    new: textOfRecord(record, 'new'),
    diff: textOfRecord(record, 'diff'),
  });
}

function parsed(json: string): JsonObject {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- written by this package
  return JSON.parse(json) as JsonObject;
}
