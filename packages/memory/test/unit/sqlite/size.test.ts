import { readFile, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { MemoryStore, type NewEvent } from '@vizprompt/memory';
import { expect, it } from 'vitest';
import { all, temporaryFolder } from '../../support/open-store.ts';

const DOCS = new URL('../../../../../docs/', import.meta.url).pathname;

/** Calls of tools as agents make them: files are read in parts, and commands print in colours. */
async function calls(): Promise<NewEvent[]> {
  const events: NewEvent[] = [];
  for (const name of (await readdir(DOCS)).filter((one) => one.endsWith('.md'))) {
    const text = await readFile(join(DOCS, name), 'utf8');
    for (let from = 0; from < text.length; from += 3000) {
      const file = { filePath: `/w/docs/${name}`, content: text.slice(from, from + 3000) };
      const meta = { agent: 'claude-code', uuid: crypto.randomUUID(), model: 'large-1' };
      const read = { tool: 'Read', parameters: { file_path: file.filePath }, result: { file } };
      events.push({ type: 'tool_use', data: { ...read, success: true }, meta });
      const lines = file.content.split('\n').slice(0, 20);
      const stdout = lines
        .map((line) => `\u001b[1G\u001b[2K\u001b[32m${line}\u001b[39m`)
        .join('\n');
      const run = { tool: 'Bash', parameters: { command: `head ${name}` }, result: { stdout } };
      events.push({ type: 'tool_use', data: { ...run, success: true }, meta });
      events.push({ type: 'assistant_message', data: { content: lines[0] ?? '' }, meta });
    }
  }
  return events;
}

it('takes at most 1.5 times the bytes of the events that it holds', async () => {
  const path = join(await temporaryFolder(), 'm.db');
  const store = await MemoryStore.open({ path });
  const { id } = await store.startSession({ workspace: '/w' });
  await store.logMany(id, await calls());
  const data = (await all(store.events(id))).map((event) => JSON.stringify(event.data));
  await store.close();
  const bytes = data.reduce((sum, json) => sum + Buffer.byteLength(json), 0);
  expect(bytes).toBeGreaterThan(500_000);
  expect((await stat(path)).size / bytes).toBeLessThan(1.5);
});
