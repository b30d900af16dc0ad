import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import type { ImportProgress } from '../../../src/capture/import/import-options.ts';
import { ClaudeLog } from '../../support/capture/claude-log.ts';
import { newFolder, openMemory } from '../../support/capture/open-memory.ts';

/** The content of every file; without it, unpacking does not end. */
const state = vi.hoisted((): { unpacked?: Uint8Array; onStart?: () => void } => ({}));

// Older versions of Node.js have no such function.
vi.mock(import('node:zlib'), async (original) => ({
  ...(await original()),
  zstdDecompress: (_: unknown, __: unknown, done: (error: null, bytes: Uint8Array) => void) => {
    state.onStart?.();
    if (state.unpacked) done(null, state.unpacked);
  },
}));

async function packed(): Promise<string> {
  const path = join(await newFolder(), 'session.jsonl.zst');
  await writeFile(path, 'x'.repeat(100));
  return path;
}

it('progress counts the bytes of a compressed file', async () => {
  const log = new ClaudeLog('packed');
  for (let at = 0; at < 40; at++) log.user(`ask ${at} ${'x'.repeat(30_000)}`);
  state.unpacked = Buffer.from(log.toString());
  const seen: ImportProgress[] = [];
  const onProgress = (progress: ImportProgress): void => void seen.push(progress);
  const report = await (await openMemory()).importTranscript(await packed(), { onProgress });
  expect(report).toMatchObject({ added: 40, bytes: 100 });
  expect(seen.length).toBeGreaterThan(0);
  expect(seen.every(({ bytes, totalBytes }) => bytes <= totalBytes)).toBe(true);
});

it('an import can be stopped while a file is decompressed', async () => {
  delete state.unpacked;
  const stop = new AbortController();
  state.onStart = () => stop.abort(new Error('enough'));
  const store = await openMemory();
  const done = store.importTranscript(await packed(), { signal: stop.signal });
  await expect(done).rejects.toThrow('enough');
});
