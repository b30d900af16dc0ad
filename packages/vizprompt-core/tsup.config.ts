import { defineConfig } from 'tsup';
import { shared } from '../../tsup.shared.ts';

export default defineConfig({
  ...shared,
  entry: {
    index: 'src/index.ts',
    'websocket/index': 'src/websocket/index.ts',
    'vizprompt-merge': 'src/sharing/vizprompt-merge.ts',
  },
});
