import { copyFile, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, inject, test } from 'vitest';
import { openDictionary } from '../../../src/dictionary/open-dictionary.ts';
import { temporaryFolder } from '../../support/search-index.ts';

test('a damaged dictionary is compiled again, and reports how far it is', async () => {
  const cacheFolder = inject('dictionaryFolder');
  const [file = ''] = await readdir(cacheFolder);
  const compiled = await readFile(join(cacheFolder, file));
  const dictionary = join(temporaryFolder(), 'damaged.bin');
  await copyFile(join(cacheFolder, file), dictionary);
  const damaged = Buffer.from(compiled);
  const middle = damaged.length >> 1;
  damaged[middle] = (damaged[middle] ?? 0) ^ 1;
  await writeFile(dictionary, damaged);
  const shares: number[] = [];
  await openDictionary({ dictionary, onProgress: (share) => shares.push(share) });
  expect(shares[0]).toBe(0);
  expect(shares.at(-1)).toBe(1);
  expect(shares).toEqual(shares.toSorted((a, b) => a - b));
  expect((await readFile(dictionary)).equals(compiled)).toBe(true);
});

test('a compilation fails with what its listener throws, and leaves no file', async () => {
  const cacheFolder = temporaryFolder();
  const broken = new Error('the bar broke');
  const onProgress = (share: number): void => {
    if (share > 0) throw broken;
  };
  await expect(openDictionary({ cacheFolder, onProgress })).rejects.toBe(broken);
  expect(await readdir(cacheFolder)).toEqual([]);
});
