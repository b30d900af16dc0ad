import type { JsonObject, JsonValue } from '@vizprompt/providers';
import { jsonOf, objectOf } from '@vizprompt/providers/internal';
import {
  loadTranscriptState,
  newTranscriptState,
  saveTranscriptState,
  type TranscriptState,
} from '@vizprompt/providers/transcripts';

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
 * All that is known of the lines before: plain JSON, so that reading can continue in another process. The
 * texts of files are not part of it.
 */
export interface ReaderState extends TranscriptState {
  /** Calls that have not returned, by id. */
  readonly calls: Map<string, OpenCall>;
  /** The last thought or text of each speaker. */
  readonly reasons: Map<string, string>;
  /** Which event an entry of the log led to, by the id of the entry; the newest only. */
  readonly nodes: Map<string, string>;
  /** How often each prompt was given, by its hash. */
  readonly prompts: { [hash: string]: number };
  /** Lines that are no events, for the next event. */
  kept: JsonValue[];
  keptCharacters: number;
  /** How many kept lines became an event of their own. */
  keptEvents: number;
}

/** Returns the state before the first line. */
export function newReaderState(): ReaderState {
  return {
    ...newTranscriptState(),
    calls: new Map(),
    reasons: new Map(),
    nodes: new Map(),
    prompts: {},
    kept: [],
    keptCharacters: 0,
    keptEvents: 0,
  };
}

const SAVED_NODES = 64;

/** Returns the state as JSON. Of older lines it has only what the next ones may refer to. */
export function saveReaderState(state: ReaderState): JsonObject {
  const { calls, reasons, nodes, prompts, kept, keptCharacters, keptEvents } = state;
  const own = {
    calls: [...calls],
    reasons: [...reasons],
    nodes: [...nodes].slice(-SAVED_NODES),
    prompts,
    kept,
    keptCharacters,
    keptEvents,
  };
  return { ...saveTranscriptState(state), ...objectOf(jsonOf(JSON.parse(JSON.stringify(own)))) };
}

/** Reads what {@link saveReaderState} returned, of this or an older version. */
export function loadReaderState(saved: JsonObject): ReaderState {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it comes from saveReaderState
  const { calls, reasons, nodes, ...rest } = saved as unknown as SavedState;
  return {
    ...newReaderState(),
    ...rest,
    ...loadTranscriptState(saved),
    calls: new Map(calls),
    reasons: new Map(reasons),
    nodes: new Map(nodes),
  };
}

type MapName = 'calls' | 'nodes' | 'reasons';

/** A map became the list of its entries. */
type SavedState = Omit<ReaderState, MapName | keyof TranscriptState> & {
  readonly [Name in MapName]: readonly (ReaderState[Name] extends Map<infer Key, infer Value>
    ? [Key, Value]
    : never)[];
};
