import type { Table } from '../page/table.ts';

export const workflowDbosTables: readonly Table[] = [
  {
    name: 'workflow-dbos',
    rows: [
      {
        name: 'dbos_ms_per_step',
        what: 'all but the step itself',
        unit: 'ms',
        wanted: { atMost: 5 },
      },
      { name: 'bare_dbos_ms_per_step', what: 'the same steps by DBOS alone', unit: 'ms' },
      { name: 'dbos_step_ratio', what: 'of the two, round by round', wanted: { atMost: 1.5 } },
      {
        name: 'short_run_ms',
        what: 'a run of three steps, from `start` to its result',
        unit: 'ms',
      },
      {
        name: 'takeover_s',
        what: 'from SIGKILL to the step begun again, at a lease of 3 s',
        unit: 's',
        wanted: { atMost: 5 },
      },
      { name: 'runs_per_s_1', what: '300 runs of three steps at once, by one worker' },
      { name: 'runs_per_s_2', what: 'by two' },
      { name: 'runs_per_s_4', what: 'by four' },
      { name: 'rss_mb_per_worker', what: '', unit: 'MB' },
    ],
  },
];
