import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import zlib from 'node:zlib';
import { afterEach, expect, it } from 'vitest';
import type { ImportProgress } from '../../../src/capture/import/import-options.ts';
import { ClaudeLog } from '../../support/capture/claude-log.ts';
import { newFolder, openMemory } from '../../support/capture/open-memory.ts';

// Older versions of Node.js have no such function.
const original: unknown = Reflect.get(zlib, 'zstdDecompress');
type Done = (error: null, bytes: Uint8Array) => void;

function unpackWith(unpack: (done: Done) => void): void {
  Reflect.set(zlib, 'zstdDecompress', (_: unknown, __: unknown, done: Done) => unpack(done));
}

afterEach(() => {
  if (original === undefined) Reflect.deleteProperty(zlib, 'zstdDecompress');
  else Reflect.set(zlib, 'zstdDecompress', original);
});

async function packed(): Promise<string> {
  const path = join(await newFolder(), 'session.jsonl.zst');
  await writeFile(path, 'x'.repeat(100));
  return path;
}

it('progress counts the bytes of a compressed file', async () => {
  const log = new ClaudeLog('packed');
  for (let at = 0; at < 40; at++) log.user(`ask ${at} ${'x'.repeat(30_000)}`);
  unpackWith((done) => done(null, Buffer.from(log.toString())));
  const seen: ImportProgress[] = [];
  const onProgress = (progress: ImportProgress): void => void seen.push(progress);
  const report = await (await openMemory()).importTranscript(await packed(), { onProgress });
  expect(report).toMatchObject({ added: 40, bytes: 100 });
  expect(seen.length).toBeGreaterThan(0);
  expect(seen.every(({ bytes, totalBytes }) => bytes <= totalBytes)).toBe(true);
});

it.each([
  ['a byte order mark', '\uFEFF', 'utf8'],
  ['UTF-16', '\uFEFF', 'utf16le'],
  ['bytes that are not UTF-8', 'caf\u00e9 \u00e9 \u00e9\n', 'latin1'],
] as const)('a last line that was cut is not read: %s', async (_name, head, encoding) => {
  const log = head + new ClaudeLog('torn').user('one').text('two').toString();
  const bytes = Buffer.from(`${log}{"type":"user","uuid":"torn`, encoding);
  unpackWith((done) => done(null, bytes));
  const path = await packed();
  const report = await (await openMemory()).importTranscript(path);
  const offset = Buffer.byteLength(log, encoding);
  const line = log.split('\n').length;
  expect(report).toMatchObject({ added: 2, torn: [{ file: path, line, offset }] });
});

it('an import can be stopped while a file is decompressed', async () => {
  const stop = new AbortController();
  unpackWith(() => stop.abort(new Error('enough')));
  const store = await openMemory();
  const done = store.importTranscript(await packed(), { signal: stop.signal });
  await expect(done).rejects.toThrow('enough');
});
