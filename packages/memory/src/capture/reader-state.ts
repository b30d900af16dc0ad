import type { JsonObject, JsonValue } from '@vizprompt/providers';
import { LruMap } from '@vizprompt/providers/internal';
import { newTranscriptState, type TranscriptState } from '@vizprompt/providers/transcripts';

/** Counts of the transcript lines and parts that became no events or incomplete ones. */
export interface LineCounts {
  /** Lines and parts of messages that this version does not know, by type. They are kept. */
  readonly unknown: Map<string, number>;
  /** Lines that are known and are not events, by type. Left out: the session has what they say of it. */
  readonly kept: Map<string, number>;
  /** Lines that say what others say too, by type, such as the progress of a command. Left out. */
  readonly passing: Map<string, number>;
  /** Thoughts without text, of which the provider gives a signature only. */
  emptyThoughts: number;
  /** Edits whose text before is not known. */
  unknownTexts: number;
}

/** Counts of nothing yet. */
export function newCounts(): LineCounts {
  return {
    unknown: new Map(),
    kept: new Map(),
    passing: new Map(),
    emptyThoughts: 0,
    unknownTexts: 0,
  };
}

/** Adds one to a count. */
export function count(counts: Map<string, number>, name: string): void {
  counts.set(name, (counts.get(name) ?? 0) + 1);
}

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
  readonly nodes: LruMap<string, string>;
  /** How often each prompt was given, by its hash. */
  readonly prompts: { [hash: string]: number };
  /** How often each text of Codex was said, by the short hash of its session, side and hash. */
  readonly said: LruMap<string, number>;
  /** Lines that are not events, for the next event. */
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
    nodes: new LruMap(20_000),
    prompts: {},
    said: new LruMap(50_000),
    kept: [],
    keptCharacters: 0,
    keptEvents: 0,
  };
}
