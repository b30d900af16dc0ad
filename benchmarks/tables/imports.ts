import type { Table } from '../page/table.ts';

export const importsTables: readonly Table[] = [
  {
    name: 'imports',
    columns: [{ head: 'processor time, ms', figures: 'import_cpu_ms_*' }],
    rows: [
      { name: 'providers', what: '`@vizprompt/providers`' },
      { name: 'core', what: '`@vizprompt/core`', wanted: { atMost: 90 } },
      { name: 'rag', what: '`@vizprompt/rag`' },
      { name: 'memory', what: '`@vizprompt/memory`' },
      { name: 'workflow', what: '`@vizprompt/workflow`', wanted: { atMost: 90 } },
      { name: 'talktable', what: '`@vizprompt/talktable`' },
    ],
  },
];
