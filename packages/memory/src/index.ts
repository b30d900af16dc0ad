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
export type { EmbeddingReport } from './store/vector-index.ts';
export type { EmbeddingOptions } from './vectors/vector-options.ts';
export type { NewSession, SessionChange, SessionFilter } from './session/session-options.ts';
export type {
  EventFilter,
  EventList,
  EventPage,
  FollowOptions,
  LogManyOptions,
} from './log/log-options.ts';
export type { SearchOptions } from './search/search-events.ts';
export type { SearchFilter, SearchHit, SessionHit } from './search/search-types.ts';
export type {
  Recalled,
  RecalledEvent,
  RecallReason,
  RecallRequest,
} from './recall/recall-options.ts';
export type { FileEditRequest, RecordEditRequest, RecordedEdit } from './files/edit-options.ts';
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
export type { DamagedRecord, ExportOptions } from './exchange/export-options.ts';
export type { ImportReport } from './exchange/import-json.ts';
export type { ExportSource, ReadRecordsOptions } from './exchange/read-records.ts';
export type { CheckProblem, CheckReport } from './check/check-report.ts';
export type { MemoryStats, WorkspaceStats } from './check/stats.ts';
export type { StatsFilter } from './check/stats-filter.ts';
export { sessionOfConversation, type RecorderOptions } from './recording/recorder.ts';
export { defaultMemoryPath } from './open-context.ts';
export { TRANSCRIPT_AGENTS, type TranscriptAgent } from './capture/draft.ts';
export type {
  ImportProgress,
  ImportTranscriptOptions,
  LinePlace,
  TranscriptReport,
} from './capture/import/import-options.ts';
export { memoryComponent } from './store/schema.ts';
