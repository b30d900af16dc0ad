import { projectPatterns, SearchCache, searchKey } from '@vizprompt/rag';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../../../../providers/test/support/fuzz.ts';
import { compileKeyPattern } from '../../../src/cache/search-cache.ts';

describe('SearchCache', () => {
  it('keeps a value until its time is over', async () => {
    let now = 0;
    const cache = new SearchCache<string>({ ttl: 100, clock: () => new Date(now) });
    await cache.set('a', '灯台');
    await cache.set('b', '港', 50);
    now = 99;
    expect(await cache.get('a')).toBe('灯台');
    expect(await cache.get('b')).toBeNull();
    now = 100;
    expect(await cache.get('a')).toBeNull();
    expect(await cache.get('never set')).toBeNull();
  });

  it('drops what was not used longest, and what is over before that', async () => {
    let now = 0;
    const cache = new SearchCache<number>({ maxEntries: 2, clock: () => new Date(now) });
    await cache.set('a', 1);
    await cache.set('b', 2);
    await cache.get('a');
    await cache.set('c', 3);
    expect([await cache.get('a'), await cache.get('b'), await cache.get('c')]).toEqual([
      1,
      null,
      3,
    ]);
    await cache.set('c', 4, 10);
    now = 10;
    await cache.set('d', 5);
    expect([await cache.get('a'), await cache.get('c'), await cache.get('d')]).toEqual([
      1,
      null,
      5,
    ]);
  });

  it('keeps nothing with a bound of 0, and refuses numbers that make no sense', async () => {
    const cache = new SearchCache<number>({ maxEntries: 0 });
    await cache.set('a', 1);
    expect(await cache.get('a')).toBeNull();
    expect(() => new SearchCache({ ttl: Number.NaN })).toThrow(/ttl: expected a number/u);
    await expect(cache.set('a', 1, -1)).rejects.toMatchObject({ code: 'invalid-input' });
  });

  it('makes a value once, and does not keep one that an update overtook', async () => {
    const cache = new SearchCache<number>();
    let made = 0;
    const make = async (): Promise<number> => (made += 1);
    expect([await cache.remember('a', make), await cache.remember('a', make)]).toEqual([1, 1]);

    const overtaken = cache.remember('b', async () => {
      await cache.invalidate('b');
      return make();
    });
    expect(await overtaken).toBe(2);
    expect(await cache.get('b')).toBeNull();
  });
});

describe('searchKey', () => {
  const keys = {
    one: searchKey(['灯台'], '嵐'),
    two: searchKey(['灯台', '港|町*'], '嵐'),
    longer: searchKey(['大灯台'], '嵐'),
    all: searchKey(undefined, '嵐'),
    other: searchKey(['港|町*'], '|灯台|'),
    percent: searchKey(['%'], '嵐'),
  };

  it.each<[string, readonly string[]]>([
    ['灯台', ['longer', 'other', 'percent']],
    ['港|町*', ['one', 'longer', 'percent']],
    ['%', ['one', 'two', 'longer', 'other']],
  ])(
    'lets the entries of %s be invalidated, and those over all projects',
    async (project, left) => {
      const cache = new SearchCache<string>();
      for (const [name, key] of Object.entries(keys)) await cache.set(key, name);
      for (const pattern of projectPatterns(project)) await cache.invalidate(pattern);
      const found = await Promise.all(Object.values(keys).map((key) => cache.get(key)));
      expect(found.filter((name) => name !== null)).toEqual(left);
    },
  );

  it('is the same for the same question, and another for another', () => {
    const key = searchKey(['a', 'b'], '嵐', { filter: { files: ['x', 'y'] }, offset: 0 });
    expect(searchKey(['b', 'a', 'b'], '嵐', { filter: { files: ['y', 'x'], tags: [] } })).toBe(key);
    const others = [
      searchKey(['a', 'b'], '嵐'),
      searchKey(['a', 'b'], '嵐', { filter: { files: [] } }),
      searchKey(['a', 'b'], '嵐', { k: 3 }),
      searchKey(['a', 'b'], '嵐', { offset: 10 }),
      searchKey(['a', 'b'], '嵐', { explain: true }),
      searchKey(['a', 'b'], '嵐', { expand: {} }),
      searchKey(['a', 'b'], '嵐', { expand: { before: 1 } }),
      searchKey(['a', 'b'], '嵐', { expand: { after: 1 } }),
      searchKey(['a', 'b'], '嵐', { filter: { tags: ['x'] } }),
      searchKey(['a,b'], '嵐'),
    ];
    expect(new Set([...others, key]).size).toBe(others.length + 1);
    const alone = { expand: { before: 0 } };
    expect(searchKey(['a', 'b'], '嵐', alone)).toBe(searchKey(['a', 'b'], '嵐', { expand: {} }));
  });
});

describe('patterns of keys', () => {
  it('mean what the same regular expression means', () => {
    const text = fc.array(fc.constantFrom('a', 'b', '.', '|', '海'), { maxLength: 8 });
    const pattern = fc.array(fc.constantFrom('a', 'b', '.', '|', '*'), { maxLength: 6 });
    fc.assert(
      fc.property(pattern, text, (parts, characters) => {
        const source = parts.map((part) => (part === '*' ? '.*' : part.replace(/[.|]/u, '\\$&')));
        const key = characters.join('');
        const expected = new RegExp(`^${source.join('')}$`, 'u').test(key);
        expect(compileKeyPattern(parts.join(''))(key)).toBe(expected);
      }),
      { numRuns: runs(1000) },
    );
  });
});
