import { Session } from 'node:inspector/promises';
import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { tmpdir } from 'node:os';
const s = new Session(); s.connect();
await s.post('Profiler.enable');
async function measure(name: string, f: () => Promise<unknown>) {
  await f();
  await s.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  await s.post('Profiler.takePreciseCoverage');
  await f();
  const { result } = await s.post('Profiler.takePreciseCoverage') as any;
  await s.post('Profiler.stopPreciseCoverage');
  const files = new Map<string, number>(); let calls = 0;
  for (const r of result) {
    if (!r.url.startsWith('file:') || r.url.includes('/node:')) continue;
    const m = /\/(packages\/[^/]+\/src\/.*|node_modules\/(?!\.).*)$/.exec(r.url); if (!m) continue;
    for (const fn of r.functions) { const c = fn.ranges[0].count; if (c > 0 && fn.functionName !== '' ) { files.set(m[1]!, (files.get(m[1]!) ?? 0) + 1); calls += c; } }
  }
  const own = [...files].filter(([f]) => f.startsWith('packages/'));
  const pk: Record<string, number> = {}; for (const [f] of own) { const p = f.split('/')[1]!; pk[p] = (pk[p] ?? 0) + 1; }
  console.log(name, '| own files', own.length, JSON.stringify(pk), '| own named functions', own.reduce((a, [, n]) => a + n, 0), '| calls', calls);
  if ((process.env.LIST ?? '').split(',').includes(name)) for (const [f, n] of own) console.log('   ', f, n);
}
const dir = () => mkdtempSync(join(tmpdir(), 'beauty-'));
{
  const { MemoryStore } = await import('@vizprompt/memory');
  const store = await MemoryStore.open({ path: join(dir(), 'm.db') } as any);
  const se = await store.startSession({ workspace: '/tmp' });
  let i = 0;
  await measure('memory.log', () => store.log(se.id, 'user_message', { content: 'hello JWT ' + i++ }));
  await measure('memory.search', () => store.search('JWT'));
  await measure('memory.recall', () => store.recall({ query: 'JWT', workspace: '/tmp', budgetTokens: 500 }));
  await measure('memory.getEvent', async () => { const [h] = await store.search('JWT', { k: 1 }); return h; });
  await store.close();
}
{
  const { VizPrompt } = await import('@vizprompt/core');
  const v = await VizPrompt.open(dir());
  let i = 0;
  await measure('core.createNode', () => v.createNode({ prompt: 'q' + i, response: 'a' + i++ }));
  const n = await v.createNode({ prompt: 'q', response: 'a' });
  await measure('core.getNode', () => v.getNode(n.id));
  await measure('core.searchNodes', () => v.searchNodes({ text: 'q' }));
  await measure('core.buildContext', () => v.buildContext({ prompt: 'x' } as any));
  await v.close();
}
{
  const rag = await import('@vizprompt/rag');
  const d = dir();
  const b = await (rag as any).SegmentBackend.open({ folder: join(d, 'idx') });
  let i = 0;
  await measure('rag.updateFile', () => b.updateFile({ novelId: 'n', filePath: 'a.md', text: '# x\n\n嵐の夜に走った。' + i++ }));
  await measure('rag.search', () => b.search('嵐'));
  await b.close();
}
process.exit(0);
