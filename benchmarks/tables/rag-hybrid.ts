import type { Table } from '../page/table.ts';

export const ragHybridTables: readonly Table[] = [
  {
    name: 'rag-hybrid-quality',
    columns: [
      { head: 'a recall of 0.3', figures: '*_0.3_over_better' },
      { head: '0.6', figures: '*_0.6_over_better' },
      { head: '0.9', figures: '*_0.9_over_better' },
    ],
    rows: [
      {
        name: 'hybrid',
        what: 'by scores, the default',
        wanted: { atLeast: -0.01 },
      },
      { name: 'rrf', what: 'by reciprocal ranks (k = 60), without a gate' },
    ],
  },
  {
    name: 'rag-hybrid-gate',
    columns: [
      { head: 'random vectors', figures: '*_0_points' },
      { head: 'a recall of 0.3', figures: '*_0.3_points' },
      { head: '0.6', figures: '*_0.6_points' },
      { head: '0.9', figures: '*_0.9_points' },
    ],
    rows: [
      { name: 'hybrid', what: 'by scores, the default', wanted: { atLeast: -0.2 } },
      { name: 'gated_rrf', what: 'by reciprocal ranks' },
      { name: 'rrf', what: 'by reciprocal ranks without a gate (`gate: 1`)' },
    ],
  },
  {
    name: 'rag-hybrid-speed',
    columns: [
      // The target is that of the first column.
      { head: 'p95', figures: '*_p95_ms' },
      { head: 'p50', figures: '*_p50_ms' },
    ],
    rows: [
      { name: 'hybrid', what: 'ten hits, without the model', unit: 'ms', wanted: { atMost: 25 } },
      { name: 'keyword', what: 'the words alone', unit: 'ms' },
      { name: 'quantized', what: 'the vectors alone, `quantizedVectors`', unit: 'ms' },
      { name: 'sqlite_vec', what: 'sqlite-vec, which compares all vectors', unit: 'ms' },
    ],
  },
  {
    name: 'rag-hybrid-vectors',
    rows: [
      { name: 'chunks', what: 'with a vector of 384 dimensions each' },
      { name: 'texts', what: 'what they are cut of' },
      { name: 'vectors_index_s', what: 'storing the vectors', unit: 's' },
      { name: 'sqlite_vec_index_s', what: 'the same by sqlite-vec', unit: 's' },
      { name: 'vectors_open_ms', what: 'opening them, to the first answer', unit: 'ms' },
      { name: 'vectors_mb', what: 'their file', unit: 'MB' },
      {
        name: 'quantized_recall_at_10_noise_0.5',
        what: 'of the exact ten nearest, for questions that are a text with a noise of 0.5',
      },
      { name: 'quantized_recall_at_10_noise_1', what: 'a noise of 1: near some text' },
      { name: 'quantized_recall_at_10_noise_3', what: 'a noise of 3: near nothing much' },
      {
        name: 'noise_pct',
        what: 'the spread of a loop that always does the same, all over the run',
        unit: '%',
      },
    ],
  },
];
