import { Session } from 'node:inspector/promises';
import { mkdtempSync, writeFileSync } from 'node:fs';
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


const { scriptedModel } = await import('@vizprompt/providers/testing');
{
  const { VizPrompt } = await import('@vizprompt/core');
  const v = await VizPrompt.open(dir(), { model: scriptedModel(() => 'answer') as any });
  await measure('core.chat', async () => { for await (const e of v.chat({ prompt: 'hello' })) void e; });
  await v.close();
}
{
  const { WorkflowEngine } = await import('@vizprompt/workflow') as any;
  const f = join(dir(), 'w.yaml');
  writeFileSync(f, `workflows:
  one:
    steps:
      - { id: a, type: function, function: hi, output_variable: x }
`);
  const e = await WorkflowEngine.open({ files: f, functions: { hi: async () => 'x' } });
  await measure('workflow.run(1 function step)', async () => { const r = await e.start('one', 'in'); return await r.result; });
  await e.close();
  const t0 = performance.now();
  await measure('workflow.open(6-line yaml)', async () => { const e = await WorkflowEngine.open({ files: f, functions: { hi: async () => 'x' } }); await e.close(); });
}
{
  const { ConversationManager } = await import('@vizprompt/talktable') as any;
  const m = await ConversationManager.open({ topic: 't', participants: [{ name: 'A', model: scriptedModel(() => 'I speak.') }, { name: 'B', model: scriptedModel(() => 'I too.') }], logPath: join(dir(), 't.db') });
  await measure('talktable.2 turns', async () => { await m.start({ maxTurns: 2 }).result(); });
  await measure('talktable.1 turn', async () => { await m.start({ maxTurns: 1 }).result(); });
  await m.close();
}
process.exit(0);
