import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { SegmentBackend, type SegmentBackendOptions } from '../../src/backends/segment-backend.ts';
import { paragraphs, scriptAnalyzer } from '../../src/testing/backend-subject.ts';

export { paragraphs, scriptAnalyzer };

/** Returns a folder that is deleted when the test is over. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'rag-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Returns an index of its own, closed when the test is over. */
export async function openBackend(
  options: Partial<SegmentBackendOptions> = {},
): Promise<SegmentBackend> {
  const backend = await SegmentBackend.open({
    folder: temporaryFolder(),
    analyzer: scriptAnalyzer(),
    chunking: paragraphs,
    ...options,
  });
  onTestFinished(() => backend.close());
  return backend;
}
