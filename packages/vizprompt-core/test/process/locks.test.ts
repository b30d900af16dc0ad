import { fork, type ForkOptions } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { VizPrompt } from '@vizprompt/core';
import { inMemoryStorage, openStorage } from '@vizprompt/providers/node';
import { describe, expect, it } from 'vitest';
import { startWriter } from '../support/start-children.ts';
import { temporaryFolder, testProject } from '../support/open-project.ts';

/** Names, times and bytes of everything in a folder. */
function contents(folder: string): Record<string, string> {
  const entries = readdirSync(folder, { recursive: true, encoding: 'utf8' }).toSorted();
  return Object.fromEntries(
    entries.map((entry) => {
      const path = join(folder, entry);
      const stats = statSync(path);
      const bytes = stats.isFile() ? readFileSync(path).toString('base64') : '';
      return [entry, `${stats.mtimeMs} ${bytes}`];
    }),
  );
}

async function closedProject(): Promise<string> {
  const { vizprompt, folder, close } = await testProject();
  const first = await vizprompt.createNode({ prompt: '質問です', response: '回答' });
  await vizprompt.createNode({ prompt: '続きの質問' });
  await vizprompt.buildSummary(first.id);
  await close();
  return folder;
}

describe("lock: 'exclusive'", () => {
  it('keeps other processes from opening to write, and says what to do', async () => {
    const folder = await closedProject();
    const own = await VizPrompt.open(folder, { lock: 'exclusive' });
    for (const lock of ['write', 'exclusive'] as const) {
      const opening = VizPrompt.open(folder, { lock });
      await expect(opening).rejects.toMatchObject({
        code: 'locked',
        context: { pid: process.pid },
      });
      await expect(opening).rejects.toThrow(`process ${process.pid}`);
      await expect(opening).rejects.toThrow("open it here with lock: 'read-only'");
    }
    await using reader = await VizPrompt.open(folder, { lock: 'read-only' });
    expect((await reader.getFlow()).nodes).toHaveLength(2);

    await Promise.all(['一', '二', '三'].map((prompt) => own.createNode({ prompt })));
    await own.structure.prune((await own.getFlow()).head ?? '');
    expect((await own.getFlow()).nodes).toHaveLength(4);
    await own.close();
    await using next = await VizPrompt.open(folder, { lock: 'exclusive' });
    expect((await next.getFlow()).nodes).toHaveLength(4);
  });

  it('waits for a pending write, and keeps those out that had it open before', async () => {
    const { vizprompt, folder } = await testProject({ lockTimeoutMs: 100 });
    await vizprompt.createNode({ prompt: 'x' });
    const own = await VizPrompt.open(folder, { lock: 'exclusive' });
    const writing = vizprompt.createNode({ prompt: 'y' });
    await expect(writing).rejects.toMatchObject({ code: 'locked' });
    await expect(writing).rejects.toThrow('has had the project to itself since');
    await own.close();
    await vizprompt.createNode({ prompt: 'y' });
  });

  it('is free as soon as its holder dies', async () => {
    const folder = await temporaryFolder();
    const path = fileURLToPath(new URL('../children/hold-project.mjs', import.meta.url));
    const child = fork(path, [folder], { execArgv: [] });
    await once(child, 'message');
    await expect(VizPrompt.open(folder)).rejects.toMatchObject({ context: { pid: child.pid } });
    const exit = once(child, 'exit');
    child.kill('SIGKILL');
    await exit;
    await using vizprompt = await VizPrompt.open(folder);
    await vizprompt.createNode({ prompt: '自由' });
    await using again = await VizPrompt.open(folder);
    expect((await again.getFlow()).nodes).toHaveLength(1);
  });

  it('refuses a mode that it does not know', async () => {
    const options = { lock: 'shared' as 'write' };
    const opening = VizPrompt.open(await temporaryFolder(), options);
    await expect(opening).rejects.toMatchObject({ code: 'invalid-input' });
  });
});

describe("lock: 'read-only'", () => {
  it('writes nothing, whatever is asked of it', async () => {
    const folder = await closedProject();
    const before = contents(folder);
    const vizprompt = await VizPrompt.open(folder, { lock: 'read-only' });
    const { nodes, id } = await vizprompt.getFlow();
    const node = nodes[0]?.id ?? '';
    const data = Buffer.from('png');
    const writes: (() => Promise<unknown>)[] = [
      () => vizprompt.createNode({ prompt: 'x', attachments: [{ data, mediaType: 'image/png' }] }),
      () => vizprompt.updateNode(node, { prompt: 'x' }),
      () => vizprompt.deleteNode(node),
      () => vizprompt.createFlow({ name: 'x' }),
      () => vizprompt.updateFlow(id, { name: 'x' }),
      () => vizprompt.deleteFlow(id),
      () => vizprompt.rebuildFlow(id, [node]),
      () => vizprompt.build({ model: null }),
      () => vizprompt.structure.prune(node),
      () => vizprompt.structure.copySubtree(node),
      () => vizprompt.structure.mergeByContent(node, node, { accept: () => true }),
      () => vizprompt.structure.undo(),
      () => vizprompt.structure.forget(),
    ];
    for (const write of writes) {
      const writing = write();
      await expect(writing).rejects.toMatchObject({ code: 'read-only' });
      await expect(writing).rejects.toThrow("lock: 'read-only'");
    }
    expect((await vizprompt.searchNodes({ text: '質問' })).length).toBe(2);
    expect((await vizprompt.structure.prune(node, { dryRun: true })).removed).toHaveLength(2);
    expect(await vizprompt.refresh()).toEqual({ read: 0, removed: 0 });
    expect(await vizprompt.problems()).toEqual([]);
    expect(await vizprompt.check()).toMatchObject({ findings: [], isHealthy: true, nodes: 2 });
    await vizprompt.close();
    expect(contents(folder)).toEqual(before);
  });

  it('reads what others write meanwhile, and leaves maps alone that are wrong', async () => {
    const { vizprompt, folder, read, write } = await testProject();
    await vizprompt.createNode({ prompt: '先' });
    await using reader = await VizPrompt.open(folder, { lock: 'read-only' });
    await vizprompt.createNode({ prompt: '後' });
    await reader.refresh();
    expect((await reader.getFlow()).nodes).toHaveLength(2);
    await vizprompt.close();
    await write('metadata/node_map.tsv', 'wrong');
    await reader.refresh();
    await using another = await VizPrompt.open(folder, { lock: 'read-only' });
    expect((await another.getFlow()).nodes).toHaveLength(2);
    expect(await read('metadata/node_map.tsv')).toBe('wrong');
  });

  it('works in a folder that cannot be written', async () => {
    const folder = await closedProject();
    const before = contents(folder);
    const folders = readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map((entry) => join(entry.parentPath, entry.name));
    for (const path of [folder, ...folders]) chmodSync(path, 0o555);
    // Root writes anywhere.
    const isRoot = process.getuid?.() === 0;
    const options: ForkOptions = { execArgv: [], ...(isRoot ? { uid: 65534, gid: 65534 } : {}) };
    const path = fileURLToPath(new URL('../children/read-project.mjs', import.meta.url));
    const child = fork(path, [folder], options);
    const [message]: unknown[] = await Promise.race([once(child, 'message'), once(child, 'exit')]);
    for (const each of [folder, ...folders]) chmodSync(each, 0o755);
    expect(message).toEqual({ canWrite: false, nodes: 2, hits: 2, code: 'read-only' });
    expect(Object.keys(contents(folder))).toEqual(Object.keys(before));
  });

  it('makes no project where there is none', async () => {
    const folder = await temporaryFolder();
    const opening = VizPrompt.open(folder, { lock: 'read-only' });
    await expect(opening).rejects.toMatchObject({
      code: 'project-not-found',
      message: expect.stringContaining("open it without lock: 'read-only' to make one"),
    });
    expect(readdirSync(folder)).toEqual([]);
    const storage = await inMemoryStorage();
    const inStorage = VizPrompt.open({ storage, lock: 'read-only' });
    await expect(inStorage).rejects.toMatchObject({ code: 'project-not-found' });
    await storage.close();
  });

  it('shows a storage that is open to write elsewhere', async () => {
    await using storage = await inMemoryStorage();
    await using vizprompt = await VizPrompt.open({ storage });
    const node = await vizprompt.createNode({ prompt: 'メモリ' });
    await using reader = await VizPrompt.open({ storage, lock: 'read-only' });
    expect((await reader.getNode(node.id)).prompt).toBe('メモリ');
    await expect(reader.deleteNode(node.id)).rejects.toMatchObject({ code: 'read-only' });
  });

  it('sees batches that are durable, even if their writer died', async () => {
    const folder = await temporaryFolder();
    const acknowledged: string[] = [];
    const child = startWriter([folder, '書き手'], ({ node }) => {
      if (node) acknowledged.push(node);
    });
    while (acknowledged.length < 8) await once(child, 'message');
    child.kill('SIGKILL');
    await once(child, 'exit');
    const before = contents(folder);
    await using reader = await VizPrompt.open(folder, { lock: 'read-only' });
    expect(await reader.problems()).toEqual([]);
    expect((await reader.getNode(acknowledged[0] ?? '')).id).toBe(acknowledged[0]);
    expect(contents(folder)).toEqual(before);
    await using storage = await openStorage(folder, { readOnly: true });
    await expect(storage.files.write('a.txt', 'x')).rejects.toMatchObject({ code: 'unsupported' });
  });
});
