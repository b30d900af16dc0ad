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
      { name: 'dbos_step_ratio', what: 'of the two, round by round', wanted: { atMost: 1.2 } },
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
      {
        name: 'cpu_ms_per_run_1',
        what: 'processor time of a run of three steps in the queue, worker and PostgreSQL',
        unit: 'ms',
        wanted: { atMost: 6 },
      },
      { name: 'cpu_ms_per_run_4', what: 'the same by four workers', unit: 'ms' },
      { name: 'cpu_ratio_4', what: 'of the two', wanted: { atMost: 1.2 } },
      { name: 'worker_cpu_ms_per_run_1', what: 'of it, in the worker', unit: 'ms' },
      { name: 'commits_per_run_1', what: 'transactions of such a run', wanted: { atMost: 9 } },
      { name: 'commits_per_run_4', what: 'the same by four workers' },
      { name: 'submit_cpu_ms_per_run', what: 'submitting it, engine and PostgreSQL', unit: 'ms' },
      { name: 'submit_commits_per_run', what: 'transactions of that' },
      {
        name: 'idle_commits_per_s',
        what: 'transactions of a worker that has no work, in a second',
        wanted: { atMost: 2 },
      },
      { name: 'idle_cpu_ms_per_s', what: 'processor time of that', unit: 'ms' },
      { name: 'rss_mb_per_worker', what: '', unit: 'MB' },
    ],
  },
];
