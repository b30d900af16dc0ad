import type { Table } from '../page/table.ts';

export const langgraphTables: readonly Table[] = [
  {
    name: 'langgraph',
    columns: [
      { head: '÷ SqliteSaver', figures: '*_sqlite' },
      { head: '÷ PostgresSaver', figures: '*_postgres' },
    ],
    rows: [
      {
        name: 'run_cpu_ratio',
        what: 'a run of 120 steps, processor time of the process',
        wanted: { atMost: 1.6 },
      },
      { name: 'run_cpu_noise', what: 'how far the pairs are apart' },
      { name: 'run_ratio', what: 'the same, by the clock' },
      { name: 'run_noise', what: 'likewise' },
      {
        name: 'list_cpu_ratio',
        what: '`list` of its 122 checkpoints, processor time of the process',
        wanted: { atMost: 2 },
      },
      { name: 'list_cpu_noise', what: 'how far the pairs are apart' },
      { name: 'list_ratio', what: 'the same, by the clock' },
      { name: 'list_noise', what: 'likewise' },
    ],
  },
];
