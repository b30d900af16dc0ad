/**
 * Transcripts of coding agents (Claude Code, Codex, Copilot CLI, Gemini CLI, opencode, pi) as typed entries: texts,
 * thoughts, calls and results exactly as the file has them, with their places.
 *
 * @example
 * ```ts
 * const reader = new TranscriptReader();
 * for await (const entry of readTranscript(readLines('session.jsonl'), reader)) {
 *   for (const part of entry.parts) if (part.type === 'text') console.log(entry.role, part.text);
 * }
 * // Later, when the file has grown: continue where it ended.
 * const saved = saveTranscriptState(reader.state);
 * const state = loadTranscriptState(saved, newTranscriptState());
 * ```
 *
 * @module @vizprompt/providers/transcripts
 */
export { callFiles } from './call-files.ts';
export type { CallFiles, FileChange } from './changes/file-change.ts';
export { detectAgent } from './lines/detect-agent.ts';
export { readLines, type FileLine, type ReadLinesOptions } from './lines/read-lines.ts';
export {
  TRANSCRIPT_AGENTS,
  type TranscriptAgent,
  type TranscriptCall,
  type TranscriptEntry,
  type TranscriptPart,
  type TranscriptResult,
  type TranscriptSession,
} from './model/entry.ts';
export {
  loadTranscriptState,
  newTranscriptState,
  saveTranscriptState,
  type TranscriptState,
} from './model/state.ts';
export {
  readTranscript,
  TranscriptReader,
  type TranscriptReaderOptions,
} from './transcript-reader.ts';
export type { JsonValue } from '../index.ts';
export type { Replacement } from './changes/replace-text.ts';
export type { LruMap } from '../collections/lru-map.ts';
