import type { JsonObject, JsonValue } from '@vizprompt/providers';
import type { SessionDraft } from './draft.ts';
import { objectOf, parseJson } from './fields.ts';

/** A call of a tool that has not returned yet. */
export interface OpenCall {
  readonly id: string;
  readonly tool: string;
  readonly input: JsonValue;
  /** Where relative paths of the call begin. */
  readonly cwd?: string;
  readonly timestamp?: string;
  readonly parent?: string;
  readonly meta: JsonObject;
  /** Keys of the intentions that it announced, one for each file. */
  readonly intentions?: readonly string[];
}

/**
 * All that a reader knows of the lines before: plain JSON, so that the reading can go on in another
 * process. The texts of files are not among it.
 */
export interface ReaderState {
  session: SessionDraft | undefined;
  /** Calls that have not returned, by id. */
  readonly calls: Map<string, OpenCall>;
  /** The last thought or text of each speaker. */
  readonly reasons: Map<string, string>;
  /** Which event a line of the log led to, by the id of the line; the newest only. */
  readonly nodes: Map<string, string>;
  /** What a message has used so far, by message; the newest only. */
  readonly usage: Map<string, { [name: string]: number }>;
  /** How often each prompt was given, by its hash. */
  readonly prompts: { [hash: string]: number };
  /**
   * Texts that a log holds twice, for the model and for the user: how often each came on the one side
   * and not on the other (negative) yet. The newest only.
   */
  readonly unmatched: Map<string, number>;
  /** Lines that are no events, for the next event. */
  kept: JsonValue[];
  keptCharacters: number;
  /** How many kept lines became an event of their own. */
  keptEvents: number;
  /** Facts that only one reader needs. */
  readonly notes: { [name: string]: JsonValue };
}

/** The state before the first line. */
export function newReaderState(): ReaderState {
  return {
    session: undefined,
    calls: new Map(),
    reasons: new Map(),
    nodes: new Map(),
    usage: new Map(),
    prompts: {},
    unmatched: new Map(),
    kept: [],
    keptCharacters: 0,
    keptEvents: 0,
    notes: {},
  };
}

const SAVED_ENTRIES = 64;

/** The state as JSON. Of older lines only what the next ones may refer to is in it. */
export function saveReaderState(state: ReaderState): JsonObject {
  const saved = {
    ...state,
    calls: [...state.calls],
    reasons: [...state.reasons],
    nodes: [...state.nodes].slice(-SAVED_ENTRIES),
    usage: [...state.usage].slice(-SAVED_ENTRIES),
    unmatched: [...state.unmatched].slice(-SAVED_ENTRIES),
  };
  return objectOf(parseJson(JSON.stringify(saved)));
}

/** The opposite of {@link saveReaderState}; what is given must come from it. */
export function loadReaderState(saved: JsonObject): ReaderState {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it comes from saveReaderState
  const { calls, reasons, nodes, usage, unmatched, ...rest } = saved as unknown as SavedState;
  return {
    ...newReaderState(),
    ...rest,
    calls: new Map(calls),
    reasons: new Map(reasons),
    nodes: new Map(nodes),
    usage: new Map(usage),
    unmatched: new Map(unmatched),
  };
}

type MapName = 'calls' | 'nodes' | 'reasons' | 'unmatched' | 'usage';

/** A map became the list of its entries. */
type SavedState = Omit<ReaderState, MapName> & {
  readonly [Name in MapName]: readonly (ReaderState[Name] extends Map<infer Key, infer Value>
    ? [Key, Value]
    : never)[];
};

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
