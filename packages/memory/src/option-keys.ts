import type { EraseOptions } from '@vizprompt/providers';
import type { FileEditRequest, RecordEditRequest } from './edit/edit-options.ts';
import type { ExportOptions } from './exchange/export-json.ts';
import type { ReadRecordsOptions } from './exchange/read-records.ts';
import type { FileHistoryOptions, FileListOptions, FileMoment } from './files/file-options.ts';
import { assertKnownKeys } from './known-keys.ts';
import type { EventFilter, FollowOptions, LogManyOptions } from './log/log-options.ts';
import type { EventFacts } from './model/memory-event.ts';
import type { RetentionOptions } from './options.ts';
import type { RecallRequest } from './recall/recall-options.ts';
import type { SearchOptions } from './search/search-options.ts';
import type { NewSession, SessionFilter } from './session/session-options.ts';

/** The options of every method that takes some, but for those that are checked where they are read. */
interface OptionsOf {
  startSession: NewSession;
  listSessions: SessionFilter;
  log: EventFacts;
  logMany: LogManyOptions;
  events: EventFilter;
  follow: FollowOptions;
  search: SearchOptions;
  searchSessions: SearchOptions;
  recall: RecallRequest;
  retriever: { readonly workspace?: string };
  recorder: { readonly workspace?: string };
  editFile: FileEditRequest;
  recordEdit: RecordEditRequest;
  pendingIntentions: { readonly session?: string; readonly workspace?: string };
  files: FileListOptions;
  fileHistory: FileHistoryOptions;
  fileAt: FileMoment;
  stats: { readonly session?: string; readonly workspace?: string };
  exportJson: ExportOptions;
  exportHtml: ExportOptions;
  exportFile: Omit<ExportOptions, 'path'>;
  importJson: ReadRecordsOptions;
  check: { readonly signal?: AbortSignal };
  embedEvents: { readonly signal?: AbortSignal };
  eraseSpeaker: EraseOptions;
  applyRetention: RetentionOptions & { readonly signal?: AbortSignal };
}

const FILTER = ['workspace', 'session', 'type', 'path', 'after', 'before'] as const;
const SEARCH = [...FILTER, 'k', 'around', 'cap', 'vectors', 'signal'] as const;
const EXPORT = ['session', 'workspace', 'onDamaged', 'signal'] as const;

const KEYS: { readonly [Name in keyof OptionsOf]: readonly (keyof OptionsOf[Name])[] } = {
  startSession: ['id', 'workspace', 'startedAt', 'metadata', 'ifExists'],
  listSessions: ['workspace', 'tag', 'state', 'before', 'limit'],
  log: ['id', 'timestamp', 'parent', 'meta'],
  logMany: ['duplicates', 'intoEnded', 'signal'],
  events: ['type', 'path', 'after', 'limit', 'maxBytes', 'contents', 'signal'],
  follow: ['type', 'path', 'after', 'contents', 'pollMs', 'signal'],
  search: SEARCH,
  searchSessions: SEARCH,
  recall: ['query', 'workspace', 'path', 'budgetTokens', 'signal'],
  retriever: ['workspace'],
  recorder: ['workspace'],
  editFile: ['session', 'path', 'reason', 'newContent', 'edit', 'delete', 'parent'],
  recordEdit: ['session', 'path', 'reason', 'run', 'parent'],
  pendingIntentions: ['session', 'workspace'],
  files: ['workspace', 'after', 'limit'],
  fileHistory: ['workspace', 'before', 'limit'],
  fileAt: ['time', 'event', 'workspace'],
  stats: ['session', 'workspace'],
  exportJson: [...EXPORT, 'path'],
  exportHtml: [...EXPORT, 'path'],
  exportFile: EXPORT,
  importJson: ['signal', 'maxCharacters'],
  check: ['signal'],
  embedEvents: ['signal'],
  eraseSpeaker: ['speaker', 'texts', 'mentions', 'dryRun', 'signal'],
  applyRetention: ['maxAgeDays', 'maxBytes', 'signal'],
};

/**
 * Refuses options that a method does not have: a mistyped `workspace` would search all of them.
 *
 * @throws MemoryError `invalid-input` that names the key.
 */
export function assertOptions<Name extends keyof OptionsOf>(
  name: Name,
  options: OptionsOf[Name],
): void {
  assertKnownKeys(name, options, KEYS[name]);
}
