import {
  FLAG,
  FUNCTION,
  type Kinds,
  oneOf,
  optional,
  SIGNAL,
  TEXT,
} from '@vizprompt/providers/config';
import { checkOptions } from '../../check-values.ts';
import { TRANSCRIPT_AGENTS } from '../draft.ts';
import { findFiles } from './find-files.ts';
import type { ImportTranscriptOptions, TranscriptReport } from './import-options.ts';
import { openParts } from './open-parts.ts';
import { PartImporter, type ImportTarget } from './part-importer.ts';
import { ReportBuilder } from './report-builder.ts';

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
 * @throws MemoryError `import-failed` if the thread that reads dies.
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
  const { signal, onProgress } = options;
  const files = await findFiles(path);
  const totalBytes = files.reduce((sum, { bytes }) => sum + bytes, 0);
  const report = new ReportBuilder();
  signal?.throwIfAborted();
  const parts = await openParts(files, options, target.context());
  try {
    const importer = new PartImporter({
      target,
      parts,
      files,
      report,
      workspace: options.workspace,
      signal,
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
  } finally {
    await parts.close();
  }
  return report.build();
}
