/**
 * The shared contracts of the VizPrompt SDK, and the small tools that go with them. This entry loads
 * no SDK, no database and no other package but eventemitter3.
 *
 * @module @vizprompt/providers
 */

// Chat models
export type { ChatModel } from './models/chat-model.ts';
export type { ModelCapabilities } from './models/chat-model.ts';
export { collectChat } from './models/collect.ts';
export type { ChatEvent, ChatResult, ChatWarning, FinishReason, Usage } from './models/events.ts';
export { LLMError, type LLMErrorCode } from './models/llm-error.ts';
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
export { readChatInput } from './adapter-kit/chat-input.ts';
export type { ListModelsOptions, ModelInfo } from './models/chat-model.ts';
export type { ModelRegistry, ProviderSettings } from './models/model-registry.ts';
export type { Budget, Reservation, Spending } from './models/budget.ts';
export type {
  ChatInput,
  ChatRequest,
  ContentMessage,
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
  VectorFilter,
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
} from './storage/file-store.ts';
export { assertLockName } from './concurrency/mutex.ts';
export {
  assertKey,
  assertVersion,
  checkChanges,
  type CheckedChange,
  storedFile,
} from './storage/file-store.ts';
export { StorageError, type StorageErrorCode } from './storage/storage-error.ts';
export { purgeStorage, type Storage } from './storage/storage.ts';
export type { EraseOptions, ErasureReport, Remainder } from './erase/erasure.ts';
export { copyStorage, type CopyStorageOptions, type CopyReport } from './storage/copy-storage.ts';

// Retrieval, recording, activities
export { fuse, type FuseOptions } from './retrieval/fuse.ts';
export type { Passage, RetrieveOptions, Retriever } from './retrieval/retriever.ts';
export type { Turn, TurnRecorder, TurnStatus } from './contracts/turn-recorder.ts';
export type { Activity, ActivityContext } from './contracts/activity.ts';

// Events, logging, errors
export { TypedEvents, type EventSource } from './events.ts';
export { InputError } from './input/check-input.ts';
export { createLogger, type CreateLoggerOptions, type LogSink } from './logging/create-logger.ts';
export type { LogFields, Logger, LogLevel } from './logging/logger.ts';
export { consoleSink, pinoSink } from './logging/sinks.ts';
export { CodedError, messageOf, type ErrorJson } from './errors.ts';
export { PeerError } from './peer.ts';

// Text, tokens, secrets
export {
  createTokenEstimator,
  type TokenCounter,
  type TokenEstimator,
} from './tokens/estimator.ts';
export { loadTokenCounter } from './tokens/exact.ts';
export { redact, type Redaction, type RedactOptions, type RedactResult } from './redact/redact.ts';
export type { RuleChanges } from './redact/select-rules.ts';
export type { IsFound, Offsets, RedactionRule } from './redact/redaction-rule.ts';
export { defaultRedactionRules, redactionRulesVersion } from './redact/rules.ts';
export type { Snippet } from './strings/cut-snippet.ts';
export { createId } from './create-id.ts';
export type { JsonObject, JsonValue } from './json/json-value.ts';
