import { AozoraChunkingStrategy, isAozora } from './aozora-chunking-strategy.ts';
import { isBookName } from '../books/book-names.ts';
import { BookChunkingStrategy } from './book-chunking-strategy.ts';
import type { Chunk } from './chunk.ts';
import type {
  ChunkingOptions,
  ChunkingStrategy,
  CutControl,
  SourceDocument,
} from './chunking-strategy.ts';
import { MarkdownChunkingStrategy } from './markdown-chunking-strategy.ts';
import { PlainTextChunkingStrategy } from './plain-text-chunking-strategy.ts';

const MARKDOWN = /\.(?:md|mdx|markdown|mkd)$/i;

/**
 * Cuts each document by its kind: Markdown and the text of books (EPUB, DOCX) by the name of the file, Aozora Bunko
 * texts by their marks, all others as plain text.
 */
export class AutoChunkingStrategy implements ChunkingStrategy {
  readonly id: string;
  readonly #markdown: ChunkingStrategy;
  readonly #aozora: ChunkingStrategy;
  readonly #book: ChunkingStrategy;
  readonly #plain: ChunkingStrategy;

  constructor(options: ChunkingOptions = {}) {
    this.#markdown = new MarkdownChunkingStrategy(options);
    this.#aozora = new AozoraChunkingStrategy(options);
    this.#book = new BookChunkingStrategy(options);
    this.#plain = new PlainTextChunkingStrategy(options);
    const all = [this.#markdown, this.#aozora, this.#plain, this.#book];
    this.id = `auto(${all.map(({ id }) => id).join()})`;
  }

  /** Returns the strategy for a document. */
  strategyFor(document: Pick<SourceDocument, 'filePath' | 'text'>): ChunkingStrategy {
    if (MARKDOWN.test(document.filePath)) return this.#markdown;
    if (isBookName(document.filePath)) return this.#book;
    return isAozora(document.text) ? this.#aozora : this.#plain;
  }

  chunk(document: SourceDocument, options?: CutControl): Promise<readonly Chunk[]> {
    return this.strategyFor(document).chunk(document, options);
  }
}
