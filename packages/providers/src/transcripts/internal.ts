/**
 * Further parts of transcripts that the packages of the SDK share. Nothing here is
 * promised: any release may change or remove it.
 *
 * @internal
 * @module @vizprompt/providers/transcripts/internal
 */
export { claudeCodeFiles } from './claude-code/file-changes.ts';
export { channelSpeaker, commandText, isProgramText } from './claude-code/line-types.ts';
export { type ParsedLine, parseLine } from './lines/parse-line.ts';
export { linesOfBytes } from './lines/read-lines.ts';
export type { TranscriptBlock, TranscriptText } from './model/entry.ts';
export { absolutePath } from './changes/file-change.ts';
export { changedText } from './changes/file-change.ts';
export { claudeResult } from './model/read-content.ts';
export { globalKey, textHash } from './model/state.ts';
export { parseShallowJson } from './model/read-fields.ts';
export { messageOfRecord } from './opencode/other-versions.ts';
export { wellFormed } from './transcript-reader.ts';
