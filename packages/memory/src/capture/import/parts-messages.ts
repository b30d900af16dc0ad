import type { RedactOptions } from '@vizprompt/providers';
import type { FoundFile } from './find-files.ts';
import type { ReadFileOptions } from './read-file.ts';
import type { PreparedBatch, PrepareRequest, TranscriptPart } from './transcript-parts.ts';

/** What the thread that reads transcripts begins with. */
export interface PartsTask {
  readonly files: readonly FoundFile[];
  readonly options: Omit<ReadFileOptions, 'signal'>;
  /** As the user gives it: the default rules are known there. */
  readonly redact: RedactOptions | false;
  readonly maxContentBytes: number;
}

/** What it is asked; it answers in the same order. */
export type PartsRequest =
  | { readonly type: 'next'; readonly needed: number }
  | { readonly type: 'prepare'; readonly request: PrepareRequest };

/** What it tells: first that it is ready, then an answer to each request. */
export type PartsAnswer =
  | { readonly type: 'ready' }
  | { readonly type: 'part'; readonly part: TranscriptPart | undefined }
  | { readonly type: 'batch'; readonly batch: PreparedBatch }
  | { readonly type: 'failed'; readonly message: string; readonly facts: object };
