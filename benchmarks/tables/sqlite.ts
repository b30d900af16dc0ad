import type { Table } from '../page/table.ts';

export const sqliteTables: readonly Table[] = [
  {
    name: 'sqlite',
    rows: [
      {
        name: 'append_ratio',
        what: '`log`, durable, one event after the other',
        wanted: { atLeast: 0.7 },
      },
      { name: 'append_batch_ratio', what: '`logMany`, 1,000 events', wanted: { atLeast: 0.7 } },
      { name: 'search_ratio', what: '`search`, one word', wanted: { atLeast: 0.7 } },
      { name: 'append_noise', what: 'how far the rounds are apart' },
      { name: 'search_noise', what: 'likewise' },
      { name: 'better_sqlite3', what: 'what better-sqlite3 holds' },
      { name: 'node_sqlite', what: 'what Node holds' },
    ],
  },
];
