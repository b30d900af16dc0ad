import { expect, it } from 'vitest';
import { writeLargeFile } from '../support/large-file.ts';
import { onDisk, onPostgres } from '../support/subjects.ts';

// Larger ones, which take minutes, are in the soak tier.
it.each([
  ['PostgreSQL', onPostgres, 70_000_001],
  ['a folder', onDisk, 70_000_001],
])('writes and reads a large file in %s', async (_, open, length) => {
  const { written, read } = await writeLargeFile(open, length);
  expect(read).toBe(written);
});
