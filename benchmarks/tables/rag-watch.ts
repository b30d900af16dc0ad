import type { Table } from '../page/table.ts';

export const ragWatchTables: readonly Table[] = [
  {
    name: 'rag-watch',
    rows: [
      { name: 'texts', what: 'what was indexed' },
      {
        name: 'watch_found_ms',
        what: 'from saving a file until a search finds what was changed',
        unit: 'ms',
        wanted: { atMost: 700 },
      },
      { name: 'watch_found_p95_ms', what: '', unit: 'ms' },
      { name: 'watch_look_ms', what: 'looking at all files when none has changed', unit: 'ms' },
      { name: 'index_2000_s', what: 'indexing all of them afresh', unit: 's' },
      {
        name: 'watch_2000_s',
        what: 'all of them with other texts, until the index has them',
        unit: 's',
      },
      {
        name: 'watch_2000_ratio',
        what: 'the same, by indexing them afresh',
        wanted: { atMost: 1 },
      },
      { name: 'watch_2000_after_debounce_ratio', what: 'without the 500 ms of waiting' },
      {
        name: 'watch_2000_edited_s',
        what: 'all of them with a sentence more: only the chunks that differ are analysed',
        unit: 's',
      },
      {
        name: 'watch_2000_edited_ratio',
        what: 'the same, by indexing them afresh',
        wanted: { atMost: 1 },
      },
      { name: 'watch_2000_edited_after_debounce_ratio', what: 'without the 500 ms of waiting' },
      {
        name: 'watch_2000_cpu_ratio',
        what: 'of processor time, the writing of the files among it (Linux): other texts',
      },
      { name: 'watch_2000_edited_cpu_ratio', what: '… a sentence more' },
      {
        name: 'noise_pct',
        what: 'the spread of a loop that always does the same, before and afterwards',
        unit: '%',
      },
    ],
  },
];
