import type { CallFiles } from './changes/file-change.ts';
import { claudeCodeFiles } from './claude-code/file-changes.ts';
import { codexFiles } from './codex/file-changes.ts';
import { copilotFiles } from './copilot/file-changes.ts';
import { geminiFiles } from './gemini/file-changes.ts';
import { opencodeFiles } from './opencode/file-changes.ts';
import type { FileCall, TranscriptAgent, TranscriptResult } from './model/entry.ts';
import { checkArgument } from '../input/check-input.ts';
import { OBJECT, oneOf } from '../input/kinds.ts';

type FilesOf = (call: FileCall, result: TranscriptResult | undefined) => CallFiles;

const FILES: Readonly<Record<TranscriptAgent, FilesOf>> = {
  'claude-code': claudeCodeFiles,
  codex: codexFiles,
  copilot: copilotFiles,
  gemini: geminiFiles,
  opencode: opencodeFiles,
  pi: () => ({ changes: [] }),
};

const AGENT = oneOf(...Object.keys(FILES));

/**
 * Returns what a call of a tool does to files.
 *
 * @param result - If given, the changes are those that were carried out, with the facts that it reports.
 */
export function callFiles(
  agent: TranscriptAgent,
  call: FileCall,
  result?: TranscriptResult,
): CallFiles {
  checkArgument('the agent of callFiles', agent, AGENT);
  checkArgument('the call of callFiles', call, OBJECT);
  return FILES[agent](call, result);
}
