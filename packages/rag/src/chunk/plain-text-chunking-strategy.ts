import type { Chunk } from './chunk.ts';
import {
  resolveLimits,
  type ChunkingOptions,
  type ChunkLimits,
  type ChunkingStrategy,
  type CutControl,
  type SourceDocument,
} from './chunking-strategy.ts';
import { chapterHeadings } from './chapter-headings.ts';
import { cutSections, HeadedSections } from './cut-sections.ts';
import { inTurns, SourceText, type Steps } from './source-text.ts';

/**
 * Cuts text without markup: at the lines that name chapters (`第一章`, `【第3話】`, `プロローグ`, `◆ 灯台守の娘`, a number
 * alone), scene breaks, blank lines, paragraphs and sentences.
 */
export class PlainTextChunkingStrategy implements ChunkingStrategy {
  readonly id: string;
  readonly #limits: ChunkLimits;
  readonly #hasChapters: boolean;

  constructor(options: ChunkingOptions = {}) {
    this.#limits = resolveLimits(options);
    this.#hasChapters = options.chapters ?? true;
    this.id = `${this.#hasChapters ? 'plain-10' : 'plain-3'}(${this.#limits.id})`;
  }

  chunk(document: SourceDocument, { signal }: CutControl = {}): Promise<readonly Chunk[]> {
    return inTurns(this.#cut(document), signal);
  }

  *#cut(document: SourceDocument): Steps<readonly Chunk[]> {
    const source = new SourceText(document.text);
    const parts = new HeadedSections(source, this.#limits);
    const headings = this.#hasChapters ? yield* chapterHeadings(source) : [];
    for (const heading of headings) yield* parts.open(heading);
    yield* parts.close(source.lines + 1, parts.path);
    return yield* cutSections(document, source, parts.sections, this.#limits);
  }
}
