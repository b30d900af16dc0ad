import { defineConfig } from 'tsup';
import { shared } from '../../tsup.shared.ts';

export default defineConfig({
  ...shared,
  entry: {
    index: 'src/index.ts',
    'mcp/index': 'src/mcp/index.ts',
    'testing/index': 'src/testing/index.ts',
    indexer: 'src/segment/background/indexer-process.ts',
    'compile-dictionary': 'src/dictionary/compile-process.ts',
  },
});
