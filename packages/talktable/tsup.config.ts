import { defineConfig } from 'tsup';
import { shared } from '../../tsup.shared.ts';

export default defineConfig({
  ...shared,
  entry: { index: 'src/index.ts', 'config/index': 'src/config/index.ts' },
});
