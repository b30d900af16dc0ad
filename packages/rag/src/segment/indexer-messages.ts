import type { AnalyzerSpec } from '../analyze/analyzer.ts';
import type { SentChunk, SentDocument } from './sent-document.ts';

/** What the process that indexes is told. */
export type IndexerRequest =
  | { readonly type: 'start'; readonly folder: string; readonly analyzer: AnalyzerSpec }
  /** Chunks that are likely to come: what can be done with them is done. */
  | { readonly type: 'foresee'; readonly chunks: readonly SentChunk[] }
  | { readonly type: 'documents'; readonly documents: readonly SentDocument[] }
  | { readonly type: 'finish' }
  | {
      readonly type: 'merge';
      readonly folder: string;
      /** The id of the analyser. */
      readonly analyzer: string;
      readonly files: readonly string[];
      /** Whether documents that went are not remembered any more. */
      readonly forgets: boolean;
    };

/** What it answers. A request is answered by `ready` at last, or by `failed`. */
export type IndexerAnswer =
  /** The id of the analyser that it has. */
  | { readonly type: 'started'; readonly analyzer: string }
  | {
      readonly type: 'segment';
      readonly file: string;
      readonly chunks: number;
      readonly unused: number;
      readonly hasKept: boolean;
      readonly replaced: number;
    }
  | {
      readonly type: 'merged';
      readonly file: string;
      readonly chunks: number;
      readonly records: number;
    }
  | { readonly type: 'ready' }
  | {
      readonly type: 'failed';
      readonly message: string;
      readonly stack?: string;
      /** Whether a file of the index is damaged. */
      readonly isCorrupt: boolean;
    };
