import { jsonOf, objectOf } from '../../json/fields.ts';
import type { JsonObject, JsonValue } from '../../json/json-value.ts';
import type { TranscriptSession } from './entry.ts';

/** All that a reader remembers of the lines before, so that reading can continue in another process. */
export interface TranscriptState {
  session: TranscriptSession | undefined;
  /** Tokens that each message has used so far; the newest only. */
  readonly usage: Map<string, { [name: string]: number }>;
  /**
   * Texts that a log has twice, for the model and for the user: how often each came on the one side
   * and not on the other (negative) yet. The newest only.
   */
  readonly unmatched: Map<string, number>;
  /** Parts that a log may have again; the newest only. */
  readonly seen: Map<string, boolean>;
  /** Facts that only one agent's reader needs. */
  readonly notes: { [name: string]: JsonValue };
}

/** Returns the state before the first line. */
export function newTranscriptState(): TranscriptState {
  return { session: undefined, usage: new Map(), unmatched: new Map(), seen: new Map(), notes: {} };
}

const SAVED_ENTRIES = 64;
const SAVED_PARTS = 1000;

/** Returns the state as JSON. Of older lines it has only what the next ones may refer to. */
export function saveTranscriptState(state: TranscriptState): JsonObject {
  const { session, usage, unmatched, seen, notes } = state;
  const saved = {
    session,
    usage: [...usage].slice(-SAVED_ENTRIES),
    unmatched: [...unmatched].slice(-SAVED_ENTRIES),
    seen: [...seen].slice(-SAVED_PARTS),
    notes,
  };
  return objectOf(jsonOf(JSON.parse(JSON.stringify(saved))));
}

type SavedState = { readonly [Name in keyof TranscriptState]?: unknown };

/** Reads what {@link saveTranscriptState} returned, of this or an older version. */
export function loadTranscriptState(saved: JsonObject): TranscriptState {
  const { session, usage = [], unmatched = [], seen = [], notes = {} } = saved as SavedState;
  return {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it comes from saveTranscriptState
    ...({ session, notes } as Pick<TranscriptState, 'notes' | 'session'>),
    usage: new Map(usage as [string, { [name: string]: number }][]),
    unmatched: new Map(unmatched as [string, number][]),
    seen: new Map(seen as [string, boolean][]),
  };
}

/** Sets an entry of a map and forgets the oldest beyond a size. */
export function remember<Value>(
  map: Map<string, Value>,
  key: string,
  value: Value,
  size: number,
): void {
  map.delete(key);
  map.set(key, value);
  if (map.size <= size) return;
  const [oldest] = map.keys();
  if (oldest !== undefined) map.delete(oldest);
}
