import { claudeCodeReader } from './claude-code/claude-code-reader.ts';
import { codexReader } from './codex/codex-reader.ts';
import { copilotReader } from './copilot/copilot-reader.ts';
import type { TranscriptAgent, TranscriptReader } from './draft.ts';
import { geminiReader } from './gemini/gemini-reader.ts';
import type { Recording } from './recording.ts';

/** The reader of each program's transcripts. */
export const READERS: Readonly<
  Record<TranscriptAgent, (recording: Recording) => TranscriptReader>
> = {
  'claude-code': claudeCodeReader,
  codex: codexReader,
  copilot: copilotReader,
  gemini: geminiReader,
};
