import type { Table } from '../page/table.ts';

export const cliTables: readonly Table[] = [
  {
    name: 'cli',
    rows: [
      { name: 'log_user_p50_ms', what: 'the median', unit: 'ms', wanted: { atMost: 250 } },
      { name: 'log_user_p95_ms', what: '', unit: 'ms' },
      { name: 'empty_node_p50_ms', what: 'an empty process of Node', unit: 'ms' },
      { name: 'sqlite_node_p50_ms', what: 'one that opens a database', unit: 'ms' },
      {
        name: 'log_user_ratio_to_sqlite_node',
        what: 'of the medians',
        wanted: { atMost: 2.5 },
      },
      {
        name: 'log_user_ratio_paired_p50',
        what: 'the median of the ratios of starts next to each other',
      },
      { name: 'help_p50_ms', what: '`ptta --help`', unit: 'ms' },
      { name: 'noise', what: 'the spread of `log:user`, as a share' },
    ],
  },
];
