import { defineConfig } from 'tsup';
import { shared } from '../../tsup.shared.ts';

export default defineConfig({
  ...shared,
  entry: ['index', 'node/index', 'postgres/index', 'text/index', 'testing/index'].map(
    (entry) => `src/${entry}.ts`,
  ),
});
