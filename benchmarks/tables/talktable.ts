import type { Table } from '../page/table.ts';

export const talktableTables: readonly Table[] = [
  {
    name: 'talktable',
    rows: [
      {
        name: 'overhead_ms_per_turn',
        what: 'views, two commits, events: all but the model; the median of three talks',
        unit: 'ms',
        wanted: { atMost: 2 },
      },
      { name: 'turn_p50_ms', what: 'the same by turns', unit: 'ms' },
      { name: 'turn_p95_ms', what: '', unit: 'ms' },
      {
        name: 'bare_commits_ms_per_turn',
        what: 'the machine: an insert and an update of the row, each a commit',
        unit: 'ms',
      },
      { name: 'overhead_ratio_to_bare_commits', what: 'of the two, talk by talk' },
      { name: 'noise', what: 'the spread of the talks, as a share' },
    ],
  },
];
