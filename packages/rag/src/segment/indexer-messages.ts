import type { AnalyzerSpec } from '../analyze/analyzer.ts';
import type { ChunkFields } from '../chunk/chunk.ts';
import type { KeptChunk } from './segment-spiller.ts';
import type { DocumentRef } from '../backends/search-backend.ts';

/** A document on its way to the process that indexes. */
export interface SentDocument extends DocumentRef {
  readonly stamp?: string;
  readonly chunks: readonly (ChunkFields & { readonly ordinal: number })[];
  readonly kept?: readonly KeptChunk[];
  readonly replaced?: readonly Uint16Array[];
}

/** What the process that indexes is told. */
export type IndexerRequest =
  | { readonly type: 'start'; readonly folder: string; readonly analyzer: AnalyzerSpec }
  /** Texts of chunks that are likely to come. */
  | { readonly type: 'foresee'; readonly texts: readonly string[] }
  | { readonly type: 'documents'; readonly documents: readonly SentDocument[] }
  | { readonly type: 'finish' }
  | {
      readonly type: 'merge';
      readonly folder: string;
      /** The id of the analyser. */
      readonly analyzer: string;
      readonly files: readonly string[];
    };

/** What it answers. A request is answered by `ready` at last, or by `failed`. */
export type IndexerAnswer =
  /** The id of the analyser that it has. */
  | { readonly type: 'started'; readonly analyzer: string }
  | {
      readonly type: 'segment';
      readonly file: string;
      readonly chunks: number;
      readonly hasKept: boolean;
      readonly replaced: number;
    }
  | { readonly type: 'merged'; readonly file: string; readonly chunks: number }
  | { readonly type: 'ready' }
  | {
      readonly type: 'failed';
      readonly message: string;
      readonly stack?: string;
      /** Whether a file of the index is damaged. */
      readonly isCorrupt: boolean;
    };
