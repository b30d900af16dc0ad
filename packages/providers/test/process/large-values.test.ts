import { expect, it } from 'vitest';
import { writeLargeFile } from '../support/large-file.ts';
import { onDisk, onPostgres } from '../support/subjects.ts';

// Larger ones, which take minutes, are in the soak tier.
it('writes and reads a large file in a folder', async () => {
  const { written, read } = await writeLargeFile(onDisk, 70_000_001);
  expect(read).toBe(written);
});

it('reads a file of PostgreSQL that comes in two pieces', async () => {
  const { storage, close } = await onPostgres();
  const bytes = Buffer.alloc(64 * 2 ** 20 + 1, 'データ');
  await storage.files.write('large.bin', bytes);
  const file = await storage.files.read('large.bin');
  expect(Buffer.compare(bytes, file?.data ?? new Uint8Array())).toBe(0);
  await close();
});
