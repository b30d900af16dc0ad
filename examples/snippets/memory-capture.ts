import { mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';

const home = await mkdtemp(join(tmpdir(), 'vizprompt-capture-'));
process.env['HOME'] = home;
const project = join(home, '.claude', 'projects', '-work-shop');
const line = {
  type: 'user',
  sessionId: '2f1c7e9a-0000-4000-8000-000000000001',
  uuid: '2f1c7e9a-0000-4000-8000-000000000002',
  parentUuid: null,
  cwd: '/home/ann/shop',
  timestamp: '2026-03-01T09:00:00.000Z',
  message: { role: 'user', content: '値引きを直して' },
};
await mkdir(project, { recursive: true });
await writeFile(join(project, `${line.sessionId}.jsonl`), `${JSON.stringify(line)}\n`);

// #region import
import { homedir } from 'node:os';
import { join } from 'node:path';
import { MemoryStore } from '@vizprompt/memory';

const store = await MemoryStore.open();
const report = await store.importTranscript(join(homedir(), '.claude', 'projects'));
console.log(report.added, report.skipped, report.unknown, report.torn);
// #endregion import

// #region install
import { installHooks, uninstallHooks } from '@vizprompt/memory/hooks';

await installHooks({ command: 'node /path/to/memory-hook.mjs' });
await uninstallHooks({ command: 'node /path/to/memory-hook.mjs' });
// #endregion install

await store.close();
