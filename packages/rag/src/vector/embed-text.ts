import { headingsOf } from '../analyze/analyze-chunk.ts';
import type { Chunk } from '../chunk/chunk.ts';
import type { LongOptions } from '../contract/search-backend.ts';

/**
 * Writes a line that says where a chunk stands in its document, for example by a model. It is embedded
 * with the chunk and never shown.
 *
 * Source: Anthropic: Introducing Contextual Retrieval (2024).
 */
export interface ContextWriter {
  /** Changes whenever the lines would be others; what was written under the same id is kept. */
  readonly id: string;
  write(chunk: Chunk, options: LongOptions): Promise<string>;
}

/** What is embedded for a chunk: the line about it, its title and headings, and its text. */
export function embeddedText(chunk: Chunk, line = ''): string {
  const headings = headingsOf(chunk).join(' › ');
  return [line, headings, chunk.own].filter((part) => part !== '').join('\n');
}
