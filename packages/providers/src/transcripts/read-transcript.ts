import type { TranscriptEntry } from './model/entry.ts';
import {
  TranscriptReader,
  type TranscriptLine,
  type TranscriptReaderOptions,
} from './transcript-reader.ts';

/** Lines as they come, one by one or in batches; `readLines` gives those of a file. */
export type TranscriptSource =
  | AsyncIterable<TranscriptLine | readonly TranscriptLine[] | string>
  | Iterable<TranscriptLine | readonly TranscriptLine[] | string>;

/**
 * Reads the entries of a transcript, in the order of its lines. Lines that show no known agent give no
 * entries.
 *
 * @param options - Those of the reader, or a reader, which continues and is asked for its state afterwards.
 */
export async function* readTranscript(
  source: TranscriptSource,
  options: TranscriptReader | TranscriptReaderOptions = {},
): AsyncGenerator<TranscriptEntry> {
  const reader = options instanceof TranscriptReader ? options : new TranscriptReader(options);
  for await (const some of source) {
    if (typeof some === 'string' || 'text' in some) yield* reader.read(some);
    else for (const line of some) yield* reader.read(line);
    if (reader.isForeign) return;
  }
}
