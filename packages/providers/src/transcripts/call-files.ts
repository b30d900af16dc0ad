import type { CallFiles } from './changes/file-change.ts';
import { NO_FILES } from './changes/file-change.ts';
import { claudeCodeFiles } from './claude-code/file-changes.ts';
import { codexFiles } from './codex/file-changes.ts';
import { copilotFiles } from './copilot/file-changes.ts';
import { geminiFiles } from './gemini/file-changes.ts';
import type { TranscriptAgent, TranscriptCall, TranscriptResult } from './model/entry.ts';

/** What of a call says which files it changes. */
export type FileCall = Pick<TranscriptCall, 'cwd' | 'input' | 'tool'>;

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
  switch (agent) {
    case 'claude-code':
      return claudeCodeFiles(call, result);
    case 'codex':
      return codexFiles(call, result);
    case 'copilot':
      return copilotFiles(call);
    case 'gemini':
      return geminiFiles(call, result);
    case 'pi':
      return NO_FILES;
  }
}
