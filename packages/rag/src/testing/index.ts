/**
 * The suite of the search backends, to run on implementations of one's own, and an analyzer and a
 * chunking for tests. It needs no test runner: the suite is given `describe` and `it`.
 *
 * @module @vizprompt/rag/testing
 */
export {
  openSubject,
  type BackendParts,
  type OpenBackend,
  type OpenedBackend,
  type SearchBackendSubject,
} from './backend-subject.ts';
export { paragraphs } from './backend-subject.ts';
export { scriptAnalyzer } from './backend-subject.ts';
export {
  persistentBackendCases,
  searchBackendCases,
  testSearchBackend,
  type SearchBackendSuiteOptions,
} from './search-backend-suite.ts';
export type { SearchBackend } from '../index.ts';
export type { OpenedSubject, TestRunner } from '@vizprompt/providers/testing';
