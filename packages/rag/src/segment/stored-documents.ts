import { join } from 'node:path';
import type { PreviousManifest } from './manifest.ts';
import type { NewDocument } from './new-document.ts';
import { SegmentReader } from './segment-reader.ts';
import { Snapshot } from './snapshot.ts';
import { storedChunk } from './stored-chunk.ts';

/** The documents of an index of another analyser, so that they can be analysed again. */
export async function* storedDocuments(
  folder: string,
  manifest: PreviousManifest,
): AsyncGenerator<NewDocument> {
  const readers: SegmentReader[] = [];
  let snapshot: Snapshot;
  try {
    for (const { file } of manifest.segments) readers.push(new SegmentReader(join(folder, file)));
    snapshot = new Snapshot(manifest, readers);
  } finally {
    for (const reader of readers) reader.release();
  }
  try {
    for (const document of snapshot.documents) {
      const { novelId, filePath, stamp } = document;
      const chunks = snapshot.chunksOf(document).map((place) => storedChunk(snapshot, place));
      const isNew = { kept: [], replaced: [] };
      yield { novelId, filePath, chunks, ...isNew, ...(stamp === undefined ? {} : { stamp }) };
    }
  } finally {
    snapshot.release();
  }
}
