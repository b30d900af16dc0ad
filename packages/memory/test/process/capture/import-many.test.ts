import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { MemoryStore, type MemoryEvent } from '../../../src/index.ts';
import { ClaudeLog } from '../../support/capture/claude-log.ts';
import { allEvents, newFolder, openMemory, put } from '../../support/capture/open-memory.ts';

const TURNS = 25;

/** More logs than are read before the first of them is written. */
const MANY = 40;

/** Logs of more than four megabytes in all. */
let logs: string;
beforeAll(async () => {
  logs = await mkdtemp(join(tmpdir(), 'memory-capture-'));
  await writeLogs(logs, { files: MANY, turns: 9 });
});
afterAll(() => rm(logs, { recursive: true, force: true }));

/** Logs with all that can go wrong in them. */
async function writeLogs(
  folder: string,
  { files, turns }: { readonly files: number; readonly turns: number },
): Promise<string> {
  for (let number = 0; number < files; number++) {
    const log = new ClaudeLog(`thread ${number}`);
    let text = `export const 値 = ${number};\n${`const a = 1; // 認証 🛒 ${'x'.repeat(150)}\n`.repeat(40)}`;
    for (let turn = 0; turn < turns; turn++) {
      const path = `/home/ann/shop/${turn % 3}.ts`;
      const [old = ''] = text.split('\n');
      const next = `export const 値 = ${number + turn}; // TICKET-${turn}`;
      log.user(`turn ${turn}: key: ghp_0123456789abcdef0123456789abcdef0123`);
      log.text(`答え ${turn} ${'語'.repeat(turn)}`);
      log.call(`toolu_b${number}_${turn}`, 'Bash', { command: 'npm test' });
      log.result(`toolu_b${number}_${turn}`, {
        stdout: `\ud800 ${'ok'.repeat(3000)}`,
        stderr: '',
      });
      log.call(`toolu_e${number}_${turn}`, 'Edit', {
        file_path: path,
        old_string: old,
        new_string: next,
      });
      log.result(`toolu_e${number}_${turn}`, {
        filePath: path,
        oldString: old,
        newString: next,
        originalFile: text,
        replaceAll: false,
      });
      text = text.replace(old, () => next);
    }
    if (turns === 40) log.user('x'.repeat(150_000));
    // The next file begins as this one does, as that of a session that was resumed.
    const lines = `${log.toString()}{"type":"user","broken\n${log.lines.slice(0, 9).join('\n')}`;
    await put(folder, `${number}.jsonl`, `${lines}\n{"type":"user","uuid":"torn`);
  }
  await put(folder, 'notes.json', JSON.stringify({ something: 'else' }));
  return folder;
}

describe('a large import', () => {
  it('reports what is truncated, broken or no transcript', async () => {
    const large = await writeLogs(await newFolder(), { files: 6, turns: 40 });
    const store = await openMemory({ maxContentBytes: 100_000 });
    expect(await store.importTranscript(large, { closed: true })).toMatchObject({
      files: 6,
      skippedFiles: [{}],
      torn: [{ line: 252 }, {}, {}, {}, {}, {}],
      broken: [{ line: 242 }, {}, {}, {}, {}, {}],
      refused: [],
    });
    expect(await store.check()).toMatchObject({ isOk: true });
  });

  it('lets timers fire while it reads and writes', async () => {
    const store = await openMemory();
    let fired = 0;
    const timer = setInterval(() => void fired++, 1);
    onTestFinished(() => clearInterval(timer));
    await store.importTranscript(logs);
    expect(fired).toBeGreaterThan(10);
  });

  it('stops when it is cancelled, and the store stays whole', async () => {
    const store = await openMemory();
    const controller = new AbortController();
    const importing = store.importTranscript(logs, {
      signal: controller.signal,
      onProgress: ({ events }) => events > 0 && controller.abort(new Error('enough')),
    });
    await expect(importing).rejects.toThrow('enough');
    const { events: stored } = await store.stats();
    expect(stored).toBeGreaterThan(0);
    const { added } = await store.importTranscript(logs);
    expect((await store.stats()).events).toBe(stored + added);
  });

  it('is refused by a store that is closed meanwhile', async () => {
    const path = join(await newFolder(), 'memory.db');
    const store = await MemoryStore.open({ path });
    const importing = store.importTranscript(logs, {
      onProgress: ({ events }) => events > 0 && void store.close(),
    });
    await expect(importing).rejects.toMatchObject({ code: 'closed' });
    const again = await openMemory({ path });
    const { events: stored } = await again.stats();
    expect(stored).toBeGreaterThan(0);
    expect((await again.importTranscript(logs)).added).toBeGreaterThan(0);
    expect(await again.check()).toMatchObject({ isOk: true });
  });

  it('writes everything before a file that cannot be read', async () => {
    const folder = await newFolder();
    await cp(logs, folder, { recursive: true });
    const store = await openMemory();
    const files: string[] = [];
    const importing = store.importTranscript(folder, {
      onProgress: ({ file }) => {
        files.push(file);
        if (files.length === 1) void rm(join(folder, '9.jsonl'));
      },
    });
    await expect(importing).rejects.toMatchObject({ code: 'ENOENT' });
    expect(files.at(-1)).toBe(join(folder, '8.jsonl'));
  });

  it('adds each event once where two import the same at the same time', async () => {
    const path = join(await newFolder(), 'memory.db');
    const stores = [await openMemory({ path }), await openMemory({ path })];
    const reports = await Promise.all(
      stores.map((store) => store.importTranscript(logs, { closed: true })),
    );
    const { added: all } = await (await openMemory()).importTranscript(logs, { closed: true });
    expect(reports[0]!.added + reports[1]!.added).toBe(all);
    expect(Math.min(...reports.map(({ skipped }) => skipped))).toBeGreaterThan(0);
    expect(await stores[0]!.check()).toMatchObject({ isOk: true });
  });

  it('takes up logs that begin as others do, with edits whose texts are unknown', async () => {
    const folder = await newFolder();
    const resumed = Array.from({ length: MANY }, (_, at) => new ClaudeLog(`resumed ${at}`));
    for (const [number, log] of resumed.entries()) {
      log.call(`toolu_${number}`, 'Edit', { file_path: 'a.ts', old_string: 'a', new_string: 'b' });
      log.result(`toolu_${number}`, { filePath: 'a.ts', oldString: 'a', newString: 'b' });
      for (let turn = 0; turn < TURNS; turn++) log.user(`${number} ${turn} ${'語'.repeat(800)}`);
      const copied = resumed[number - 2]?.lines.slice(0, 2) ?? [];
      await put(folder, `${10 + number}.jsonl`, `${[...copied, ...log.lines].join('\n')}\n`);
    }
    const store = await openMemory();
    const start = store.startSession.bind(store);
    // So that events are written while others are chosen.
    store.startSession = async (options) => {
      for (let round = 0; round < 100; round++) await nextTurn();
      return start(options);
    };
    const { added } = await store.importTranscript(folder, { closed: true });
    // Each edit gives the intention, the edit, and the call with its input.
    expect(added).toBe(MANY * (TURNS + 3));
    expect(await store.check()).toMatchObject({ isOk: true });
    expect(await store.importTranscript(folder, { closed: true })).toMatchObject({ added: 0 });
  });

  it('reports how far it has come where all is there already', async () => {
    const store = await openMemory();
    await store.importTranscript(logs);
    const told: number[] = [];
    const { bytes, added } = await store.importTranscript(logs, {
      onProgress: (progress) => void told.push(progress.bytes),
    });
    expect(added).toBe(0);
    expect(told[0]).toBeLessThan(bytes / 2);
    expect(told.at(-1)).toBe(bytes);
  });

  it('emits the events as they are stored', async () => {
    const store = await openMemory();
    const told = new Map<string, MemoryEvent[]>();
    store.on('event:logged', ({ event }) => {
      told.set(event.session_id, [...(told.get(event.session_id) ?? []), event]);
    });
    await store.importTranscript(logs);
    expect(told).toEqual(await allEvents(store));
  });
});
