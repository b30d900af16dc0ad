import type { Chunk } from './chunk.ts';
import {
  resolveLimits,
  type ChunkingOptions,
  type ChunkLimits,
  type ChunkingStrategy,
  type CutControl,
  type SourceDocument,
} from './chunking-strategy.ts';
import { cutSections } from './cut-sections.ts';
import { inTurns, type Steps } from './in-turns.ts';
import { PLAIN_PROSE, UnitList, addProse } from './unit-list.ts';
import { SourceText } from './source-text.ts';

/** Cuts text without markup: at scene breaks, blank lines, paragraphs and sentences. */
export class PlainTextChunkingStrategy implements ChunkingStrategy {
  readonly id: string;
  readonly #limits: ChunkLimits;

  constructor(options: ChunkingOptions = {}) {
    this.#limits = resolveLimits(options);
    this.id = `plain-1(${this.#limits.id})`;
  }

  chunk(document: SourceDocument, { signal }: CutControl = {}): Promise<readonly Chunk[]> {
    return inTurns(this.#cut(document), signal);
  }

  *#cut(document: SourceDocument): Steps<readonly Chunk[]> {
    const source = new SourceText(document.text);
    const list = new UnitList(source, this.#limits, source.from);
    yield* addProse(list, document.text.length, PLAIN_PROSE);
    const sections = [{ headingPath: [], list }];
    return yield* cutSections(document, source, sections, this.#limits);
  }
}
