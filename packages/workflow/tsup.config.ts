import { defineConfig } from 'tsup';
import { shared } from '../../tsup.shared.ts';

export default defineConfig({
  ...shared,
  entry: {
    index: 'src/index.ts',
    'dbos/index': 'src/dbos/index.ts',
    'testing/index': 'src/testing/index.ts',
  },
});
