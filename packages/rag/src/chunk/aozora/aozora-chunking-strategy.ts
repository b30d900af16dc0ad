import type { Chunk } from '../chunk.ts';
import { resolveLimits, type ChunkingOptions, type ChunkLimits } from '../chunking-options.ts';
import type { ChunkingStrategy, SourceDocument } from '../chunking-strategy.ts';
import { cutSections } from '../cut-sections.ts';
import { SourceText } from '../source-text.ts';
import { aozoraSections } from './aozora-sections.ts';

/**
 * Cuts texts in the format of Aozora Bunko: at the headings of its annotations, with title and legend
 * before and the notes on the edition behind the book as sections of their own. Ruby and annotations
 * stay in the content as they are.
 */
export class AozoraChunkingStrategy implements ChunkingStrategy {
  readonly id: string;
  readonly #limits: ChunkLimits;

  constructor(options: ChunkingOptions = {}) {
    this.#limits = resolveLimits(options);
    this.id = `aozora-1(${this.#limits.id})`;
  }

  chunk(document: SourceDocument): Promise<readonly Chunk[]> {
    const source = new SourceText(document.text);
    const sections = aozoraSections(source, this.#limits);
    return Promise.resolve(cutSections(document, source, sections, this.#limits));
  }
}
