import type { Analyzer } from '../analyze/analyzer.ts';
import { compactAnalyzer } from '../analyze/compact-analyzer.ts';
import { AutoChunkingStrategy } from '../chunk/auto-chunking-strategy.ts';
import type { ChunkingStrategy } from '../chunk/chunking-strategy.ts';

/** How a backend cuts texts. */
export interface CuttingOptions {
  /**
   * Finds the words of texts and queries. An index of another analyzer is analyzed again. Default:
   * {@link compactAnalyzer}.
   */
  readonly analyzer?: Analyzer | undefined;
  /** Cuts documents into chunks. Default: `AutoChunkingStrategy`. */
  readonly chunking?: ChunkingStrategy | undefined;
}

/** Options with an analyzer and a chunking strategy, those of the caller or the defaults. */
export type Cutting<Options extends CuttingOptions> = Options & {
  readonly analyzer: Analyzer;
  readonly chunking: ChunkingStrategy;
};

/** Fills in what the caller left open; the dictionary is opened only if it is needed. */
export async function withDefaults<Options extends CuttingOptions>(
  options: Options,
): Promise<Cutting<Options>> {
  const analyzer = options.analyzer ?? (await compactAnalyzer());
  const chunking = options.chunking ?? new AutoChunkingStrategy();
  return { ...options, analyzer, chunking };
}
