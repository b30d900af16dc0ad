/**
 * The tools that the packages of the SDK share. Nothing here is promised: any release may change or remove it.
 *
 * @internal
 * @module @vizprompt/providers/internal
 */

// Files
export { makeFolders } from './storage/make-folders.ts';
export {
  flush,
  inParallel,
  makeFolder,
  removeFile,
  renameOver,
  syncFolder,
} from './files/durable.ts';
export { hasCode, isMissing, whyUnreadable } from './storage/file-error.ts';
export {
  replaceFile,
  replaceFileSync,
  type FileContent,
  type ReplaceFileOptions,
} from './files/durable.ts';
export { isOwnFolderSound, openFolder } from './files/own-folder.ts';
export { readNamedFile, readPlainFile, streamPlainFile, usePlainFile } from './files/plain-file.ts';
export { isTempName, sweepTemp, tempName } from './files/durable.ts';

// Ids
export { uuidFromHash } from './create-id.ts';

// Concurrency
export {
  backoffMs,
  pause,
  retryWithBackoff,
  type BackoffOptions,
  type FailedAttempt,
  type RetryWithBackoffOptions,
  poll,
  type PollOptions,
} from './concurrency/backoff.ts';
export { Mutex } from './concurrency/mutex.ts';
export { loopTurn } from './sqlite/sqlite-database.ts';
export { plainTables } from './sqlite/open-sqlite.ts';
export { Semaphore } from './concurrency/semaphore.ts';
export { untilAborted } from './concurrency/until-aborted.ts';

// Collections and JSON
export { LruMap } from './collections/lru-map.ts';
export {
  fieldsOf,
  isRecord,
  jsonOf,
  listAt,
  listOf,
  numberAt,
  numberOf,
  objectAt,
  objectOf,
  parseJson,
  stringOf,
  textAt,
  type Fields,
} from './json/fields.ts';

export { canonicalJson } from './json/canonical-json.ts';
export { omitUndefined } from './json/fields.ts';

// Storage
export { keyProblem } from './storage/file-store.ts';
export {
  type ArrayCell,
  executeAll,
  hexOf,
  inParts,
  insertRows,
  isStorable,
  placeholders,
  queryIn,
  sqlArray,
  toStorable,
} from './storage/sql-statements.ts';
export {
  damageErrors,
  type DamageErrors,
  damageOf,
  isIsoTime,
  type DamagedRow,
  messageOfDamage,
  readRows,
  type ReadRows,
  StoredRow,
} from './storage/stored-row.ts';

// Text and ranks
export {
  decodePostings,
  encodePostings,
  MAX_FREQUENCY,
  viewPostings,
} from './postings/postings.ts';
export { cutMiddle, isCharacterBorder, isInsidePair } from './strings/cut-middle.ts';
export {
  escapeHtml,
  escapeMermaid,
  VISIBLE_HTML_STYLE,
  visibleHtml,
  visibleText,
} from './strings/escape-markup.ts';
export {
  commonForm,
  modernKanjiTable,
  replaceUnits,
  toModernKanji,
  unitTable,
} from './analysis/modern-kanji.ts';
export { tagLike, withForgedLinesQuoted } from './strings/forged-lines.ts';
export { lineStarts } from './strings/line-starts.ts';
export { jsonEncoding } from './strings/json-encoding.ts';
export { type ClosedElement, closedElements } from './strings/closed-elements.ts';
export { guessLanguage, type Language } from './strings/guess-language.ts';
export {
  embedTexts,
  hasDirection,
  type EmbeddedPart,
  type EmbeddedText,
  type EmbedTextsOptions,
} from './retrieval/embed-texts.ts';
export { fuseRanks, type FusedRank, type FuseOptions } from './retrieval/fuse.ts';

// Contracts, errors, erasing, and the rest
export { ChatCollector } from './models/collect.ts';
export type { Dialect } from './storage/database.ts';
export { ERASED, Eraser, mapStrings, stringsIn } from './erase/eraser.ts';
export {
  ErasureCounts,
  erasureReport,
  type Remainder,
  type RemainingPlace,
} from './erase/erasure.ts';
export { type ErasedTable, type RowChange, RowEraser } from './erase/row-eraser.ts';
export {
  type ErrorDetails,
  type ErrorJson,
  hasErrorMark,
  isError,
  isOutOfFiles,
} from './errors.ts';
export { LLM_ERROR_CODES } from './models/llm-error.ts';
export type { Listener, Unsubscribe } from './events.ts';
export type { MatchedGroup, NewRow } from './text/text-index.ts';
export type { Redaction } from './redact/redact.ts';
export type { Role } from './models/message.ts';
export type { RuleChanges } from './redact/select-rules.ts';
export { countSetAside, type SetAsideBatch } from './files/set-aside.ts';
export { type SnippetHit, cutSnippet } from './strings/cut-snippet.ts';
export { type TermTexts } from './analysis/text-analyzer.ts';
export { joinedTerms, termTexts } from './analysis/terms.ts';
export type { TurnStatus } from './contracts/turn-recorder.ts';
export { USAGE_COUNTS } from './models/collect.ts';
export { costOf } from './middleware/price.ts';
export { formatLogEntry } from './logging/sinks.ts';
export { exportsOf } from './exports-of.ts';
export { findInstalled, flagsOfPackages } from './find-installed.ts';
export {
  isElectronUtility,
  isPackagedElectron,
  isSingleExecutable,
  mayStartPrograms,
} from './host-process.ts';
export { programOnPath } from './program-on-path.ts';
export { toPeerError } from './peer.ts';
export { isDeeperThan, isJsonObject } from './json/json-value.ts';
export { porterStem } from './analysis/porter-stemmer.ts';
export { silentLogger } from './logging/logger.ts';
