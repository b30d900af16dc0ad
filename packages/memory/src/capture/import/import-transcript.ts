import { omitUndefined } from '@vizprompt/providers/internal';
import { checkOptions } from '../../check-values.ts';
import {
  FLAG,
  FUNCTION,
  type Kinds,
  oneOf,
  optional,
  SIGNAL,
  TEXT,
} from '@vizprompt/providers/config/internal';
import { TRANSCRIPT_AGENTS } from '../draft.ts';
import { findFiles } from './find-files.ts';
import type { ImportTranscriptOptions, TranscriptReport } from './import-options.ts';
import { ReportBuilder } from './report-builder.ts';
import { TranscriptImporter, type ImportTarget } from './transcript-importer.ts';

const OPTIONS: Kinds<ImportTranscriptOptions> = {
  agent: optional(oneOf(...TRANSCRIPT_AGENTS)),
  workspace: optional(TEXT),
  closed: optional(FLAG),
  signal: optional(SIGNAL),
  onProgress: optional(FUNCTION),
};

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
 * const report = await importTranscript(target, join(homedir(), '.claude', 'projects'));
 * console.log(report.added, report.unknown);
 * ```
 */
export async function importTranscript(
  target: ImportTarget,
  path: string,
  options: ImportTranscriptOptions = {},
): Promise<TranscriptReport> {
  checkOptions('importTranscript', options, OPTIONS);
  const { agent, signal, onProgress } = options;
  const files = await findFiles(path);
  const totalBytes = files.reduce((sum, { bytes }) => sum + bytes, 0);
  const report = new ReportBuilder();
  signal?.throwIfAborted();
  const importer = new TranscriptImporter({
    ...omitUndefined({ agent, closed: options.closed, signal }),
    target,
    files,
    report,
    workspace: options.workspace,
    onPart: (file, isEnd) =>
      onProgress?.({
        file: files[file]?.path ?? '',
        files: isEnd ? file + 1 : file,
        totalFiles: files.length,
        bytes: report.bytes,
        totalBytes,
        events: report.added,
      }),
  });
  await importer.run();
  return report.build();
}
