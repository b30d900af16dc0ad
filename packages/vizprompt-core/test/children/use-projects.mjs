// Does to each of the projects what a user does: opens, searches, edits, undoes, repairs, merges, asks.
import { VizPrompt } from '@vizprompt/core';
import { createModelRegistry } from '@vizprompt/providers/registry';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';

const [, , folder] = process.argv;
const registry = createModelRegistry();
const codes = {};

async function attempt(name, work) {
  let code = 'done';
  try {
    await work();
  } catch (error) {
    code = typeof error?.code === 'string' ? error.code : `${error?.stack}`;
  }
  codes[`${name} ${code}`] = (codes[`${name} ${code}`] ?? 0) + 1;
}

for (const name of readdirSync(folder)) {
  const where = join(folder, name);
  await attempt('read', async () => {
    const reader = await VizPrompt.open(where, { lock: 'read-only' });
    try {
      await reader.searchNodes({ text: 'evil' });
    } finally {
      await reader.close();
    }
  });
  await attempt('open', async () => {
    const vizprompt = await VizPrompt.open(where, { create: false, registry });
    await attempt('search', () => vizprompt.searchNodes({ text: 'evil' }));
    await attempt('undo', () => vizprompt.structure.undo());
    await attempt('redo', () => vizprompt.structure.redo());
    await attempt('repair', async () => vizprompt.repair(await vizprompt.check()));
    await attempt('edit', () => vizprompt.createNode({ prompt: 'mine' }));
    await attempt('merge', async () => {
      const [flow, other] = await vizprompt.listFlows();
      if (other) await vizprompt.structure.mergeByContent(flow.id, other.id);
    });
    await attempt('prune', async () => {
      const { nodes } = await vizprompt.getFlow();
      await vizprompt.structure.prune(nodes.at(-1)?.id ?? 'none', { files: true });
    });
    await attempt('import', () => vizprompt.importConversations(where));
    await attempt('init', () => VizPrompt.init(where));
    await attempt('chat', async () => {
      const signal = AbortSignal.timeout(2000);
      for await (const _ of vizprompt.chat({ prompt: 'private question', signal }));
    });
    await attempt('undo', () => vizprompt.structure.undo());
    await attempt('close', () => vizprompt.close());
  });
}
process.stdout.write(JSON.stringify(codes));
