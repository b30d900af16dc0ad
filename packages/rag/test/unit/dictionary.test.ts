import { copyFile, mkdtemp, readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, inject, onTestFinished, test, vi } from 'vitest';
import { Compounds } from '../../src/analyze/compound-words.ts';
import { openDictionary } from '../../src/dictionary/open-dictionary.ts';
import {
  defaultCacheFolder,
  DICTIONARY_FORM,
  readDictionary,
  writeDictionary,
} from '../../src/dictionary/dictionary-file.ts';

let folder: string;
let compiled: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'vizprompt-dictionary-'));
  const [file = ''] = await readdir(inject('dictionaryFolder'));
  compiled = join(inject('dictionaryFolder'), file);
});
afterEach(() => rm(folder, { recursive: true, force: true }));

describe('a compiled dictionary', () => {
  test('takes less than 14 MB', async () => {
    expect((await readFile(compiled)).length).toBeLessThan(14_000_000);
  });

  test('knows the readings of words, basic forms and other spellings', async () => {
    const { dictionary } = await openDictionary({ dictionary: compiled });
    expect(dictionary.readingsOf('今日')).toEqual(['キョウ', 'コンニチ']);
    expect(dictionary.readingsOf('辛い').toSorted()).toEqual(['カライ', 'ツライ']);
    expect(dictionary.readingsOf('今日は晴れ')).toEqual([]);
    expect(dictionary.readingsOf('')).toEqual([]);
    const [entry] = dictionary.entriesOf('走っ');
    expect(dictionary.basicOf(entry, '走っ')).toBe('走る');
    expect(dictionary.standardSpelling('行なう')).toBe(dictionary.standardSpelling('行う'));
    // 上る is read ノボル as well.
    expect(dictionary.standardSpelling('上る')).toBe('上る');
  });

  test('finds words of two kanji by both as by the first', async () => {
    const { dictionary } = await openDictionary({ dictionary: compiled });
    for (const first of '逃合差人日生々手取') {
      const all = [...dictionary.compoundsOf(first)];
      const seconds = new Set(
        all.map(({ word }) => word.replaceAll(/[\u3041-\u3096]/g, '').slice(1)),
      );
      const pairs = [...seconds].flatMap((second) => [...dictionary.compoundsOf(first, second)]);
      const words = (compounds: typeof all): string[] =>
        compounds.map(({ word, reading, pos }) => `${word} ${reading} ${pos}`).toSorted();
      expect(words(pairs)).toEqual(words(all));
    }
    // No word begins with the first one, and one is the other.
    expect([...dictionary.compoundsOf('囧', '海')]).toEqual([]);
  });

  test('knows words of two kanji, not those of more or fewer', async () => {
    const { dictionary } = await openDictionary({ dictionary: compiled });
    const compounds = new Compounds(dictionary);
    const [known, readings] = [new Set<string>(), new Map<string, Set<string>>()];
    const firsts = Array.from('出見間日取戻立止守目覚頑役差逃合手上囧𠮟');
    for (const first of firsts) {
      const words = [...dictionary.compoundsOf(first)];
      for (const { word } of words) known.add(word.replaceAll(/[\u3041-\u3096]/g, ''));
      readings.set(first, new Set(words.map(({ reading }) => reading)));
    }
    const units = [...firsts, ...Array.from('来違本空方言続出度気物々え'), ''];
    const hits = new Set<boolean>();
    for (const first of firsts) {
      for (const second of units) {
        for (const third of units) {
          const kanji = first + second + third;
          const has = compounds.has(kanji, '');
          hits.add(has);
          expect([kanji, has]).toEqual([kanji, known.has(kanji)]);
        }
      }
      for (const reading of [
        'デカタ',
        'ミアゲ',
        'サシツカエ',
        'ニゲアシ',
        'トリヒキ',
        'ニホンゴ',
      ]) {
        expect(compounds.has(`${first}一二`, reading)).toBe(readings.get(first)?.has(reading));
      }
    }
    expect(hits).toEqual(new Set([true, false]));
    const asked = [
      '出来上',
      '見上空',
      '間違直',
      '日本語',
      '出来',
      '見上',
      '間違',
      '日本',
      '見',
      '',
    ];
    expect(asked.filter((kanji) => compounds.has(kanji, ''))).toEqual([
      '出来',
      '見上',
      '間違',
      '日本',
    ]);
  });
});

describe('the file of a dictionary', () => {
  const tables = { a: Uint8Array.of(1, 2, 3), b: Int16Array.of(-1, 5), c: Uint32Array.of(7e9) };

  test('gives back what was written', () => {
    const path = join(folder, 'deep', 'file.bin');
    writeDictionary(path, tables);
    const read = readDictionary(path);
    expect([...(read?.keys() ?? [])]).toEqual(['a', 'b', 'c']);
    expect(read?.get('b')).toEqual(Buffer.of(255, 255, 5, 0));
  });

  test.each([
    [
      'another format',
      async (path: string) => writeDictionary(path, tables, { ...DICTIONARY_FORM, version: 1 }),
    ],
    ['a torn end', (path: string) => truncate(path, 100)],
    ['no content', (path: string) => truncate(path, 0)],
    ['one bit that fell over', flipBit],
    ['something else', (path: string) => writeFile(path, 'x'.repeat(1000))],
  ])('is not used if it has %s', async (_, spoil) => {
    const path = join(folder, 'file.bin');
    writeDictionary(path, tables);
    await spoil(path);
    expect(readDictionary(path)).toBeUndefined();
  });

  test('leaves no temporary file behind if it cannot be written', async () => {
    const path = join(folder, 'taken');
    writeDictionary(join(path, 'inside'), tables);
    expect(() => writeDictionary(path, tables)).toThrow(/directory/i);
    expect(await readdir(folder)).toEqual(['taken']);
  });
});

describe('opening a dictionary', () => {
  test('says which file cannot be written', async () => {
    await writeFile(join(folder, 'file'), '');
    const dictionary = join(folder, 'file', 'below.bin');
    await expect(openDictionary({ dictionary })).rejects.toMatchObject({
      name: 'RagError',
      context: { path: dictionary },
    });
  });

  test('is not made in place of another file', async () => {
    const path = join(folder, 'notes.txt');
    await writeFile(path, 'notes of somebody');
    await expect(openDictionary({ dictionary: path })).rejects.toMatchObject({
      code: 'dictionary-failed',
      message: `${path} is there and is no dictionary: name another file, or delete it`,
    });
    expect(await readFile(path, 'utf8')).toBe('notes of somebody');
  });

  test('stops at a signal', async () => {
    const opening = openDictionary({ cacheFolder: folder, signal: AbortSignal.abort() });
    await expect(opening).rejects.toMatchObject({ name: 'AbortError' });
    expect(await readdir(folder)).toEqual([]);
  });
});

describe('the variable VIZPROMPT_DICTIONARY', () => {
  test('names the dictionary where no option does, and needs nothing else', async () => {
    vi.stubEnv('VIZPROMPT_DICTIONARY', compiled);
    onTestFinished(() => void vi.unstubAllEnvs());
    expect((await openDictionary()).path).toBe(compiled);
    const other = join(folder, 'other.bin');
    await copyFile(compiled, other);
    expect((await openDictionary({ dictionary: other })).path).toBe(other);
    const own = await openDictionary({ cacheFolder: inject('dictionaryFolder') });
    expect(own.path).toBe(compiled);
  });

  test('is named where its file is no dictionary', async () => {
    const path = join(folder, 'notes.txt');
    await writeFile(path, 'mine');
    vi.stubEnv('VIZPROMPT_DICTIONARY', path);
    onTestFinished(() => void vi.unstubAllEnvs());
    await expect(openDictionary()).rejects.toMatchObject({ code: 'dictionary-failed' });
    expect(await readFile(path, 'utf8')).toBe('mine');
  });
});

describe('the cache folder', () => {
  test.each([
    [{ XDG_CACHE_HOME: '/x' }, 'linux', join('/x', 'vizprompt')],
    [{ LOCALAPPDATA: '/local' }, 'win32', join('/local', 'vizprompt')],
    [{ XDG_CACHE_HOME: '' }, 'linux', join(homedir(), '.cache', 'vizprompt')],
    [{ LOCALAPPDATA: '/local' }, 'darwin', join(homedir(), '.cache', 'vizprompt')],
  ] as const)('with %o on %s is %s', (environment, platform, expected) => {
    expect(defaultCacheFolder(environment, platform)).toBe(expected);
  });
});

async function flipBit(path: string): Promise<void> {
  const bytes = await readFile(path);
  const middle = bytes.length >> 1;
  bytes[middle] = (bytes[middle] ?? 0) ^ 1;
  await writeFile(path, bytes);
}
