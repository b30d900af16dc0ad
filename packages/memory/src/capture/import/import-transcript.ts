import type { SessionLog } from '../../store/session-log.ts';
import { MemoryError } from '../../errors.ts';
import { assertKnownKeys } from '../../known-keys.ts';
import { TRANSCRIPT_AGENTS } from '../draft.ts';
import { findFiles } from './find-files.ts';
import { importFile } from './import-file.ts';
import type { TranscriptReport, ImportTranscriptOptions } from './import-options.ts';
import { ReportBuilder } from './report-builder.ts';

const OPTIONS: readonly (keyof ImportTranscriptOptions)[] = [
  'agent',
  'workspace',
  'closed',
  'signal',
  'onProgress',
];

/**
 * Reads the transcripts of Claude Code, Codex, Gemini CLI and Copilot CLI into a store. What is there
 * already is left out, so importing again, or a file that has grown, adds only what is new.
 *
 * @param path - A file, or a folder: all `.jsonl` and `.json` files below it.
 * @throws MemoryError `invalid-input` if there is no such file or folder.
 * @throws The signal's reason, and what the store throws.
 *
 * @example
 * ```ts
 * const report = await importTranscript(store, join(homedir(), '.claude', 'projects'));
 * console.log(report.added, report.unknown);
 * ```
 */
export async function importTranscript(
  store: SessionLog,
  path: string,
  options: ImportTranscriptOptions = {},
): Promise<TranscriptReport> {
  assertKnownKeys('importTranscript', options, OPTIONS);
  const { agent, signal, onProgress } = options;
  if (agent !== undefined && !TRANSCRIPT_AGENTS.includes(agent)) {
    const known = TRANSCRIPT_AGENTS.join(', ');
    throw new MemoryError('invalid-input', `agent is '${agent}': there are ${known}`);
  }
  const files = await findFiles(path);
  const totalBytes = files.reduce((sum, { bytes }) => sum + bytes, 0);
  const report = new ReportBuilder();
  for (const [index, file] of files.entries()) {
    signal?.throwIfAborted();
    const tell = (done: number): void =>
      onProgress?.({
        file: file.path,
        files: done,
        totalFiles: files.length,
        bytes: report.bytes,
        totalBytes,
        events: report.added,
      });
    await importFile(store, file, report, options, (bytes) => {
      report.bytes += bytes;
      tell(index);
    });
    tell(index + 1);
  }
  return report.build();
}
