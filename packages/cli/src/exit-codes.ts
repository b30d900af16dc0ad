import type { VizPromptErrorCode } from '@vizprompt/core';
import type { MemoryErrorCode } from '@vizprompt/memory';
import type { LLMErrorCode, StorageErrorCode, VectorErrorCode } from '@vizprompt/providers';
import type { TrustErrorCode } from '@vizprompt/providers/trust';
import type { RagErrorCode } from '@vizprompt/rag';
import type { TalkErrorCode } from '@vizprompt/talktable';
import type { WorkflowErrorCode } from '@vizprompt/workflow';
import type { CliErrorCode } from './errors.ts';

/**
 * The name of an exit code.
 *
 * - `ok`: done
 * - `failure`: it failed, for a reason that has no number of its own
 * - `usage`: a word, an option, a value or a file that was given makes no sense
 * - `notFound`: what was asked for is not there
 * - `conflict`: it is there already, another process has it, or it changed meanwhile
 * - `damaged`: stored data is damaged, or was written by a newer version
 * - `unavailable`: a model, a server or an optional package did not do its part
 * - `interrupted`: Ctrl+C; `terminated`: SIGTERM
 */
export type ExitName =
  | 'ok'
  | 'failure'
  | 'usage'
  | 'notFound'
  | 'conflict'
  | 'damaged'
  | 'unavailable'
  | 'interrupted'
  | 'terminated';

/** The exit codes of every command. */
export const EXIT_CODES: Readonly<Record<ExitName, number>> = {
  ok: 0,
  failure: 1,
  usage: 2,
  notFound: 3,
  conflict: 4,
  damaged: 5,
  unavailable: 6,
  interrupted: 130,
  terminated: 143,
};

/** Every code that an error of the SDK may have. */
export type ErrorCode =
  | CliErrorCode
  | VizPromptErrorCode
  | RagErrorCode
  | MemoryErrorCode
  | TalkErrorCode
  | WorkflowErrorCode
  | StorageErrorCode
  | VectorErrorCode
  | LLMErrorCode
  | TrustErrorCode
  | 'json-invalid'
  | 'peer-missing';

/** Which exit code an error leads to. That none is forgotten is checked by the compiler. */
export const EXIT_BY_ERROR: Readonly<Record<ErrorCode, ExitName>> = {
  usage: 'usage',
  'input-unreadable': 'usage',
  'not-found': 'notFound',
  interrupted: 'interrupted',
  'found-problems': 'damaged',
  failed: 'failure',

  'invalid-input': 'usage',
  'invalid-text': 'usage',
  'too-large': 'usage',
  'path-outside': 'usage',
  'path-invalid': 'usage',
  'query-invalid': 'usage',
  'config-invalid': 'usage',
  'definition-invalid': 'usage',
  'import-unreadable': 'usage',
  'invalid-import': 'usage',
  'file-invalid': 'usage',
  'json-invalid': 'usage',
  'invalid-key': 'usage',
  'outside-root': 'usage',
  'not-text': 'usage',
  cycle: 'usage',
  'read-only': 'usage',
  untrusted: 'usage',

  'project-not-found': 'notFound',
  'node-not-found': 'notFound',
  'flow-not-found': 'notFound',
  'session-not-found': 'notFound',
  'event-not-found': 'notFound',
  'conversation-not-found': 'notFound',
  'file-not-found': 'notFound',

  exists: 'conflict',
  'file-exists': 'conflict',
  locked: 'conflict',
  'index-locked': 'conflict',
  conflict: 'conflict',
  'edit-conflict': 'conflict',
  'session-ended': 'conflict',
  finished: 'conflict',
  'not-waiting': 'conflict',
  busy: 'conflict',
  'lock-timeout': 'conflict',
  'model-mismatch': 'conflict',
  'dimension-mismatch': 'conflict',

  'node-invalid': 'damaged',
  'flow-invalid': 'damaged',
  corrupt: 'damaged',
  'index-corrupt': 'damaged',
  'newer-schema': 'damaged',
  'log-unreadable': 'damaged',

  'peer-missing': 'unavailable',
  'no-sqlite': 'unavailable',
  connection: 'unavailable',
  unavailable: 'unavailable',
  refused: 'unavailable',
  network: 'unavailable',
  rate_limit: 'unavailable',
  quota: 'unavailable',
  overloaded: 'unavailable',
  server: 'unavailable',
  auth: 'unavailable',
  permission: 'unavailable',
  not_found: 'unavailable',
  invalid_request: 'unavailable',
  context_length: 'unavailable',
  content_filter: 'unavailable',
  unsupported: 'unavailable',
  truncated: 'unavailable',
  bad_response: 'unavailable',
  output_parse: 'unavailable',
  timeout: 'unavailable',
  'turn-failed': 'unavailable',

  aborted: 'interrupted',
  cancelled: 'interrupted',

  closed: 'failure',
  misuse: 'failure',
  constraint: 'failure',
  sql: 'failure',
  io: 'failure',
  'indexing-failed': 'failure',
  'search-failed': 'failure',
  'dictionary-failed': 'failure',
  'file-failed': 'failure',
  'log-unwritable': 'failure',
  'trust-unwritable': 'failure',
  'journal-unwritable': 'failure',
  'recorder-failed': 'failure',
  'step-failed': 'failure',
  'condition-failed': 'failure',
  'template-failed': 'failure',
  'unusable-answer': 'failure',
  exhausted: 'failure',
  limit: 'failure',
};

/** Codes that only say what failed: why it did, the causes of the error say. */
export const WRAPPING_CODES: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'step-failed',
  'search-failed',
  'indexing-failed',
  'recorder-failed',
]);

/**
 * Overrides the exit code of the error around a cause. The others are about the words of the command; errors about the input
 * of a step are not among them.
 */
export const EXIT_BY_CAUSE: ReadonlySet<ExitName> = new Set<ExitName>(['unavailable', 'damaged']);

/** The same for errors of the system, by their codes; all others are a `failure`. */
export const EXIT_BY_SYSTEM_ERROR: Readonly<Record<string, ExitName>> = {
  ENOENT: 'notFound',
  ENOTDIR: 'notFound',
  EEXIST: 'conflict',
  EADDRINUSE: 'conflict',
  EBUSY: 'conflict',
  ECONNREFUSED: 'unavailable',
  ENOTFOUND: 'unavailable',
  ABORT_ERR: 'interrupted',
};
