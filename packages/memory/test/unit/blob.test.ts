import { randomBytes } from 'node:crypto';
import { expect, it } from 'vitest';
import { textOfBlob, toBlob as blobOf, type Blob } from '../../src/store/blobs.ts';
import { contentOf } from '../../src/store/blobs.ts';

const toBlob = (text: string): Promise<Blob> => blobOf(contentOf(text));

it('a text that is compressed several times at once leaves room for others', async () => {
  const text = randomBytes(100_000).toString('base64');
  const blobs = await Promise.all(Array.from({ length: 64 }, () => toBlob(text)));
  expect(new Set(blobs.map(({ hash }) => hash)).size).toBe(1);
  expect(await toBlob(text)).toBe(await toBlob(text));

  const other = `${text}.`;
  expect(await toBlob(other)).toBe(await toBlob(other));
});

it('a stored text stays what it was when others come behind it', async () => {
  const texts = [
    'short',
    '認証 🐈',
    String.fromCharCode(...randomBytes(130).map((byte) => 33 + (byte % 94))),
    '認証トークン'.repeat(900),
    'a\n'.repeat(30_000),
    randomBytes(80_000).toString('base64'),
  ];
  const blobs: Blob[] = [];
  for (const text of texts) blobs.push(await toBlob(text));
  const sideBySide = await Promise.all(texts.map((text) => toBlob(`${text}.`)));
  expect(blobs.map(textOfBlob)).toEqual(texts);
  expect(sideBySide.map(textOfBlob)).toEqual(texts.map((text) => `${text}.`));
  expect(blobs.filter(({ encoding }) => encoding === 'raw')).toHaveLength(3);
});
