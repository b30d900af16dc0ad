/**
 * The external memory of AI agents: whole sessions, verbatim, searchable.
 *
 * @module @vizprompt/memory
 */
export { MemoryStore, type SessionLog } from './memory-store.ts';
export { MemoryError, type MemoryErrorCode } from './errors.ts';
export type { MemoryEvents } from './events.ts';
export {
  EVENT_TYPES,
  type AssistantMessageData,
  type CodeIntentionData,
  type EventDataMap,
  type EventType,
  type FileAction,
  type FileEditData,
  type ThinkingData,
  type ToolUseData,
  type UserMessageData,
} from './model/event-data.ts';
export type {
  EventFacts,
  EventOf,
  ForgottenEvent,
  MemoryEvent,
  NewEvent,
  NewEventData,
} from './model/memory-event.ts';
export type { Session, SessionInfo, SessionMetadata } from './model/session.ts';
export type { RetentionOptions } from './forget/retention.ts';
export type { MemoryStoreOptions } from './open-context.ts';
export type { EmbeddingReport } from './store/memory-context.ts';
export type { EmbeddingOptions } from './vectors/vector-options.ts';
export type { SessionChange } from './session/change-session.ts';
export type { SessionFilter } from './session/list-sessions.ts';
export type { NewSession } from './session/start-session.ts';
export type { FollowOptions } from './log/follow-events.ts';
export type { EventFilter, EventList, EventPage } from './log/list-events.ts';
export type { LogManyOptions } from './log/log-events.ts';
export type { SearchOptions } from './search/search-events.ts';
export type { SearchFilter, SearchHit, SessionHit } from './search/search-types.ts';
export type {
  Recalled,
  RecalledEvent,
  RecallReason,
  RecallRequest,
} from './recall/recall-options.ts';
export type { FileEditRequest, RecordEditRequest, RecordedEdit } from './files/file-options.ts';
export type {
  ChangedFile,
  FileChange,
  FileHistoryOptions,
  FileListOptions,
  FileMoment,
  FileSnapshot,
} from './files/file-options.ts';
export type { ForgetOptions, ForgetTarget } from './forget/forget.ts';
export type { RedactReport, RedactStoredOptions } from './forget/redact-stored.ts';
export type { RetentionReport } from './forget/retention.ts';
export type { DamagedRecord, ExportOptions } from './exchange/export-json.ts';
export type { ImportReport } from './exchange/import-json.ts';
export type { ExportSource, ReadRecordsOptions } from './exchange/read-records.ts';
export type { CheckProblem, CheckReport } from './check/check-store.ts';
export type { MemoryStats, StatsFilter, WorkspaceStats } from './check/stats.ts';
export { sessionOfConversation, type RecorderOptions } from './log/turn-recorder.ts';
export { defaultMemoryPath } from './open-context.ts';
export { TRANSCRIPT_AGENTS, type TranscriptAgent } from './capture/draft.ts';
export type {
  ImportProgress,
  ImportTranscriptOptions,
  LinePlace,
  TranscriptReport,
} from './capture/import/import-options.ts';
export { memoryComponent } from './store/schema.ts';
