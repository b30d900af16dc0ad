import type { Chunk } from '../chunk.ts';
import {
  resolveLimits,
  type ChunkingOptions,
  type ChunkLimits,
  type ChunkingStrategy,
  type SourceDocument,
} from '../chunking-strategy.ts';
import { cutSections } from '../cut-sections.ts';
import { SourceText } from '../source-text.ts';
import { loadBlockParser } from './parse-blocks.ts';
import { markdownSections } from './sections.ts';

/**
 * Cuts Markdown along its structure: headings, blocks, items and lines, sentences. YAML front matter is
 * no content: its `title` stands above the headings of all chunks, its `tags` are theirs. A document
 * of nothing else is one chunk.
 *
 * @example
 * ```ts
 * const strategy = new MarkdownChunkingStrategy({ maxTokens: 300, overlap: 0 });
 * const chunks = await strategy.chunk({ novelId: 'neko', filePath: 'settings/jinbutsu.md', text });
 * ```
 */
export class MarkdownChunkingStrategy implements ChunkingStrategy {
  readonly id: string;
  readonly #limits: ChunkLimits;

  constructor(options: ChunkingOptions = {}) {
    this.#limits = resolveLimits(options);
    this.id = `markdown-3(${this.#limits.id})`;
  }

  async chunk(document: SourceDocument): Promise<readonly Chunk[]> {
    const parser = await loadBlockParser();
    const source = new SourceText(document.text);
    const { sections, tags } = await markdownSections(source, parser, this.#limits);
    return cutSections(document, source, sections, this.#limits, tags);
  }
}
