import { fileURLToPath } from 'node:url';
import { startTool } from '../frame/start.ts';
import { runCompiled } from './run-compiled.ts';

const file = fileURLToPath(new URL('ptta.cjs', import.meta.url));
await startTool('ptta', () => {
  runCompiled(file, process.argv[2] ?? 'help', (name) => import(name));
});
