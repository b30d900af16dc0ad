import { defineConfig } from 'tsup';
import { shared } from '../../tsup.shared.ts';

export default defineConfig({
  ...shared,
  entry: {
    index: 'src/index.ts',
    'mcp/index': 'src/mcp/index.ts',
    'testing/index': 'src/testing/index.ts',
    'vizprompt-rag-indexer': 'src/segment/background/indexer-process.ts',
    'vizprompt-rag-compiler': 'src/dictionary/compile-process.ts',
  },
});
