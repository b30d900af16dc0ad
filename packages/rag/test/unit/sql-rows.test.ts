import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  type NumberedText,
  readFirstForm,
  type StoredText,
  type StoredWord,
} from '../../src/sql/chunk-text.ts';
import { NumberTable } from '../../src/binary/packed-tables.ts';
import { blockCache, blocksByTerm, decodeBlocks, joinLists } from '../../src/sql/block-lists.ts';
import { IndexFacts } from '../../src/sql/index-facts.ts';
import { WordMarker } from '../../src/sql/sql-index.ts';
import { blocksOf } from '../../src/sql/posting-rows.ts';
import { BUNDLE_POSTINGS, BUNDLE_TERMS, eachOfBundle } from '../../src/sql/term-bundles.ts';
import {
  cutPacks,
  PACK_CHUNKS,
  packsOf,
  readPack,
  type ReadText,
  writePack as writeRow,
} from '../../src/sql/text-pack.ts';
import { writtenText } from '../../src/sql/word-records.ts';
import { decodePostings, encodePostings } from '../../../providers/src/postings/postings.ts';
import { writeFirstForm } from '../support/first-form.ts';

/** Strings of any UTF-16 code units. */
const anyText = fc.string({
  unit: fc.integer({ min: 0, max: 0xffff }).map((unit) => String.fromCharCode(unit)),
});

/** Replaces a table of terms. */
const ownNumber = (surface: string): number => 1 + surface.length * 7;

const stored: fc.Arbitrary<StoredText> = fc
  .record({
    title: anyText,
    content: fc.oneof(anyText, fc.constant('灯台の朝、灯台の夜。'.repeat(9))),
    tags: fc.array(anyText, { maxLength: 2 }),
    headingPath: fc.array(anyText, { maxLength: 2 }),
    overlap: fc.nat(9),
    ordinal: fc.nat(9),
  })
  .chain((fields) => {
    const term = fc.integer({ min: 1, max: 2 ** 31 - 1 });
    const place = fc.nat(fields.content.length);
    const word = fc
      .tuple(place, place, fc.array(term, { minLength: 1, maxLength: 3 }))
      .map(([a, b, terms]): StoredWord => {
        const at = { start: Math.min(a, b), end: Math.max(a, b) };
        const [first = 0] = terms;
        // The number of a term that is written as its word comes from its surface.
        const own = ownNumber(fields.content.slice(at.start, at.end));
        return first % 3 > 0 ? { ...at, terms } : { ...at, terms: [own], isOwnTerm: true };
      });
    return fc.record({
      fields: fc.constant(fields),
      // Words may overlap, and one surface may be of several terms.
      words: fc.array(word, { maxLength: 30 }),
      titles: fc.array(term, { maxLength: 4 }),
    });
  });

const writePack = (key: number, texts: readonly NumberedText[]): Uint8Array =>
  writeRow(key, texts.map(writtenText));

const plain = ({ fields, words, titles }: StoredText): StoredText => ({ fields, words, titles });

const plainOf = ({ chunk, text }: NumberedText): NumberedText => ({ chunk, text: plain(text) });

/** A query that asks for every third term. */
const isAsked = (number: number): boolean => number % 3 === 1;

/** Checks that words are found by their decoded form as by their terms. */
function expectMarked({ text, decoded }: ReadText): void {
  const { content } = text.fields;
  const surfaceOf = ({ start, end }: StoredWord): string => content.slice(start, end);
  // Surfaces of one length share a number here, and in an index none do: the table has one of them.
  const keys = new Map(text.words.map((word) => [ownNumber(surfaceOf(word)), surfaceOf(word)]));
  const numbers = new Set([...text.words.flatMap(({ terms }) => terms), ...keys.keys()]);
  const asked = new Map([...numbers].filter(isAsked).map((number) => [number, number % 5]));
  const marker = new WordMarker(new NumberTable(asked), { keyOf: (number) => keys.get(number) });
  const { places, groups } = marker.mark(content, decoded());
  expect(groups).toHaveLength(text.words.length);
  for (const [at, word] of text.words.entries()) {
    const { start, end, terms, isOwnTerm } = word;
    expect([places[at * 2], places[at * 2 + 1]]).toEqual([start, end]);
    if (isOwnTerm === true && keys.get(terms[0] ?? 0) !== surfaceOf(word)) continue;
    expect(groups[at]).toBe(asked.get(terms.find(isAsked) ?? -1) ?? -1);
  }
}

test('texts of neighbours are read from one row as they were written, and those that stay after some went', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(fc.integer({ min: 1, max: 5 }), stored), { minLength: 1, maxLength: 20 }),
      async (list) => {
        let chunk = 3;
        const texts = list.map(([gap, text]): NumberedText => ({ chunk: (chunk += gap), text }));
        for (const pack of cutPacks(texts)) {
          const key = pack[0]?.chunk ?? 0;
          const right = pack.map(plainOf);
          const read = readPack({ chunk: key, data: writePack(key, pack) }, ownNumber);
          expect(read.map(plainOf)).toEqual(right);
          for (const one of read) expectMarked(one);
          const last = new Set([pack.at(-1)?.chunk ?? 0]);
          const [found] = readPack({ chunk: key, data: writePack(key, pack) }, ownNumber, last);
          expect(found && plainOf(found)).toEqual(right.at(-1));
          const rest = readPack({ chunk: key, data: writePack(key, read.slice(1)) }, ownNumber);
          expect(rest.map(plainOf)).toEqual(right.slice(1));
          for (const one of pack) expect(packsOf([one.chunk])).toContain(key);
          expect(pack.length).toBeLessThanOrEqual(PACK_CHUNKS);
        }
      },
    ),
  );
});

test('a text of a row of the first form is read', () => {
  fc.assert(
    fc.property(stored, (text) => {
      const words = text.words.map(({ isOwnTerm: _, ...word }) => word);
      expect(readFirstForm(writeFirstForm(text))).toEqual({ ...text, words });
    }),
  );
});

test('rare terms share rows with their neighbours, and others have rows of their own', () => {
  const list = (term: number, count: number) => {
    const docs = Array.from({ length: count }, (_, at) => term + at * 3);
    return { term, docs, times: docs.map((doc) => 1 + (doc % 4)), count };
  };
  const [few, many] = [BUNDLE_POSTINGS, BUNDLE_POSTINGS + 1];
  const lists = [list(1, 2), list(2, many), list(3, few), list(BUNDLE_TERMS, 1)];
  const rows = blocksOf(lists).map(([term, first, n]) => ({ term, first, n }));
  expect(rows).toEqual([
    { term: 2, first: 2, n: many },
    { term: -1, first: 1, n: 2 + few },
    { term: -2, first: BUNDLE_TERMS, n: 1 },
  ]);
  const read = new Map<number, { docs: number[]; times: number[] }>();
  for (const [bundle, first, , data] of blocksOf(lists)) {
    if (bundle >= 0) continue;
    eachOfBundle(bundle, data, (term, bytes) => {
      const [docs, times] = [new Uint32Array(99), new Uint8Array(99)];
      const count = decodePostings(bytes, bytes.length, first, docs, times);
      read.set(term, {
        docs: Array.from(docs.slice(0, count)),
        times: Array.from(times.slice(0, count)),
      });
    });
  }
  for (const { term, docs, times, count } of lists) {
    expect(read.get(term)).toEqual(count > few ? undefined : { docs, times });
  }
});

test('eight neighbours take one row, and less than half of what each takes alone', async () => {
  const texts = Array.from({ length: 2 * PACK_CHUNKS }, (_, chunk): NumberedText => {
    const content = Array.from(
      { length: 9 },
      (__, at) => `灯台守は${chunk * 7 + at}番の船を見た。`,
    ).join('');
    const fields = {
      title: '灯台',
      content,
      tags: [],
      headingPath: ['灯台'],
      overlap: 0,
      ordinal: 0,
    };
    const words = Array.from(
      content.matchAll(/灯台守|船|見た/g),
      ({ 0: surface, index }): StoredWord => {
        const place = { start: index, end: index + surface.length };
        return surface === '見た'
          ? { ...place, terms: [70_000] }
          : { ...place, terms: [ownNumber(surface)], isOwnTerm: true };
      },
    );
    return { chunk, text: { fields, words, titles: [70_001] } };
  });
  expect(cutPacks(texts).map((pack) => pack.length)).toEqual([PACK_CHUNKS, PACK_CHUNKS]);
  const sizeOf = (lists: readonly (readonly NumberedText[])[]): number =>
    lists.reduce((sum, list) => sum + writePack(0, list).length, 0);
  const alone = sizeOf(texts.map((text) => [text]));
  const packed = sizeOf(cutPacks(texts));
  expect(packed).toBeLessThan(alone / 2);
});

test('a cache of texts holds their rows, up to its size in bytes', () => {
  const { texts } = new IndexFacts();
  for (let chunk = 0; chunk < 40; chunk++) {
    texts.set(chunk, { chunk, data: new Uint8Array(500_000) });
  }
  const held = Array.from(texts, ([, { data }]) => data.length).reduce((sum, size) => sum + size);
  expect([held > 7_000_000, held <= 8 * 2 ** 20]).toEqual([true, true]);
});

test('a cache of postings holds lists without the memory of their rows, up to its size in bytes', () => {
  const together = new Uint8Array(100_000).fill(7);
  const list = (term: number) => {
    const rows = [
      { term, first: 9, data: together.subarray(2000, 2500) },
      { term, first: 3, data: together.subarray(10, 1010) },
    ];
    const own = blocksByTerm(rows).get(term) ?? joinLists();
    return { ...own, revision: 1, nextChunk: 99 };
  };
  const cache = blockCache(9000);
  for (let term = 1; term <= 10; term++) {
    cache.set(term, list(term));
    cache.get(1);
  }
  expect(cache.get(1)).toEqual(list(1));
  expect([...cache].map(([term]) => term)).toEqual([8, 9, 10, 1]);
  expect(cache.get(1)?.data.buffer.byteLength).toBe(1500);
  // An empty list takes as much memory as its objects do.
  expect(blockCache(600).set(1, { ...joinLists(), revision: 1, nextChunk: 1 }).size).toBe(0);
  // A thousand small rows take little more than their bytes.
  const rows = Array.from({ length: 1000 }, (_, at) => {
    return { term: 1, first: at * 5, data: Uint8Array.of(0, 4) };
  });
  const small = { ...(blocksByTerm(rows).get(1) ?? joinLists()), revision: 1, nextChunk: 9999 };
  expect(blockCache(11_000).set(1, small).size).toBe(1);
});

test('postings of later rows come after those of rows before, in whatever order they are read', () => {
  const row = fc.array(fc.tuple(fc.integer({ min: 1, max: 300 }), fc.integer({ min: 1, max: 9 })), {
    minLength: 1,
    maxLength: 5,
  });
  fc.assert(
    fc.property(fc.array(row, { maxLength: 8 }), fc.nat(8), (list, cut) => {
      let doc = 0;
      const [docs, times]: [number[], number[]] = [[], []];
      const rows = list.map((gaps) => {
        const first = doc + 1;
        const own = gaps.map(([gap]) => (doc += gap));
        docs.push(...own);
        const many = gaps.map(([, count]) => count);
        times.push(...many);
        return { term: 7, first, data: encodePostings(first, own, many) };
      });
      const half = (some: typeof rows) => blocksByTerm(some.toReversed()).get(7);
      const joined = joinLists(half(rows.slice(0, cut)), half(rows.slice(cut)));
      const read = { docs: new Uint32Array(99), times: new Uint8Array(99) };
      const count = decodeBlocks(joined, 9999, read.docs, read.times);
      expect([...read.docs.subarray(0, count)]).toEqual(docs);
      expect([...read.times.subarray(0, count)]).toEqual(times);
    }),
  );
});
