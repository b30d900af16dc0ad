import { planUpdate, type DocumentChange } from '../contract/document-change.ts';
import type { DocumentRef } from '../contract/search-backend.ts';
import type { Chunk } from '../chunk/chunk.ts';
import { pairsOf } from './segment-builder.ts';
import type { Snapshot } from './snapshot.ts';
import { knownChunks } from './write-documents.ts';

/** A chunk that the index has, where it stands now. */
export interface KeptChunk {
  /** Its number in the index. */
  readonly id: number;
  readonly startLine: number;
  readonly endLine: number;
  readonly chunkIndex: number;
}

/** A document that is new or differs. */
export interface NewDocument extends DocumentRef {
  /** Those of its chunks that are new. */
  readonly chunks: readonly Chunk[];
  /** The others. */
  readonly kept: readonly KeptChunk[];
  readonly stamp?: string;
  /** Of each chunk that it had and has no more: its `pairsOf`. */
  readonly replaced: readonly Uint16Array[];
}

/** What is new of a document, which the snapshot may have. */
export function newsOf(
  snapshot: Snapshot,
  change: Omit<DocumentChange, 'isAddition'>,
): NewDocument {
  const { novelId, filePath, stamp } = change;
  const { chunks, removed } = planUpdate(knownChunks(snapshot, change), change);
  return {
    novelId,
    filePath,
    ...(stamp === undefined ? {} : { stamp }),
    chunks: chunks.flatMap(({ chunk, id }) => (id === undefined ? [chunk] : [])),
    kept: chunks.flatMap(({ chunk: { startLine, endLine, chunkIndex }, id }) =>
      id === undefined ? [] : [{ id, startLine, endLine, chunkIndex }],
    ),
    replaced: removed.map(({ chunk }) => pairsOf(chunk)),
  };
}
