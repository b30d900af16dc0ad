import { listAt, numberAt, stringOf, textAt } from '../../json/fields.ts';
import { isJsonObject, type JsonObject } from '../../json/json-value.ts';
import { timeAt } from '../model/read-fields.ts';
import type { TranscriptState } from '../model/state.ts';

/** Copies are written in one moment; the first turn of a fork begins later than this after them, in milliseconds. */
const GAP_MS = 1000;

/**
 * Returns the session that the lines come from, where a rollout has copies: until version 0.147, a fork began with the
 * lines of the session that it came from, head included, under the time of the fork.
 */
export function copiedFrom({ notes }: TranscriptState): string | undefined {
  return stringOf(notes['origin']);
}

/** Notes the head of a session. One of another session begins the copies of its lines. */
export function noteHead({ notes, session }: TranscriptState, id: string, head: JsonObject): void {
  if (id === session?.sourceId && 'began' in notes) {
    delete notes['origin'];
    return;
  }
  const ms = Date.parse(timeAt(head, 'timestamp') ?? '');
  const began = Number.isNaN(ms) ? (timeOfId(id) ?? 0) : ms;
  notes['began'] = [...listAt(notes, 'began'), { id, began }];
  if (id !== session?.sourceId) notes['origin'] = id;
}

/**
 * Notes whose turn begins with a line: that of the last session that had begun by then, as each session of a chain of forks
 * begins after the turns that it copies. Versions without ids of turns show the end of the copies only by the time.
 */
export function noteTurn({ notes, session }: TranscriptState, line: JsonObject): void {
  if (notes['origin'] === undefined) return;
  const { payload } = line;
  const ms = isJsonObject(payload) ? turnTime(payload) : undefined;
  if (ms === undefined) {
    const time = Date.parse(timeAt(line, 'timestamp') ?? '');
    const last = numberAt(notes, 'copied_at');
    if (notes['turn'] !== true && last !== undefined && time - last > GAP_MS) {
      delete notes['origin'];
    }
    if (!Number.isNaN(time)) notes['copied_at'] = time;
    return;
  }
  notes['turn'] = true;
  const begun = listAt(notes, 'began')
    .filter(isJsonObject)
    .filter((one) => (numberAt(one, 'began') ?? 0) <= ms)
    .toSorted((a, b) => (numberAt(b, 'began') ?? 0) - (numberAt(a, 'began') ?? 0));
  const owner = begun[0] && textAt(begun[0], 'id');
  if (owner === session?.sourceId) delete notes['origin'];
  else if (owner !== undefined) notes['origin'] = owner;
}

/** Returns when a turn began, by the head of it. */
function turnTime(payload: JsonObject): number | undefined {
  const id = textAt(payload, 'turn_id');
  const isHead = payload['type'] === 'task_started' || !('type' in payload);
  if (id === undefined || !isHead) return undefined;
  const seconds = numberAt(payload, 'started_at');
  // The whole second in which it began.
  return timeOfId(id) ?? (seconds === undefined ? undefined : seconds * 1000 + 999);
}

/** A UUID of version 7 begins with the time at which it was made (RFC 9562, section 5.7). */
function timeOfId(id: string): number | undefined {
  const [, high, low] = /^([\da-f]{8})-([\da-f]{4})-7[\da-f]{3}-/i.exec(id) ?? [];
  return high === undefined ? undefined : Number.parseInt(`${high}${low}`, 16);
}
