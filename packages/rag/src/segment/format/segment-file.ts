import { mkdirSync } from 'node:fs';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { messageOf } from '@vizprompt/providers';
import { type FileForm, writeSections, type Section } from '../../binary/section-file.ts';
import { IndexingError } from '../../errors.ts';

/** Files that hold a segment. */
export const SEGMENT_FORM: FileForm = {
  magic: 'VZRAGSEG',
  version: 4,
  damaged(path, problem, cause) {
    return new IndexingError(
      `the index file ${path} cannot be read: ${problem}`,
      { cause, context: { path } },
      'index-corrupt',
    );
  },
};

/**
 * Writes a segment that no manifest names yet; tells the name of its file.
 *
 * @throws IndexingError if it cannot be written, as on a full disk; then nothing of it stays.
 */
export function writeSegment(folder: string, sections: readonly Section[]): string {
  const file = `segment-${randomUUID()}.bin`;
  try {
    // Somebody may have deleted it.
    mkdirSync(folder, { recursive: true });
    writeSections(join(folder, file), SEGMENT_FORM, sections);
  } catch (cause) {
    const message = `the index in ${folder} could not be written: ${messageOf(cause)}`;
    throw new IndexingError(message, { cause, context: { folder } });
  }
  return file;
}
