import { createHash, randomBytes } from 'node:crypto';
import { expect } from 'vitest';
import type { inMemory } from './subjects.ts';

/** Bytes that differ in every part of the file. */
function largeBytes(length: number): Uint8Array {
  const bytes = Buffer.alloc(length, randomBytes(1021));
  for (let at = 0; at < length; at += 1 << 20) bytes.writeUInt8((at >> 20) % 251, at);
  return bytes;
}

function digest(bytes: Uint8Array | undefined): string {
  return createHash('sha256')
    .update(bytes ?? '')
    .digest('hex');
}

/** Writes a file of the given size in bytes, reads it, and appends to it. Returns the digests. */
export async function writeLargeFile(
  open: typeof inMemory,
  length: number,
): Promise<{ readonly written: string; readonly read: string }> {
  const { storage, close } = await open();
  const bytes = largeBytes(length);
  await storage.files.write('large.bin', bytes);
  const file = await storage.files.read('large.bin');
  const digests = { written: digest(bytes), read: digest(file?.data) };
  await storage.files.append('large.bin', Uint8Array.of(1, 2, 3));
  const longer = await storage.files.read('large.bin');
  expect(longer?.data.length).toBe(length + 3);
  expect(digest(longer?.data.subarray(0, length))).toBe(digest(bytes));
  await expect(storage.files.read('large.bin', { maxBytes: 1000 })).rejects.toMatchObject({
    code: 'too-large',
  });
  await close();
  return digests;
}
