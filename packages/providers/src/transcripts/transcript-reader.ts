import { checkArgument, checkOptions } from '../input/check-input.ts';
import { FLAG, having, type Kinds, oneOf, optional } from '../input/kinds.ts';
import { ASYNC_ITERABLE } from '../input/part-kinds.ts';
import { objectOf } from '../json/fields.ts';
import { isJsonObject, type JsonValue } from '../json/json-value.ts';
import { readClaudeCodeLine } from './claude-code/read-line.ts';
import { readCodexLine } from './codex/read-line.ts';
import { readCopilotLine } from './copilot/read-line.ts';
import { readGeminiLine } from './gemini/read-message.ts';
import { detectAgent } from './lines/detect-agent.ts';
import { type ParsedLine, parseLine } from './lines/parse-line.ts';
import type {
  TranscriptAgent,
  TranscriptEntry,
  TranscriptPlace,
  TranscriptSession,
} from './model/entry.ts';
import { timeAt } from './model/read-fields.ts';
import type { EntryDraft, ReadLine } from './model/read-line.ts';
import { newTranscriptState, type TranscriptState } from './model/state.ts';
import { readOpencodeLine } from './opencode/read-message.ts';
import { readPiLine } from './pi/read-line.ts';

/** A line that could hold half of a character: an escape of a surrogate. */
const SURROGATE = /\\u[dD][89a-fA-F]/;

/**
 * Returns the value with U+FFFD for each half of a character, which cannot be stored.
 *
 * @param raw - The text of the value, which saves time where it cannot hold any.
 */
export function wellFormed(value: JsonValue, raw: string | undefined): JsonValue {
  return raw === undefined || SURROGATE.test(raw) ? repaired(value) : value;
}

function repaired(value: JsonValue): JsonValue {
  if (typeof value === 'string') return value.isWellFormed() ? value : value.toWellFormed();
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return (value as readonly JsonValue[]).map(repaired);
  return Object.fromEntries(
    Object.entries(objectOf(value)).map(([key, field]) => [key.toWellFormed(), repaired(field)]),
  );
}

const READERS: Readonly<Record<TranscriptAgent, ReadLine>> = {
  'claude-code': readClaudeCodeLine,
  codex: readCodexLine,
  copilot: readCopilotLine,
  gemini: readGeminiLine,
  opencode: readOpencodeLine,
  pi: readPiLine,
};

/** Lines that may come before one that shows the agent. */
const MAX_UNKNOWN = 200;

/** A line as text, with its place in the file. */
export interface TranscriptLine {
  readonly text: string;
  /** From 1. */
  readonly line?: number | undefined;
  /** Byte offset of its beginning. */
  readonly offset?: number | undefined;
  /** True if a line end follows. A last line without one that is not JSON yet gives no entry. */
  readonly isWhole?: boolean | undefined;
}

/** Options of a {@link TranscriptReader}. */
export interface TranscriptReaderOptions {
  /** The agent that wrote the transcript. Default: the one that the lines show. */
  readonly agent?: TranscriptAgent | undefined;
  /** Continues after the lines that led to it. Default: the beginning of a transcript. */
  readonly state?: TranscriptState | undefined;
  /** Replaces halves of characters, which most stores refuse, by U+FFFD. Default: `false`. */
  readonly wellFormed?: boolean | undefined;
}

/** A line that is parsed, and its place. */
type Held = ParsedLine & { readonly place: TranscriptPlace | undefined };

const KINDS: Kinds<TranscriptReaderOptions> = {
  agent: optional(oneOf('claude-code', 'codex', 'copilot', 'gemini', 'opencode', 'pi')),
  state: optional(having('a state of a reader', 'session')),
  wellFormed: optional(FLAG),
};

/** Turns the lines of one transcript into entries, in the order of the file. */
export class TranscriptReader {
  /** The state after the lines so far. */
  readonly state: TranscriptState;
  readonly #isWellFormed: boolean;
  readonly #sessions = new Map<string, TranscriptSession>();
  #agent: TranscriptAgent | undefined;
  /** Lines before the one that shows the agent. */
  #held: Held[] = [];

  constructor(options: TranscriptReaderOptions = {}) {
    checkOptions('TranscriptReader', options, KINDS);
    const { agent, state, wellFormed: isWellFormed = false } = options;
    this.#agent = agent ?? state?.session?.agent;
    this.#isWellFormed = isWellFormed;
    this.state = state ?? newTranscriptState();
    const { session } = this.state;
    if (session) this.#sessions.set(session.sourceId, session);
  }

  /** Returns the agent that wrote the transcript; `undefined` as long as no line has shown it. */
  get agent(): TranscriptAgent | undefined {
    return this.#agent;
  }

  /** Checks whether many lines were read without a sign of an agent, so that this is not a transcript. */
  get isForeign(): boolean {
    return this.#held.length >= MAX_UNKNOWN;
  }

  /** Returns all sessions of the lines so far. */
  get sessions(): readonly TranscriptSession[] {
    return [...this.#sessions.values()];
  }

  /**
   * Switches to a session, which begins if no line has named it yet.
   *
   * @throws TypeError as long as the agent is not known.
   */
  session(sourceId: string): TranscriptSession {
    const agent = this.#agent;
    if (agent === undefined) throw new TypeError('agent: expected one, got none: pass `agent`');
    const session = this.#sessions.get(sourceId) ?? { agent, sourceId, metadata: {} };
    this.#sessions.set(sourceId, session);
    this.state.session = session;
    return session;
  }

  /** Reads a line, or one that is parsed already. Lines before the agent is known are read when it is. */
  read(line: ParsedLine | TranscriptLine | string): readonly TranscriptEntry[] {
    const held = this.#parsed(typeof line === 'string' ? { text: line } : line);
    if (!held) return [];
    if (this.#agent !== undefined) return this.#entriesOf(held, this.#agent);
    this.#held.push(held);
    const agent = held.value === undefined ? undefined : detectAgent(held.value);
    this.#agent = agent;
    if (agent === undefined) return [];
    return this.#held.splice(0).flatMap((each) => this.#entriesOf(each, agent));
  }

  #parsed(line: ParsedLine | TranscriptLine): Held | undefined {
    const isText = 'text' in line;
    if (isText && line.text.trim() === '') return undefined;
    const { value, broken, earlier = [] } = isText ? parseLine(line.text) : line;
    if (isText && value === undefined && line.isWhole === false) return undefined;
    const hasPlace = isText && line.line !== undefined && line.offset !== undefined;
    const place = hasPlace ? { line: line.line, offset: line.offset } : undefined;
    if (!this.#isWellFormed) return { value, broken, earlier, place };
    const repair = (one: JsonValue): JsonValue => wellFormed(one, isText ? line.text : undefined);
    return {
      value: value === undefined ? undefined : repair(value),
      broken: broken?.toWellFormed(),
      earlier: earlier.map(repair),
      place,
    };
  }

  #entriesOf(held: Held, agent: TranscriptAgent): readonly TranscriptEntry[] {
    const { value, broken, earlier = [], place } = held;
    const before = earlier.flatMap((one) => this.#entriesOf({ value: one, place }, agent));
    const drafts: EntryDraft[] = [];
    if (broken !== undefined) drafts.push({ kind: 'broken', type: 'no JSON', raw: broken });
    if (isJsonObject(value)) drafts.push(...READERS[agent](value, this));
    else if (value !== undefined) drafts.push({ kind: 'unknown', type: 'no object' });
    const { session } = this.state;
    const time = isJsonObject(value) ? timeAt(value, 'timestamp') : undefined;
    const entries = drafts.map((draft): TranscriptEntry => {
      const role = draft.kind === 'message' ? 'assistant' : 'system';
      return { agent, place, session, role, time, parts: [], raw: value ?? null, ...draft };
    });
    return [...before, ...entries];
  }
}

/** Lines as they come, one by one or in batches; `readLines` gives those of a file. */
export type TranscriptSource =
  | AsyncIterable<TranscriptLine | readonly TranscriptLine[] | string>
  | Iterable<TranscriptLine | readonly TranscriptLine[] | string>;

/**
 * Reads the entries of a transcript, in the order of its lines. Lines that show no known agent give no
 * entries.
 *
 * @param options - The options of a reader, or a reader, which continues and is asked for its state afterwards.
 */
export async function* readTranscript(
  source: TranscriptSource,
  options: TranscriptReader | TranscriptReaderOptions = {},
): AsyncGenerator<TranscriptEntry> {
  checkArgument('the source of readTranscript', source, ASYNC_ITERABLE);
  const reader = options instanceof TranscriptReader ? options : new TranscriptReader(options);
  for await (const some of source) {
    if (typeof some === 'string' || 'text' in some) yield* reader.read(some);
    else for (const line of some) yield* reader.read(line);
    if (reader.isForeign) return;
  }
}
