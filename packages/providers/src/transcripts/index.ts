/**
 * Transcripts of coding agents (Claude Code, Codex, Copilot CLI, Gemini CLI, pi) as typed entries: texts,
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
export { absolutePath } from './changes/absolute-path.ts';
export {
  changedText,
  type CallFiles,
  type FileChange,
  type FileFacts,
} from './changes/file-change.ts';
export type { PatchChunk } from './changes/parse-patch.ts';
export type { Replacement } from './changes/replace-text.ts';
export { claudeResult } from './model/read-content.ts';
export { detectAgent } from './lines/detect-agent.ts';
export { parseLine, type ParsedLine } from './lines/parse-line.ts';
export { readLines, type FileLine, type ReadLinesOptions } from './lines/read-lines.ts';
export {
  TRANSCRIPT_AGENTS,
  type FileCall,
  type TranscriptAgent,
  type TranscriptBlock,
  type TranscriptCall,
  type TranscriptEntry,
  type TranscriptKind,
  type TranscriptPart,
  type TranscriptPlace,
  type TranscriptResult,
  type TranscriptSession,
  type TranscriptText,
} from './model/entry.ts';
export { globalKey, textHash } from './model/keys.ts';
export { parseShallowJson } from './model/read-fields.ts';
export {
  loadTranscriptState,
  newTranscriptState,
  saveTranscriptState,
  type TranscriptState,
} from './model/state.ts';
export {
  readTranscript,
  TranscriptReader,
  type TranscriptLine,
  type TranscriptReaderOptions,
  type TranscriptSource,
} from './transcript-reader.ts';
