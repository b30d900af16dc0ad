import type { Table } from '../page/table.ts';

const locomo: Table = {
  name: 'memory-locomo',
  columns: [
    { head: 'all', figures: '*' },
    { head: 'tuned on', figures: '*_tuned' },
    { head: 'held out', figures: '*_held_out' },
  ],
  rows: [
    { name: 'questions', what: 'of all categories' },
    {
      name: 'session_recall_at_5',
      what: 'sessions that hold the evidence',
      wanted: { atLeast: 0.9 },
    },
    { name: 'session_recall_at_10', what: '', wanted: { atLeast: 0.95 } },
    { name: 'session_mrr', what: '1 / the place of the first of them' },
    {
      name: 'turn_recall_at_10',
      what: 'turns that hold the evidence',
      wanted: { atLeast: 0.7 },
    },
  ],
};

const append: Table = {
  name: 'memory-append',
  rows: [
    {
      name: 'append_ratio',
      what: '`log`, durable, by better-sqlite3 writing the same rows and terms',
      wanted: { atLeast: 0.6 },
    },
    { name: 'append_per_s', what: 'events a second' },
    { name: 'append_bare_per_s', what: 'of better-sqlite3' },
    { name: 'append_cold_ratio', what: 'the first 3,000 events of a process' },
    { name: 'append_batch_ratio', what: '`logMany`, 2,500 events, likewise' },
    { name: 'append_batch_per_s', what: '' },
    { name: 'append_bare_batch_per_s', what: '' },
  ],
};

const imported: Table = {
  name: 'memory-import',
  rows: [
    {
      name: 'import_mb_s',
      what: 'made logs of Claude Code, 100 MB: the median of five processes',
      unit: 'MB/s',
      wanted: { atLeast: 10 },
    },
    { name: 'import_best_mb_s', what: 'the fastest of them', unit: 'MB/s' },
    { name: 'import_noise', what: 'the spread of the middle three, as a share' },
    {
      name: 'import_mb_per_cpu_s',
      what: 'the same by processor time',
      unit: 'MB/s',
    },
    { name: 'import_again_mb_s', what: 'the same once more', unit: 'MB/s' },
    {
      name: 'import_size_ratio',
      what: 'the file, by what it holds: events, and each text of a file once',
      wanted: { atMost: 1.5 },
    },
    { name: 'import_peak_rss_mb', what: 'memory at most', unit: 'MB' },
    { name: 'import_small_mb_s', what: '30 MB: the median of five', unit: 'MB/s' },
    { name: 'import_small_peak_rss_mb', what: 'memory of that at most', unit: 'MB' },
    { name: 'import_large_mb_s', what: '400 MB, once', unit: 'MB/s' },
    { name: 'import_large_peak_rss_mb', what: 'memory of that at most', unit: 'MB' },
  ],
};

const search: Table = {
  name: 'memory-search',
  rows: [
    { name: 'events', what: 'made ones, in sessions of 200' },
    { name: 'fill_events_per_s', what: 'storing them, 200 in a batch' },
    { name: 'bytes_per_event', what: 'in the file' },
    {
      name: 'search_p50_ms',
      what: '200 queries, each asked once, after 500 others: the median of five processes',
      unit: 'ms',
    },
    { name: 'search_p95_ms', what: '', unit: 'ms', wanted: { atMost: 10 } },
    { name: 'search_p95_best_ms', what: 'the fastest process', unit: 'ms' },
    { name: 'search_p95_worst_ms', what: 'the slowest', unit: 'ms' },
    { name: 'search_noise', what: 'the spread of the middle three, as a share' },
    { name: 'search_first_p95_ms', what: 'the 500 before, while V8 compiles', unit: 'ms' },
    { name: 'search_rare_p95_ms', what: 'rare words', unit: 'ms' },
    { name: 'search_common_p95_ms', what: 'common words', unit: 'ms' },
    { name: 'search_sentence_p95_ms', what: 'eight words that were said', unit: 'ms' },
    { name: 'search_filtered_p95_ms', what: 'in a workspace, or about a file', unit: 'ms' },
    {
      name: 'search_recall_at_10',
      what: 'of what the uncapped ranking finds, over 40 of the queries',
    },
    { name: 'search_sentence_recall_at_10', what: 'eight words that were said' },
    { name: 'search_filtered_recall_at_10', what: 'in a workspace, or about a file' },
    { name: 'recall_p50_ms', what: '`recall` within 2,000 tokens', unit: 'ms' },
    { name: 'recall_p95_ms', what: '', unit: 'ms' },
  ],
};

/** The same on a server; its figures have names of their own. */
const postgres: Table = {
  name: 'memory-postgres',
  rows: [
    { name: 'postgres_events', what: 'made ones, in sessions of 200' },
    {
      name: 'postgres_fill_events_per_s',
      what: 'storing them, 200 in a batch',
      wanted: { atLeast: 5000 },
    },
    { name: 'postgres_bytes_per_event', what: 'in the tables, indexes included' },
    { name: 'postgres_search_p50_ms', what: 'the 200 queries of the other table', unit: 'ms' },
    { name: 'postgres_search_p95_ms', what: '', unit: 'ms', wanted: { atMost: 25 } },
    { name: 'postgres_search_rare_p95_ms', what: 'rare words', unit: 'ms' },
    { name: 'postgres_search_common_p95_ms', what: 'common words', unit: 'ms' },
    { name: 'postgres_search_sentence_p95_ms', what: 'eight words that were said', unit: 'ms' },
    {
      name: 'postgres_search_filtered_p95_ms',
      what: 'in a workspace, or about a file',
      unit: 'ms',
    },
    {
      name: 'postgres_search_statements',
      what: 'of a search, on the average, those that read its events included',
      wanted: { atMost: 4 },
    },
    { name: 'postgres_search_most_statements', what: 'at most' },
    {
      name: 'postgres_search_recall_at_10',
      what: 'of what the uncapped ranking finds, over 40 of the queries',
    },
    { name: 'postgres_recall_p95_ms', what: '`recall` within 2,000 tokens', unit: 'ms' },
  ],
};

const hooks: Table = {
  name: 'memory-hooks',
  rows: [
    {
      name: 'hook_ratio',
      what: '`ptta hook` after a call of a tool, by an empty process: the median of pairs',
      wanted: { atMost: 1.5 },
    },
    { name: 'hook_p50_ms', what: '', unit: 'ms' },
    { name: 'hook_empty_node_p50_ms', what: 'the empty process', unit: 'ms' },
    { name: 'hook_noise', what: 'the spread of `ptta hook`, as a share' },
    {
      name: 'hook_end_ratio',
      what: 'at the end of a turn, where it starts what stores the calls',
      wanted: { atMost: 1.5 },
    },
    { name: 'hook_end_p50_ms', what: '', unit: 'ms' },
    { name: 'hook_start_ratio', what: 'at the start of a session, which is answered' },
    { name: 'hook_start_p50_ms', what: '', unit: 'ms' },
  ],
};

export const memoryTables: readonly Table[] = [locomo, append, imported, hooks, search, postgres];
