import { defineConfig } from 'tsup';
import { shared } from '../../tsup.shared.ts';

export default defineConfig({
  ...shared,
  entry: {
    index: 'src/index.ts',
    'bin/dialogoi': 'src/bin/dialogoi.ts',
    'bin/ptta': 'src/bin/ptta.ts',
    'bin/talktable': 'src/bin/talktable.ts',
    'bin/vizprompt': 'src/bin/vizprompt.ts',
  },
});
