import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { median, percentile, round, type Figures } from '../figures.ts';
import type { Place } from './ask-system.ts';
import { indexOurs } from './ours.ts';
import { runWorker } from './run-worker.ts';

interface Result {
  readonly chunks: number;
  readonly writing: number;
  readonly writingExact: number;
  readonly opening: number;
  readonly times: Readonly<Record<string, readonly number[]>>;
  readonly recalls: readonly { readonly noise: number; readonly recall: number }[];
}

/** A hybrid search, its two sides alone, and sqlite-vec, on the same works and vectors. */
export async function benchHybridSpeed(
  corpus: string,
  chunks: number,
  place: Place,
): Promise<Figures> {
  const { folder, dictionaries, log } = place;
  log(`cutting ${chunks} chunks ...`);
  await runWorker('prepare-worker.mjs', [corpus, folder, dictionaries, chunks]);
  log('indexing their words ...');
  const index = join(folder, 'index');
  await indexOurs({ index, place }, chunks);
  log('indexing their vectors, and searching ...');
  const { result } = await runWorker<Result>('hybrid-speed-worker.mjs', [
    folder,
    index,
    dictionaries,
    chunks,
  ]);
  const figures: Record<string, number> = {
    chunks: result.chunks,
    vectors_index_s: round(result.writing / 1000),
    vectors_open_ms: round(result.opening),
    vectors_mb: round((await stat(join(folder, 'vectors.db'))).size / 1e6),
    sqlite_vec_index_s: round(result.writingExact / 1000),
  };
  for (const [name, times] of Object.entries(result.times)) {
    figures[`${name}_p50_ms`] = round(median(times));
    figures[`${name}_p95_ms`] = round(percentile(times, 0.95));
  }
  for (const { noise, recall } of result.recalls) {
    figures[`quantized_recall_at_10_noise_${noise}`] = round(recall);
  }
  return figures;
}
