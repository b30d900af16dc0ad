import type { Table } from '../page/table.ts';

export const ragSharedTables: readonly Table[] = [
  {
    name: 'rag-shared',
    rows: [
      { name: 'texts', what: 'what was indexed' },
      {
        name: 'same_answers',
        what: 'answers that are those of `SegmentBackend`, to the last digit',
      },
      {
        name: 'p95_ratio_50k',
        what: '50,000 chunks on PostgreSQL, by the same in files',
        wanted: { atMost: 2 },
      },
      { name: 'p95_ms_50k', what: 'a search of 50,000 chunks', unit: 'ms' },
      { name: 'p95_ms_500k', what: 'of 500,000', unit: 'ms', wanted: { atMost: 60 } },
      { name: 'p95_ms_1m', what: 'of 1,000,000', unit: 'ms', wanted: { atMost: 90 } },
      { name: 'growth_p95', what: 'for ten times the chunks', wanted: { atMost: 2.2 } },
      { name: 'statements', what: 'of a search, at most', wanted: { atMost: 3 } },
      {
        name: 'added_latency_ms',
        what: 'when each statement takes 1 ms longer',
        unit: 'ms',
        wanted: { atMost: 5 },
      },
      { name: 'phrase_p95_ms', what: 'a phrase, in 50,000', unit: 'ms', wanted: { atMost: 150 } },
      { name: 'regex_p95_ms', what: 'a regular expression', unit: 'ms', wanted: { atMost: 150 } },
      {
        name: 'posting_bytes',
        what: 'postings of a chunk on the disk',
        unit: 'bytes',
        wanted: { atMost: 300 },
      },
      {
        name: 'total_bytes',
        what: 'all of a chunk, its text included',
        unit: 'bytes',
        wanted: { atMost: 1300 },
      },
      {
        name: 'document_p95_ms',
        what: 'writing a document of 5 chunks into 500,000',
        unit: 'ms',
        wanted: { atMost: 30 },
      },
      { name: 'lost_attempts', what: 'of four writers at once', wanted: { atMost: 0 } },
      {
        name: 'chunks_per_s',
        what: 'written, which were cut and analyzed before',
        wanted: { atLeast: 10_000 },
      },
      {
        name: 'documents_chunks_per_s',
        what: 'of documents, which are cut and analyzed meanwhile, less the time in the analyzer',
      },
      {
        name: 'unmerged_ratio',
        what: 'a search after 1,000 changes that were not merged',
        wanted: { atMost: 1.5 },
      },
      {
        name: 'first_ms_500k',
        what: 'opening, and the first search, of 500,000 chunks, with the dictionary loaded',
        unit: 'ms',
        wanted: { atMost: 300 },
      },
      {
        name: 'noise_pct',
        what: 'the spread of a loop that always does the same, before and afterwards',
        unit: '%',
      },
    ],
  },
];
