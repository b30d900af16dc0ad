import { withoutRuby } from '../books/book-lines.ts';
import { chapterHeadings, depthOfTitle } from './chapter-headings.ts';
import type { Chunk } from './chunk.ts';
import {
  resolveLimits,
  type ChunkingOptions,
  type ChunkLimits,
  type ChunkingStrategy,
  type CutControl,
  type SourceDocument,
} from './chunking-strategy.ts';
import { cutSections, HeadedSections, type PlacedHeading } from './cut-sections.ts';
import { headingText, inTurns, SourceText, type Steps } from './source-text.ts';

const HEADING = /^(#{1,6}) (.*)$/;

/**
 * Cuts the text of a book (EPUB, DOCX) as it is read from its file: a paragraph on each line, and headings with `#`. So
 * lines of chunks are paragraphs, and the path of headings is the chapter. In a book without any heading but its title, lines
 * that name chapters (`第一章 嵐`) are headings, as in plain text.
 */
export class BookChunkingStrategy implements ChunkingStrategy {
  readonly id: string;
  readonly #limits: ChunkLimits;
  readonly #hasChapters: boolean;

  constructor(options: ChunkingOptions = {}) {
    this.#limits = resolveLimits(options);
    this.#hasChapters = options.chapters ?? true;
    this.id = `${this.#hasChapters ? 'book-9' : 'book-3'}(${this.#limits.id})`;
  }

  chunk(document: SourceDocument, { signal }: CutControl = {}): Promise<readonly Chunk[]> {
    return inTurns(this.#cut(document), signal);
  }

  *#cut(document: SourceDocument): Steps<readonly Chunk[]> {
    const source = new SourceText(document.text);
    const parts = new HeadedSections(source, this.#limits);
    const headings = yield* headingsOf(source);
    const [title, ...others] = headings;
    const isBare = others.length === 0 && (title?.line ?? 1) === 1 && this.#hasChapters;
    const named = isBare ? yield* chapterHeadings(source, true) : [];
    const chapters = named.filter(({ line }) => line !== title?.line);
    if (title) {
      // The only heading may be that of the first chapter.
      const same = named.find(({ line }) => line === title.line);
      const depth = same ? depthOfTitle(source, same, chapters) : 0;
      yield* parts.open(chapters.length > 0 ? { ...title, depth } : title);
    }
    for (const heading of [...others, ...chapters]) yield* parts.open(heading);
    yield* parts.close(source.lines + 1, parts.path);
    return yield* cutSections(document, source, parts.sections, this.#limits);
  }
}

function* headingsOf(source: SourceText): Steps<readonly PlacedHeading[]> {
  const headings: PlacedHeading[] = [];
  for (let line = 1; line <= source.lines; line += 1) {
    yield;
    const heading = headingAt(source, line);
    if (heading) headings.push(heading);
  }
  return headings;
}

function headingAt(source: SourceText, line: number): PlacedHeading | undefined {
  const from = source.startOf(line);
  if (source.text[from] !== '#') return undefined;
  const text = source.text.slice(from, source.startOf(line + 1)).trimEnd();
  const [, marks, title] = HEADING.exec(text) ?? [];
  if (marks === undefined || title === undefined) return undefined;
  const name = headingText(withoutRuby(title));
  return { depth: marks.length, text: name, isRunIn: false, line, lastLine: line };
}
