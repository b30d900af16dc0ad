/** The messages of the two servers, as far as the page reads them: docs/formats/websocket.md and memory-http.md. */

export interface WireNode {
  readonly id: string;
  readonly timestamp: string;
  readonly prompt: string;
  readonly response: string;
  readonly model?: string;
  readonly speaker?: string;
  readonly tags: readonly string[];
  readonly status?: 'pending' | 'done' | 'failed' | 'aborted';
  readonly summary: { readonly text: string };
  readonly stats: { readonly assistant?: { readonly count: number; readonly duration: number } };
}

export interface WireFlow {
  readonly id: string;
  readonly name: string;
  readonly head?: string;
  readonly nodes: readonly { readonly index: number; readonly id: string }[];
  readonly connections: readonly {
    readonly from: string;
    readonly to: string;
    readonly branch?: string;
  }[];
}

export interface WireFlowSummary {
  readonly id: string;
  readonly name: string;
  readonly node_count: number;
}

export interface WireStep {
  readonly id: string;
  readonly label: string;
}

export interface Snippet {
  readonly text: string;
  readonly highlights: readonly (readonly [start: number, end: number])[];
}

export interface NodeHit {
  readonly id: string;
  readonly title: string;
  readonly flow_ids: readonly string[];
  readonly snippet?: Snippet;
}

export interface Session {
  readonly id: string;
  readonly workspace_path: string;
  readonly started_at: string;
  readonly ended_at: string | null;
  readonly metadata: { readonly branch?: string; readonly tags?: readonly string[] };
  readonly event_count: number;
  readonly updated_at: string;
}

export type EventType =
  | 'user_message'
  | 'assistant_message'
  | 'thinking'
  | 'code_intention'
  | 'file_edit'
  | 'tool_use'
  | 'forgotten';

/** The fields of all types: which of them are there depends on the type. */
export interface EventData {
  readonly content?: string;
  readonly context?: string;
  readonly action?: string;
  readonly file_path?: string;
  readonly reason?: string;
  readonly diff?: string;
  readonly intention_event_id?: string;
  readonly success?: boolean;
  readonly error_message?: string;
  readonly tool?: string;
  readonly parameters?: unknown;
  readonly result?: unknown;
  readonly duration_ms?: number;
}

export interface MemoryEvent {
  readonly id: string;
  readonly session_id: string;
  readonly sequence: number;
  readonly timestamp: string;
  readonly type: EventType;
  readonly data: EventData;
}

export interface FileChange {
  readonly timestamp: string;
  readonly session_id: string;
  readonly intention?: MemoryEvent;
  readonly edit?: MemoryEvent;
}

export interface ChangedFile {
  readonly file_path: string;
  readonly edits: number;
}
