import type { Table } from '../page/table.ts';

const PACKAGES = ['providers', 'core', 'rag', 'memory', 'workflow', 'talktable', 'cli'];

export const installTables: readonly Table[] = [
  {
    name: 'install',
    columns: [
      { head: 'packages', figures: '*_all_packages' },
      { head: 'MB', figures: '*_all_mb' },
      { head: 'packages, `--omit=optional`', figures: '*_bare_packages' },
      { head: 'MB, `--omit=optional`', figures: '*_bare_mb' },
      { head: 'MB of its own', figures: '*_own_mb' },
    ],
    rows: PACKAGES.map((name) => ({ name, what: `\`@vizprompt/${name}\`` })),
  },
];
