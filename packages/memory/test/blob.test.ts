import { randomBytes } from 'node:crypto';
import { expect, it } from 'vitest';
import { toBlob } from '../src/blob/blob.ts';

it('a text that is compressed several times at once leaves room for others', async () => {
  const text = randomBytes(100_000).toString('base64');
  const blobs = await Promise.all(Array.from({ length: 64 }, () => toBlob(text)));
  expect(new Set(blobs.map(({ hash }) => hash)).size).toBe(1);
  expect(await toBlob(text)).toBe(await toBlob(text));

  const other = `${text}.`;
  expect(await toBlob(other)).toBe(await toBlob(other));
});
