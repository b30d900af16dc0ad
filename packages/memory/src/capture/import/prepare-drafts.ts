import { MemoryError } from '../../errors.ts';
import type { EventRecord, FileTexts } from '../../log/event-record.ts';
import { sizeOf } from '../../log/log-events.ts';
import { prepareEvent, type PrepareSettings } from '../../log/prepare-event.ts';
import type { NewEvent } from '../../model/memory-event.ts';
import type { EventDraft } from '../draft.ts';
import { GROUP_BYTES, GROUP_EVENTS } from './record-group.ts';
import type {
  ChosenDraft,
  PreparedBatch,
  PrepareRequest,
  RefusedEvent,
} from './transcript-parts.ts';

/** Why the store may refuse an event for what is in it. */
export const REFUSALS: ReadonlySet<string> = new Set([
  'invalid-input',
  'invalid-text',
  'path-outside',
  'too-large',
]);

/** What is kept of an event until it is written, which has these whole texts. */
type Kept = (record: EventRecord, texts: FileTexts<string>) => EventRecord;

/** Prepares as many of the chosen drafts as go into one transaction. */
export function prepareDrafts(
  drafts: readonly EventDraft[],
  { chosen, workspace, now }: PrepareRequest,
  settings: Omit<PrepareSettings, 'clock'>,
  kept: Kept,
): PreparedBatch {
  const { redact, maxContentBytes, analyzer } = settings;
  const own: PrepareSettings = { redact, maxContentBytes, analyzer, clock: () => now };
  const records: EventRecord[] = [];
  const refused: RefusedEvent[] = [];
  let size = 0;
  let count = 0;
  for (const each of chosen) {
    if (records.length >= GROUP_EVENTS || size >= GROUP_BYTES) break;
    count += 1;
    const draft = drafts[each.index];
    if (!draft) continue;
    try {
      const {
        data: _data,
        meta: _meta,
        texts,
        ...record
      } = prepareEvent(own, workspace, eventOf(draft, each));
      size += sizeOf(record);
      records.push(kept(record, texts));
    } catch (error) {
      if (!MemoryError.isInstance(error) || !REFUSALS.has(error.code)) throw error;
      refused.push({ type: draft.type, code: error.code, message: error.message });
    }
  }
  return { count, records, refused };
}

/** The event of a draft, with the ids that it has in the store. */
export function eventOf(
  { type, data, meta, timestamp }: EventDraft,
  { id, parent, intention }: Omit<ChosenDraft, 'index'>,
): NewEvent {
  const event = {
    id,
    type,
    data: intention === undefined ? data : { ...data, intention_event_id: intention },
    meta,
    ...(parent === undefined ? {} : { parent }),
    ...(timestamp === undefined ? {} : { timestamp }),
  };
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- type and data are of one draft
  return event as NewEvent;
}
