import type { Table } from '../page/table.ts';

export const redactTables: readonly Table[] = [
  {
    name: 'redact',
    rows: [
      { name: 'plain_ms_per_mb', what: 'English text', unit: 'ms', wanted: { atMost: 50 } },
      { name: 'japanese_ms_per_mb', what: 'Japanese text', unit: 'ms', wanted: { atMost: 50 } },
      { name: 'code_ms_per_mb', what: 'sources', unit: 'ms', wanted: { atMost: 50 } },
      {
        name: 'json_ms_per_mb',
        what: 'the same as JSON, which is read twice near escapes',
        unit: 'ms',
        wanted: { atMost: 50 },
      },
      { name: 'pass_ms_per_mb', what: 'one pass over the characters, for comparison', unit: 'ms' },
      {
        name: 'dense_ms_per_mb',
        what: 'nothing but short secrets: the slowest kind',
        unit: 'ms',
        wanted: { atMost: 50 },
      },
      {
        name: 'worst_ms_per_mb',
        what: 'the slowest of a fuzz run: keywords, secrets, escapes in escapes, mixtures',
        unit: 'ms',
        wanted: { atMost: 50 },
      },
      {
        name: 'slow_mean_ms_per_mb',
        what: 'the mean of the slowest ones, at least 60 of them',
        unit: 'ms',
        wanted: { atMost: 50 },
      },
      { name: 'slow_share', what: 'of these, above 50 ms' },
      {
        name: 'found_forms_share',
        what: 'of the forms that issuers document, found',
        wanted: { atLeast: 0.99 },
      },
      {
        name: 'found_places_share',
        what: 'of files, commands and messages with a secret, found',
        wanted: { atLeast: 0.9 },
      },
    ],
  },
];
