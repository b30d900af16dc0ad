import { hash as hashOf } from 'node:crypto';
import { LruMap } from '../../collections/lru-map.ts';
import { checkArgument } from '../../input/check-input.ts';
import { OBJECT } from '../../input/kinds.ts';
import { objectOf, parseJson } from '../../json/fields.ts';
import type { JsonObject, JsonValue } from '../../json/json-value.ts';
import type { TranscriptSession } from './entry.ts';

/** All that a reader remembers of the lines before, so that reading can continue in another process. */
export interface TranscriptState {
  session: TranscriptSession | undefined;
  /** Tokens that each message has used so far. */
  readonly usage: LruMap<string, { [name: string]: number }>;
  /**
   * Texts that a log has twice, for the model and for the user: how often each came on the one side
   * and not on the other (negative) yet.
   */
  readonly unmatched: LruMap<string, number>;
  /** Parts that a log may have again; of texts that may come again shortened, the length of the longest one. */
  readonly seen: LruMap<string, number | true>;
  /** Facts that only one agent's reader needs. */
  readonly notes: { [name: string]: JsonValue };
}

/** Returns the state before the first line. */
export function newTranscriptState(): TranscriptState {
  return {
    session: undefined,
    usage: new LruMap(1000),
    unmatched: new LruMap(5000),
    seen: new LruMap(20_000),
    notes: {},
  };
}

/** How many of the newest entries of a map are saved: those that the next lines may refer to. */
const SAVED_ENTRIES = 64;
/** Maps that are saved whole, as any entry may matter later: texts that were read, and how often each was said. */
const SAVED_WHOLE: ReadonlySet<string> = new Set(['said', 'seen']);

/** Returns the state as JSON; fields that a caller has added are saved, too. */
export function saveTranscriptState(state: TranscriptState): JsonObject {
  const json = JSON.stringify(state, (name, value: unknown) => {
    if (!isMap(value)) return value;
    const isWhole = value instanceof Map || SAVED_WHOLE.has(name);
    return isWhole ? [...value] : [...value].slice(-SAVED_ENTRIES);
  });
  return objectOf(parseJson(json));
}

/**
 * Reads what {@link saveTranscriptState} returned, of this or an older version.
 *
 * @param state - A new state, which is filled and returned.
 */
export function loadTranscriptState<State extends TranscriptState>(
  saved: JsonObject,
  state: State,
): State {
  checkArgument('the saved state', saved, OBJECT);
  checkArgument('the state to load into', state, OBJECT);
  const fields = new Map<string, unknown>(Object.entries(state));
  for (const [name, value] of Object.entries(saved)) {
    const map = fields.get(name);
    if (!isMap(map)) Object.assign(state, { [name]: value });
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it comes from saveTranscriptState
    else for (const [key, entry] of value as [string, unknown][]) map.set(key, entry);
  }
  return state;
}

/** Checks whether a field is a map; its class may be that of another bundle. */
function isMap(value: unknown): value is LruMap<string, unknown> | Map<string, unknown> {
  return typeof value === 'object' && value !== null && 'set' in value;
}

/** Checks whether a key is seen for the first time, and remembers it. */
export function isNew({ seen }: TranscriptState, key: string): boolean {
  if (seen.has(key)) return false;
  seen.set(key, true);
  return true;
}

/** The facts of a line about its session; absent or empty ones say nothing. */
interface SessionFacts {
  readonly cwd?: string | undefined;
  readonly startedAt?: string | undefined;
  readonly branch?: string | undefined;
  /** Other metadata. */
  readonly more?: { readonly [name: string]: JsonValue | undefined };
}

/** Adds facts to a session: its first folder, time and branch are its own, of all else the latest counts. */
export function noteSession(
  session: TranscriptSession | undefined,
  { cwd, startedAt, branch, more = {} }: SessionFacts,
): void {
  if (!session) return;
  if (cwd) session.workspacePath ??= cwd;
  if (startedAt) session.startedAt ??= new Date(startedAt).toISOString();
  if (branch) session.metadata['branch'] ??= branch;
  for (const [name, value] of Object.entries(more)) {
    if (value !== undefined) session.metadata[name] = value;
  }
}

/** Ids that occur only once anywhere: UUIDs, and the long ids of calls. */
const GLOBAL = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$|^(?:toolu|call|srvtoolu)_\w{20,}$/i;

/** Returns an agent's id as it names something in all sessions. */
export function globalKey(session: string, id: string): string {
  return GLOBAL.test(id) ? id : `${session}/${id}`;
}

/** Returns the hash of a text, for keys: 32 hexadecimal digits. */
export function textHash(text: string): string {
  return hashOf('sha256', text).slice(0, 32);
}
