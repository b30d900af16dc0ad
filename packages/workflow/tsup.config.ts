import { defineConfig } from 'tsup';
import { shared } from '../../tsup.shared.ts';

export default defineConfig({
  ...shared,
  entry: {
    index: 'src/index.ts',
    'dbos/index': 'src/dbos/index.ts',
    'evaluation/index': 'src/evaluation/index.ts',
    'http/index': 'src/http/index.ts',
    'otel/index': 'src/otel/index.ts',
    'testing/index': 'src/testing/index.ts',
  },
});
