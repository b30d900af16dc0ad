/**
 * The REST API of a memory, with live timelines. Needs `npm install hono`.
 *
 * @module @vizprompt/memory/http
 */
export { createMemoryApp } from './create-memory-app.ts';
export type { MemoryAppOptions } from './app-options.ts';
export type { FieldProblem, Problem } from './problem.ts';
export type { Logger } from '../index.ts';
