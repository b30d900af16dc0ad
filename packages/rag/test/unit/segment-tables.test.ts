import { deflateRawSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { anyString, runs } from '../../../providers/test/support/fuzz.ts';
import {
  eachPairKey,
  FREQUENT,
  frequentPlace,
  hasOwnList,
  quadrupleCode,
  tripleCode,
} from '../../src/segment/format/bigrams.ts';
import { ByteWriter, decodeGaps, encodeGaps } from '../../src/binary/section-file.ts';
import { AscendingNumbers, PackedNumbers, StringTable } from '../../src/binary/packed-tables.ts';
import {
  DOC_COLUMN_COUNT,
  DOC_COLUMNS,
  DocTable,
  ELSEWHERE,
  formLength,
  readForms,
  writeForm,
  MOST_INFLATED,
  readRecords,
  RECORD_COLUMN_COUNT,
  writeRecords,
} from '../../src/segment/format/index-layout.ts';
import {
  byUnits,
  eachReading,
  FormTerms,
  PartLists,
  ReadingTable,
  writePartLists,
  writeReadings,
} from '../../src/segment/format/lexicon.ts';

const number = fc.oneof(
  fc.integer({ min: 0, max: 300 }),
  fc.integer({ min: 0, max: 70_000 }),
  fc.integer({ min: 0, max: 2 ** 32 - 1 }),
);
const numbers = fc.array(number, { maxLength: 200 });
const word = fc
  .array(
    fc.constantFrom(...Array.from('日本語時代江戸の国アメリカー人a\ud83d\udc08\u0001\u0000')),
    {
      maxLength: 6,
    },
  )
  .map((units) => units.join(''));
const words = fc.uniqueArray(word, { maxLength: 300 }).map((list) => list.toSorted(byUnits));

/** Reads a piece of the bytes of a section. */
function piecesOf(bytes: Uint8Array): (start: number, length: number) => Uint8Array {
  return (start, length) => bytes.slice(start, start + length);
}

describe('tables of a segment', () => {
  it('give back ascending numbers', () => {
    fc.assert(
      fc.property(numbers, (list) => {
        const sorted = list.toSorted((a, b) => a - b);
        const table = new AscendingNumbers(AscendingNumbers.write(sorted));
        expect(sorted.map((_, at) => table.at(at))).toEqual(sorted);
        expect([table.length, table.at(sorted.length)]).toEqual([sorted.length, 0]);
      }),
      { numRuns: runs(200) },
    );
  });

  it('give back numbers in any order', () => {
    fc.assert(
      fc.property(numbers, (list) => {
        const table = new PackedNumbers(PackedNumbers.write(list));
        expect(list.map((_, at) => table.at(at))).toEqual(list);
        expect(table.at(list.length)).toBe(0);
      }),
      { numRuns: runs(200) },
    );
  });

  it('give back strings, and find them and what is not there', () => {
    fc.assert(
      fc.property(words, word, (list, other) => {
        const table = StringTable.read(new Uint8Array(StringTable.write(list)));
        expect(list.map((_, at) => table.get(at))).toEqual(list);
        for (const text of [...list, other, `${other}本`, '']) {
          expect(table.find(text)).toBe(list.indexOf(text));
          const place = list.findIndex((each) => byUnits(each, text) >= 0);
          expect(table.lowerBound(text)).toBe(place < 0 ? list.length : place);
          for (const at of list.keys()) {
            expect(table.includes(at, text)).toBe(list[at]?.includes(text));
          }
        }
      }),
      { numRuns: runs(60) },
    );
  });

  it('give back the columns of chunks', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(number, number, number), { maxLength: 80 }), (rows) => {
        const ids = rows.map(([id]) => id).toSorted((a, b) => a - b);
        const all = rows.flatMap(([, one, other], doc) => {
          const row = Array.from({ length: DOC_COLUMN_COUNT }, () => 0);
          row[DOC_COLUMNS.id] = ids[doc] ?? 0;
          row[DOC_COLUMNS.words] = one;
          row[DOC_COLUMNS.overlap] = other;
          return row;
        });
        const table = new DocTable(DocTable.write(all));
        expect(table.size).toBe(rows.length);
        expect([...table.words]).toEqual(rows.map(([, one]) => one));
        for (const [doc, [, , other]] of rows.entries()) {
          expect(table.idAt(doc)).toBe(ids[doc]);
          expect([table.get(doc, 'id'), table.get(doc, 'overlap')]).toEqual([ids[doc], other]);
          expect([table.get(doc, 'textEnd'), table.get(doc, 'tags')]).toEqual([0, 0]);
        }
      }),
      { numRuns: runs(100) },
    );
  });

  it('give back the terms of forms', () => {
    const terms = fc.uniqueArray(fc.integer({ min: 0, max: 70_000 }), { maxLength: 4 });
    fc.assert(
      fc.property(fc.array(terms, { maxLength: 400 }), (forms) => {
        const table = new FormTerms(FormTerms.write(forms));
        expect(forms.map((_, form) => table.termsOf(form))).toEqual(forms);
        for (const [form, [main = -1, ...further]] of forms.entries()) {
          expect(table.mainOf(form)).toBe(main);
          expect(table.hasFurther(form)).toBe(further.length > 0);
        }
      }),
      { numRuns: runs(100) },
    );
  });

  it('give back records, with numbers of other segments', () => {
    const row = fc.array(number, {
      minLength: RECORD_COLUMN_COUNT,
      maxLength: RECORD_COLUMN_COUNT,
    });
    const record = fc.record({
      novelId: anyString().filter((text) => text.isWellFormed()),
      filePath: fc.constantFrom('a.txt', '海/𠮷.md'),
      commit: fc.constantFrom(0, 3, 4.5),
      chunks: fc
        .array(row, { maxLength: 6 })
        .map((rows) => Uint32Array.from(rows.flat()).map((each) => each % (2 * ELSEWHERE))),
    });
    fc.assert(
      fc.property(fc.array(record, { maxLength: 6 }), (records) => {
        const stamped = records.map((each, at) => (at % 2 === 0 ? each : { ...each, stamp: 's' }));
        expect(readRecords(writeRecords(stamped))).toEqual(stamped);
      }),
      { numRuns: runs(100) },
    );
  });

  it('give back no records that would use up memory', () => {
    const packed = deflateRawSync(Buffer.alloc(MOST_INFLATED + 1), { level: 1 });
    expect(() => readRecords(packed)).toThrow(
      expect.objectContaining({ code: 'ERR_BUFFER_TOO_LARGE' }),
    );
  });

  it('find terms by their readings', () => {
    const places = fc
      .uniqueArray(fc.integer({ min: 0, max: 300_000 }), { minLength: 1, maxLength: 5 })
      .map((list) => list.toSorted((a, b) => a - b));
    fc.assert(
      fc.property(words, fc.array(places, { minLength: 300, maxLength: 300 }), (list, all) => {
        const byReading = list.map((reading, at) => [reading, all[at] ?? []] as const);
        const { index, blocks } = writeReadings(byReading);
        const table = new ReadingTable(new Uint8Array(index), piecesOf(blocks));
        for (const [reading, terms] of byReading) expect(table.termsRead(reading)).toEqual(terms);
        for (const absent of list.map((reading) => `${reading}ン`)) {
          expect(table.termsRead(absent)).toEqual([]);
        }
        expect([...eachReading(blocks)]).toEqual(byReading);
      }),
      { numRuns: runs(60) },
    );
  });
});

test('the lists of parts miss no term that has a text anywhere', () => {
  const text = fc
    .array(fc.constantFrom(...Array.from('日本語江戸国アメリカーの人a')), {
      minLength: 1,
      maxLength: 3,
    })
    .map((units) => units.join(''));
  fc.assert(
    fc.property(words, text, (list, part) => {
      const { index, lists } = writePartLists(list);
      const candidates = new PartLists(index, piecesOf(lists)).candidates(part);
      const places = [...list.keys()].filter((at) => list[at]?.includes(part));
      const isListed = /[㐀-鿿]|[ァ-ヺー]{2}/u.test(part);
      expect(candidates !== undefined).toBe(isListed);
      expect(candidates ?? places).toEqual(expect.arrayContaining(places));
      // Where the text is what a list is kept of, no other term is in it.
      const listed = part.length === 1 ? candidates : places;
      expect(listed ?? places).toEqual(places);
    }),
    { numRuns: runs(300) },
  );
});

test('lists of gaps give back the numbers, and take about as few bits as their density allows', () => {
  fc.assert(
    fc.property(fc.uniqueArray(number, { maxLength: 200 }), (list) => {
      const ascending = list.toSorted((a, b) => a - b);
      expect([...decodeGaps(encodeGaps(ascending), new Uint32Array(8))]).toEqual(ascending);
    }),
    { numRuns: runs(200) },
  );
  const every = (step: number): readonly number[] =>
    Array.from({ length: 8000 / step }, (_, at) => at * step + ((at * 7919) % step));
  expect(encodeGaps(every(1)).length).toBeLessThan(1010);
  expect(encodeGaps(every(20)).length).toBeLessThan(400 * 0.8);
  expect(encodeGaps([...every(20), 4_294_967_295]).length).toBeLessThan(400 * 0.8);
});

test('numbers of forms come back, and take as many bytes as is said', () => {
  const ends = [0, 145, 146, 26_769, 26_770, 354_449, 354_450, 16_777_216, 4_294_967_295];
  const form = fc.oneof(number, fc.constantFrom(...ends), fc.nat(30_000));
  fc.assert(
    fc.property(fc.array(form, { maxLength: 50 }), (forms) => {
      const writer = new ByteWriter();
      for (const one of forms) writeForm(writer, one);
      expect(writer.length).toBe(forms.reduce((sum, one) => sum + formLength(one), 0));
      const target = new Uint32Array(writer.length);
      const count = readForms(writer.view(), writer.length, target);
      expect([...target.subarray(0, count)]).toEqual(forms);
    }),
    { numRuns: runs(200) },
  );
});

test('each piece of text with a list of its own is in that list, and in no other of its length', () => {
  const seen = new Map<number, string>();
  const ends = '09azぁゖァヺー々㐀鿿';
  const characters = Array.from(`てにのしたいるなっ人見来中${ends}`);
  const pieces = [2, 3, 4].flatMap((length) => allOf(characters, length));
  for (const piece of pieces.filter(hasOwnList)) {
    const keys: number[] = [];
    eachPairKey(piece, (key) => keys.push(key));
    const own = keys.at(-1) ?? -1;
    expect([piece, seen.get(own)]).toEqual([piece, undefined]);
    seen.set(own, piece);
  }
  expect(seen.size).toBeGreaterThan(100);
  expect(['ている', 'していた', 'の中', 'した'].map(hasOwnList)).toEqual([true, true, true, true]);
  expect(['灯台', 'ゑびす', 'していない', 'アイ', '、。', 'て'].map(hasOwnList)).not.toContain(
    true,
  );
});

test('no piece of hiragana has the code of another piece', () => {
  const hiragana = Array.from({ length: 86 }, (_, at) => 0x3041 + at);
  const places = new Map<number, string>();
  /** Pieces that have the code of another one. */
  const same: string[] = [];
  const isFrequent = (code: number, ...piece: readonly number[]): boolean => {
    const pair = String.fromCharCode(code >>> 16, code & 0xffff);
    if (hasOwnList(pair)) same.push(pair);
    const place = frequentPlace(code);
    if (place < 0) return false;
    if (places.has(place)) same.push(String.fromCharCode(...piece));
    places.set(place, String.fromCharCode(...piece));
    return true;
  };
  for (const second of hiragana) {
    for (const third of hiragana) {
      for (const fourth of hiragana) {
        const code = tripleCode(second, third, fourth);
        if (!isFrequent(code, second, third, fourth)) continue;
        for (const first of hiragana) {
          isFrequent(quadrupleCode(first, code), first, second, third, fourth);
        }
      }
    }
  }
  expect(same).toEqual([]);
  // Pairs have the places before.
  const ascending = [...places.keys()].toSorted((a, b) => a - b);
  expect(ascending).toEqual(ascending.map((_, at) => FREQUENT - places.size + at));
  expect(places.size).toBeGreaterThan(500);
});

function allOf(characters: readonly string[], length: number): readonly string[] {
  if (length === 0) return [''];
  return allOf(characters, length - 1).flatMap((piece) => characters.map((one) => piece + one));
}
