/**
 * The external memory of AI agents: whole sessions, verbatim, searchable.
 *
 * @module @vizprompt/memory
 */
export { MemoryStore } from './memory-store.ts';
export { MemoryError, type MemoryErrorCode } from './errors.ts';
export type { MemoryEvents } from './events.ts';
export {
  EVENT_TYPES,
  type EventDataMap,
  type EventType,
  type FileEditData,
  type AssistantMessageData,
  type CodeIntentionData,
  type FileAction,
  type ThinkingData,
  type ToolUseData,
  type UserMessageData,
} from './model/event-data.ts';
export type {
  EventFacts,
  EventOf,
  MemoryEvent,
  NewEvent,
  NewEventData,
} from './model/memory-event.ts';
export type { Session, SessionInfo } from './model/session.ts';
export type { RetentionOptions } from './forget/retention.ts';
export type { HookFiles, MemoryStoreOptions } from './open-context.ts';
export type { EmbeddingReport } from './store/memory-context.ts';
export type { SessionFilter } from './session/list-sessions.ts';
export type { NewSession } from './session/start-session.ts';
export type { EventFilter, EventList, EventPage } from './log/list-events.ts';
export type { SearchOptions } from './search/search-events.ts';
export type { SearchFilter, SearchHit, SessionHit } from './search/search-types.ts';
export type { Recalled, RecallRequest } from './recall/recall-options.ts';
export type { FileEditRequest, RecordEditRequest, RecordedEdit } from './files/file-options.ts';
export type { ChangedFile, FileChange, FileSnapshot } from './files/file-options.ts';
export type { ForgetOptions } from './forget/forget.ts';
export type { RedactReport, RedactStoredOptions } from './forget/redact-stored.ts';
export type { RetentionReport } from './forget/retention.ts';
export type { DamagedRecord, ExportOptions } from './exchange/export-json.ts';
export type { ImportReport } from './exchange/import-json.ts';
export type { CheckReport } from './check/check-store.ts';
export type { MemoryStats } from './check/stats.ts';
export { defaultMemoryPath } from './open-context.ts';
export type { ImportTranscriptOptions, TranscriptReport } from './capture/import/import-options.ts';
export type { IngestReport } from './capture/live/ingest-calls.ts';
export type { IngestOptions } from './capture/import/import-options.ts';
export { memoryComponent } from './store/schema.ts';

// Types of the exports above, so that declarations can name them
export type { ImportProgress } from './capture/import/import-options.ts';
export type { SessionMetadata } from './model/session.ts';
export type { RecallReason, RecalledEvent } from './recall/recall-options.ts';
export type { DamagedEvent } from './store/event-rows.ts';
export type { EmbeddingOptions } from './vectors/vector-writer.ts';
export type {
  EmbeddingModel,
  ErasureReport,
  JsonObject,
  JsonValue,
  Logger,
  RedactOptions,
  Retriever,
  Snippet,
  Storage,
  TurnRecorder,
  VectorStore,
} from '@vizprompt/providers';
export type { ErrorJson, Unsubscribe } from '@vizprompt/providers/internal';
export type { TextAnalyzer } from '@vizprompt/providers/text';
