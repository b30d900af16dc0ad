import { defineConfig } from 'tsup';
import { shared } from '../../tsup.shared.ts';

export default defineConfig({
  ...shared,
  entry: {
    index: 'src/index.ts',
    'hooks/index': 'src/hooks/index.ts',
    'http/index': 'src/http/index.ts',
    'mcp/index': 'src/mcp/index.ts',
    'schemas/index': 'src/schemas/index.ts',
  },
});
