/**
 * The shared contracts of the VizPrompt SDK, and the small tools that go with them. This entry loads
 * no SDK, no database and no other package but eventemitter3.
 *
 * @module @vizprompt/providers
 */

// Chat models
export type { ChatModel, ModelCapabilities } from './models/chat-model.ts';
export { ChatCollector, collectChat } from './models/collect.ts';
export type {
  ChatEvent,
  ChatResult,
  ChatWarning,
  DeltaEvent,
  FinishEvent,
  FinishReason,
  PartEvent,
  StartEvent,
  ToolCallDeltaEvent,
  Usage,
} from './models/events.ts';
export {
  LLM_ERROR_CODES,
  LLMError,
  type LLMErrorCode,
  type LLMErrorDetails,
} from './models/llm-error.ts';
export {
  textMessage,
  textOf,
  type FilePart,
  type Message,
  type Part,
  type ProviderMeta,
  type ReasoningPart,
  type Role,
  type SourcePart,
  type TextPart,
  type ToolCallPart,
  type ToolResultPart,
} from './models/message.ts';
export type { ModelRegistry, ProviderSettings } from './models/model-registry.ts';
export type { Budget, Reservation, Spending } from './models/budget.ts';
export type {
  ChatRequest,
  OutputFormat,
  ReasoningEffort,
  Timeouts,
  TokenCount,
  TokenCountRequest,
  Tool,
  ToolChoice,
} from './models/request.ts';

// Embedding models and vectors
export type {
  EmbeddingModel,
  EmbeddingRequest,
  EmbeddingResult,
} from './models/embedding-model.ts';
export type {
  FusedQuery,
  HybridVectorStore,
  SparseVector,
  VectorCallOptions,
  VectorCondition,
  VectorFilter,
  VectorFilterValue,
  VectorMatch,
  VectorQueryOptions,
  VectorRecord,
  VectorStore,
} from './vector/vector-store.ts';
export { VectorError, type VectorErrorCode } from './vector/vector-error.ts';

// Storage
export type {
  Database,
  Dialect,
  Migration,
  Row,
  SqlExecutor,
  SqlParameter,
  SqlValue,
  Statement,
  TransactionOptions,
} from './storage/database.ts';
export type {
  AppendOptions,
  FileChange,
  FileEntry,
  ReadOptions,
  FileStore,
  HeldLock,
  LockOptions,
  StoredFile,
  WriteCondition,
} from './storage/file-store.ts';
export { keyProblem } from './storage/file-key.ts';
export { isStorable, toStorable } from './storage/storable-text.ts';
export type { Storage } from './storage/storage.ts';
export { StorageError, type StorageErrorCode } from './storage/storage-error.ts';
export { purgeStorage } from './storage/purge-storage.ts';
export {
  ErasureCounts,
  type EraseOptions,
  type ErasedPlace,
  type ErasureReport,
  type Remainder,
  type RemainingPlace,
} from './erase/erasure.ts';
export { Eraser, ERASED, mapStrings } from './erase/eraser.ts';
export { copyStorage, type CopyStorageOptions, type CopyReport } from './storage/copy-storage.ts';

// Retrieval, recording, activities
export { fuse, type FuseOptions } from './retrieval/fuse.ts';
export type { Passage, PassageSource, RetrieveOptions, Retriever } from './retrieval/retriever.ts';
export type { Turn, TurnRecorder, TurnStatus } from './contracts/turn-recorder.ts';
export type { Activity, ActivityContext } from './contracts/activity.ts';

// Events, logging, errors
export {
  TypedEvents,
  type EventSource,
  type Listener,
  type TypedEventsOptions,
  type Unsubscribe,
} from './events.ts';
export {
  createLogger,
  type CreateLoggerOptions,
  type LogEntry,
  type LogSink,
} from './logging/create-logger.ts';
export { silentLogger, type LogFields, type Logger, type LogLevel } from './logging/logger.ts';
export { consoleSink, formatLogEntry, pinoSink, type PinoLike } from './logging/sinks.ts';
export {
  CodedError,
  hasErrorMark,
  isOutOfFiles,
  messageOf,
  type ErrorDetails,
  type ErrorJson,
} from './errors.ts';
export { importPeer, PeerError } from './peer.ts';

// Text, tokens, secrets
export {
  createTokenEstimator,
  type TokenCounter,
  type TokenEstimator,
} from './tokens/estimator.ts';
export { loadTokenCounter, type TokenEncoding } from './tokens/exact.ts';
export { redact, type RedactOptions, type Redaction, type RedactResult } from './redact/redact.ts';
export { type Offsets, type RedactionRule } from './redact/redaction-rule.ts';
export { defaultRedactionRules, redactionRulesVersion } from './redact/rules.ts';
export { type RuleChanges } from './redact/select-rules.ts';
export { escapeHtml } from './strings/escape-html.ts';
export { VISIBLE_HTML_STYLE, visibleHtml, visibleText } from './strings/visible-text.ts';
export { escapeMermaid } from './strings/escape-mermaid.ts';
export { isCharacterBorder, isInsidePair } from './strings/character-border.ts';
export { cutMiddle } from './strings/cut-middle.ts';
export {
  cutSnippet,
  type CutSnippetOptions,
  type Snippet,
  type SnippetHit,
} from './strings/cut-snippet.ts';
export { createId } from './create-id.ts';
export {
  omitUndefined,
  /** @deprecated Use `omitUndefined`. */
  omitUndefined as defined,
} from './json/omit-undefined.ts';
export { untilAborted } from './concurrency/until-aborted.ts';
export { canonicalJson } from './json/canonical-json.ts';
export { isDeeperThan, isJsonObject, type JsonObject, type JsonValue } from './json/json-value.ts';
