import { createTokenEstimator, type TokenCounter } from '@vizprompt/providers';
import {
  FLAG,
  having,
  type Kinds,
  NUMBER,
  optional,
  TEXT,
} from '@vizprompt/providers/config/internal';
import type { Chunk } from './chunk.ts';
import { checkOptions } from '../check-options.ts';
import { RagError } from '../errors.ts';

/** A document that is to be cut. */
export interface SourceDocument {
  /** The project that it belongs to. */
  readonly novelId: string;
  /** Relative to the project, with `/`. */
  readonly filePath: string;
  readonly text: string;
  /** Given to every chunk, next to those that the document itself names. */
  readonly tags?: readonly string[];
}

/**
 * Cuts documents into chunks. The cuts depend on the text alone, and far away changes do not move
 * them: an edit in one place changes one or two chunks.
 */
export interface ChunkingStrategy {
  /** Changes whenever the same document would be cut in another way. */
  readonly id: string;

  /** Returns the chunks in the order of the document; together they hold all of its text, but for front matter. */
  chunk(document: SourceDocument, options?: CutControl): Promise<readonly Chunk[]>;
}

/** Control over the cutting of a document. */
export interface CutControl {
  /** Ends it. Strategies of this package look at it every few milliseconds, and let others have a turn. */
  readonly signal?: AbortSignal | undefined;
}

/** How large chunks are. */
export interface ChunkingOptions {
  /**
   * The most tokens of a chunk's own text, at least 20. A code block or table may have twice as many
   * before it is cut. Default: 400.
   */
  readonly maxTokens?: number | undefined;
  /**
   * How much of the chunk before is repeated in front of the next one of a section, as a part of
   * `maxTokens` from 0 to 0.5, in whole sentences; it comes on top. Default: 0.2.
   */
  readonly overlap?: number | undefined;
  /**
   * True if lines that name chapters are headings in texts without markup: `第一章`, `【第3話】`, `プロローグ`, `幕間`,
   * `◆ 灯台守の娘`, `Chapter 3`, a number alone between blank lines. Default: true.
   */
  readonly chapters?: boolean | undefined;
  /**
   * Counts tokens: a `TokenCounter` of `@vizprompt/providers`, such as
   * `{ count: (text) => ({ tokens: text.length, exact: false }) }`. Default: `createTokenEstimator()`.
   */
  readonly counter?: TokenCounter | undefined;
  /** Names the counter in the id of the strategy. Default: `estimate`, or `custom` for one given. */
  readonly counterId?: string | undefined;
}

/** {@link ChunkingOptions}, checked and complete. */
export interface ChunkLimits {
  readonly maxTokens: number;
  /** In tokens. */
  readonly overlapTokens: number;
  readonly count: (text: string) => number;
  /** The part of a strategy's id that depends on the options. */
  readonly id: string;
}

const KINDS: Kinds<ChunkingOptions> = {
  maxTokens: optional(NUMBER),
  overlap: optional(NUMBER),
  chapters: optional(FLAG),
  counter: optional(having('a TokenCounter with count', 'count')),
  counterId: optional(TEXT),
};
const SMALLEST_CHUNK = 20;

export function resolveLimits(options: ChunkingOptions): ChunkLimits {
  checkOptions('a chunking strategy', options, KINDS);
  const { maxTokens = 400, overlap = 0.2 } = options;
  if (!(Number.isFinite(maxTokens) && maxTokens >= SMALLEST_CHUNK)) {
    throw new RagError(
      'invalid-input',
      `maxTokens is at least ${SMALLEST_CHUNK}, not ${maxTokens}`,
      { context: { maxTokens } },
    );
  }
  if (!(overlap >= 0 && overlap <= 0.5)) {
    throw new RagError('invalid-input', `overlap is a number from 0 to 0.5, not ${overlap}`, {
      context: { overlap },
    });
  }
  const counter = options.counter ?? createTokenEstimator();
  const counterId = options.counterId ?? (options.counter === undefined ? 'estimate' : 'custom');
  return {
    maxTokens,
    overlapTokens: Math.floor(overlap * maxTokens),
    count: (text) => counter.count(text).tokens,
    id: `${maxTokens},${overlap},${counterId}`,
  };
}
