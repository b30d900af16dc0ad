import type { Chunk } from './chunk.ts';

/** A document that is to be cut. */
export interface SourceDocument {
  /** The project that it belongs to. */
  readonly novelId: string;
  /** Relative to the project, with `/`. */
  readonly filePath: string;
  readonly text: string;
  /** Given to every chunk, beside those that the document itself names. */
  readonly tags?: readonly string[];
}

/**
 * Cuts documents into chunks. The cuts depend on the text alone, and far away changes do not move
 * them: an edit in one place changes one or two chunks.
 */
export interface ChunkingStrategy {
  /** Changes whenever the same document would be cut in another way. */
  readonly id: string;

  /** The chunks in the order of the document; together they hold all of its text, but for front matter. */
  chunk(document: SourceDocument): Promise<readonly Chunk[]>;
}
