import type { JsonObject, JsonValue } from '../../json/json-value.ts';
import type { Role } from '../../models/message.ts';

/** The agents whose transcripts can be read. */
export const TRANSCRIPT_AGENTS = [
  'claude-code',
  'codex',
  'copilot',
  'gemini',
  'opencode',
  'pi',
] as const;

/** An agent whose transcripts can be read. */
export type TranscriptAgent = (typeof TRANSCRIPT_AGENTS)[number];

/** A session as its transcript describes it. Fields are added as the lines are read. */
export interface TranscriptSession {
  readonly agent: TranscriptAgent;
  /** The agent's own name of the session. */
  readonly sourceId: string;
  workspacePath?: string;
  /** ISO 8601. */
  startedAt?: string;
  /** Other facts, such as `branch`, `agent_version`, `forked_from`. */
  metadata: { [key: string]: JsonValue };
}

/** The place of a line in its file. */
export interface TranscriptPlace {
  /** From 1. */
  readonly line: number;
  /** Byte offset of its beginning. */
  readonly offset: number;
}

/**
 * How an entry counts:
 * - `message`: something was said or done, see its `parts`;
 * - `note`: a known entry that is not part of the talk, such as a setting;
 * - `passing`: repeats what another entry of the transcript says, such as progress;
 * - `unknown`: an entry that this version does not know;
 * - `broken`: text that is not JSON, as `raw`.
 */
type TranscriptKind = 'broken' | 'message' | 'note' | 'passing' | 'unknown';

/** An entry of a transcript: a line, or a part of one where a line has several. */
export interface TranscriptEntry {
  readonly agent: TranscriptAgent;
  /** The agent's name for it, such as `assistant`, `function_call` or `tool.execution_start`. */
  readonly type: string;
  readonly kind: TranscriptKind;
  readonly place?: TranscriptPlace | undefined;
  /** The session that it belongs to, as far as it is known here. */
  readonly session?: TranscriptSession | undefined;
  /** Its id within the session. */
  readonly id?: string | undefined;
  /** The id of the entry that it follows. */
  readonly parent?: string | undefined;
  /** The line that carries it, if others may name that line as their parent. */
  readonly carrier?: Pick<TranscriptEntry, 'id' | 'parent'> | undefined;
  /** ISO 8601, as the transcript has it; times may go backwards. */
  readonly time?: string | undefined;
  /** The role of the speaker. Summaries and texts of the agent itself in the user's place are `system`. */
  readonly role: Role;
  readonly parts: readonly TranscriptPart[];
  /** Sums up the talk before it. */
  readonly isSummary?: boolean | undefined;
  /** Belongs to a subagent's conversation, and not to the main one. */
  readonly isSidechain?: boolean | undefined;
  /** The subagent that speaks or is spoken to. */
  readonly subagent?: string | undefined;
  /** There is no answer but an error. */
  readonly hasFailed?: boolean | undefined;
  /** The answer was stopped before its end. */
  readonly isAborted?: boolean | undefined;
  /** Calls without a result by now have none in this transcript. */
  readonly settlesCalls?: boolean | undefined;
  readonly model?: string | undefined;
  /** Tokens that this entry adds: the sum over all entries of a transcript is the true one. */
  readonly usage?: JsonObject | undefined;
  /** The id of the message that it is a piece of. */
  readonly messageId?: string | undefined;
  /** The session that it was said in, if this one is a fork of that and has a copy. */
  readonly copiedFrom?: string | undefined;
  readonly requestId?: string | undefined;
  /** The tool or the extension that speaks, by its name. */
  readonly name?: string | undefined;
  /** The call that started the subagent which speaks. */
  readonly parentCall?: string | undefined;
  readonly attachments?: readonly JsonValue[] | undefined;
  /** The working folder, and the branch that is checked out in it. */
  readonly cwd?: string | undefined;
  readonly branch?: string | undefined;
  /** Names the session. */
  readonly title?: string | undefined;
  /** The entry that `title` sums up: if the transcript has no such entry, another session is meant. */
  readonly titled?: string | undefined;
  /** The entry as parsed. */
  readonly raw: JsonValue;
}

/**
 * A text that was said, or a thought, whose text is empty where the provider gives only a signature. Texts of
 * an entry with the same `key` are one text in several blocks.
 */
export interface TranscriptText {
  readonly type: 'text' | 'thinking';
  /** Names it, the same in every copy of the transcript: made from the agent's own ids. */
  readonly key: string;
  readonly text: string;
  /** The subject of a thought. */
  readonly subject?: string | undefined;
  readonly raw: JsonValue;
}

/** A call of a tool. */
export interface TranscriptCall {
  readonly type: 'tool-call';
  /** Joins it with its result. */
  readonly id: string;
  /** The agent's own id of it, if that is another. */
  readonly callId?: string | undefined;
  /** Names the action of a call without a result of its own, such as a search by the provider. */
  readonly key?: string | undefined;
  readonly tool: string;
  readonly input: JsonValue;
  /** Where relative paths of the call begin. */
  readonly cwd?: string | undefined;
  readonly raw: JsonValue;
}

/** The part of a call that says which files it changes. */
export type FileCall = Pick<TranscriptCall, 'cwd' | 'input' | 'tool'>;

/** The result of a call. */
export interface TranscriptResult {
  readonly type: 'tool-result';
  /** The id of the call. */
  readonly id: string;
  readonly tool?: string | undefined;
  /** The output of the tool for the model; absent if the transcript says that nothing came back. */
  readonly output?: JsonValue | undefined;
  /** The agent's own notes, in the form of each tool. */
  readonly details?: JsonValue | undefined;
  readonly success: boolean;
  /** Why it failed, where that is not the output. */
  readonly error?: string | undefined;
  readonly durationMs?: number | undefined;
  /** Reports only files: the result of a call that changes none follows. */
  readonly isOfFiles?: boolean | undefined;
  readonly raw: JsonValue;
}

/** A block of another kind, such as a picture. */
export interface TranscriptBlock {
  readonly type: 'other';
  /** The agent's name for it. */
  readonly name: string;
  /** `media`: a picture or a document of the user; `unknown`: this version does not know it. */
  readonly kind: 'media' | 'note' | 'unknown';
  /** Of `media`: names the text that it was sent with. */
  readonly key?: string | undefined;
  readonly raw: JsonValue;
}

/** A part of an entry. */
export type TranscriptPart = TranscriptBlock | TranscriptCall | TranscriptResult | TranscriptText;
