import type { Table } from '../page/table.ts';

export const workflowTables: readonly Table[] = [
  {
    name: 'workflow',
    rows: [
      {
        name: 'memory_ms_per_step',
        what: 'all but the step itself, in memory; the median of five processes',
        unit: 'ms',
        wanted: { atMost: 0.3 },
      },
      { name: 'memory_cpu_ms_per_step', what: 'the same, of the processor', unit: 'ms' },
      {
        name: 'sqlite_ms_per_step',
        what: 'with the step on the disk before the next one begins',
        unit: 'ms',
      },
      {
        name: 'bare_commit_ms',
        what: 'a bare commit of the same row by better-sqlite3',
        unit: 'ms',
      },
      { name: 'sqlite_step_ratio', what: 'of the two, round by round', wanted: { atMost: 2 } },
      { name: 'runs_per_s', what: '1,000 runs of three steps at once, in memory' },
      {
        name: 'sqlite_runs_per_s',
        what: 'the same with the journal: runs that end together share commits',
      },
      {
        name: 'import_ms',
        what: 'importing the package, within a fresh process',
        unit: 'ms',
        wanted: { atMost: 150 },
      },
      {
        name: 'load_ms',
        what: 'an engine on a file of 1,000 steps, as JSON, checked',
        unit: 'ms',
        wanted: { atMost: 50 },
      },
      { name: 'load_yaml_ms', what: 'as YAML', unit: 'ms', wanted: { atMost: 50 } },
      {
        name: 'load_first_ms',
        what: 'the JSON, first thing in a process: languages are loaded, code is cold',
        unit: 'ms',
      },
      { name: 'load_yaml_first_ms', what: 'the YAML likewise', unit: 'ms' },
      { name: 'rss_mb', what: 'that process after six runs of the chain', unit: 'MB' },
      { name: 'rss_idle_mb', what: 'of it, Node itself', unit: 'MB' },
    ],
  },
  {
    name: 'workflow-peers',
    columns: [
      { head: '÷ LangGraph.js', figures: '*_langgraph' },
      { head: '÷ Mastra', figures: '*_mastra' },
    ],
    rows: [
      { name: 'memory_ratio', what: 'a step in memory' },
      { name: 'memory_cpu_ratio', what: 'the same, of the processor' },
      { name: 'sqlite_ratio', what: "a step with `SqliteSaver` and `durability: 'sync'`" },
      { name: 'runs_per_s_ratio', what: 'runs a second: more is better here' },
      { name: 'import_ratio', what: 'importing' },
    ],
  },
];
