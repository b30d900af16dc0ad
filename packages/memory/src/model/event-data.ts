import type { JsonValue } from '@vizprompt/providers';

/** The words of the user. */
export interface UserMessageData {
  readonly content: string;
}

/** The answer of the assistant. */
export interface AssistantMessageData {
  readonly content: string;
  /** The tools that the answer called. */
  readonly tool_calls?: readonly { readonly tool: string; readonly args: JsonValue }[];
}

/** The thoughts of the assistant. */
export interface ThinkingData {
  /** Empty where the provider keeps the thought to itself. */
  readonly content: string;
  /** The subject. */
  readonly context?: string;
}

/** The change of a file. */
export type FileAction = 'create' | 'edit' | 'delete';

/** Why a file is to be changed, written before the change. */
export interface CodeIntentionData {
  readonly action: FileAction;
  /** Absolute; a relative one is taken from the workspace of the session. */
  readonly file_path: string;
  readonly reason: string;
  /** The whole text before. */
  readonly old_content?: string;
  /** The whole text afterwards. */
  readonly new_content?: string;
  /** Unified diff. Made from the two texts where it is not given. */
  readonly diff?: string;
}

/** How a file was changed, written after the change. */
export interface FileEditData {
  readonly action: FileAction;
  /** Absolute; a relative one is taken from the workspace of the session. */
  readonly file_path: string;
  /** The whole text before. */
  readonly old_content?: string;
  /** The whole text afterwards. */
  readonly new_content?: string;
  /** Unified diff. Made from the two texts where it is not given; empty where there is neither. */
  readonly diff: string;
  /** The `code_intention` that this carried out. */
  readonly intention_event_id?: string;
  readonly success: boolean;
  /** Why it failed. */
  readonly error_message?: string;
}

/** A tool was run. */
export interface ToolUseData {
  /** Such as `Bash`, `Read`, `Grep`. */
  readonly tool: string;
  readonly parameters: JsonValue;
  readonly result?: JsonValue;
  /** Milliseconds. */
  readonly duration_ms?: number;
  readonly success?: boolean;
}

/** The data of each type of event. */
export interface EventDataMap {
  readonly user_message: UserMessageData;
  readonly assistant_message: AssistantMessageData;
  readonly thinking: ThinkingData;
  readonly code_intention: CodeIntentionData;
  readonly file_edit: FileEditData;
  readonly tool_use: ToolUseData;
}

/** The types of events. */
export type EventType = keyof EventDataMap;

/** All types of events. */
export const EVENT_TYPES: readonly EventType[] = [
  'user_message',
  'assistant_message',
  'thinking',
  'code_intention',
  'file_edit',
  'tool_use',
];
