import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  eachChunk,
  keepInAll,
  PACK_SLICE_BYTES,
  PAGE_CHUNKS,
  PageSignature,
  slicesOf,
  SLICE_BYTES,
} from '../../src/sql/page-signature.ts';
import { foldPhrase, searchedForms } from '../../src/rank/fold-text.ts';

/** The chunks that may have a text, by one of the signatures or by both. */
function chunksWith(
  { bytes, packs }: PageSignature,
  text: string,
  by: readonly ('chunks' | 'packs')[] = ['chunks', 'packs'],
): readonly number[] {
  const slices = slicesOf(text);
  const page = new Uint8Array(SLICE_BYTES).fill(255);
  keepInAll(
    page,
    by.includes('chunks')
      ? slices.chunks.map((place) => bytes.subarray(place, place + SLICE_BYTES))
      : [],
    by.includes('packs')
      ? slices.packs.map((place) => packs.subarray(place, place + PACK_SLICE_BYTES))
      : [],
  );
  const found: number[] = [];
  eachChunk(page, (chunk) => found.push(chunk));
  return found;
}

const none = { title: '', headingPath: [] };

test('a signature has every part of a text, of its forms as a phrase and of its headings', () => {
  const text = fc.string({
    unit: fc.constantFrom(
      ...Array.from('海岸灯台のは、カモメー 　\n\nabＡ1２!？(《》\u{20BB7}한국\uD842'),
      '1\n年',
      '。\n(',
      '？　\n海',
    ),
    maxLength: 30,
  });
  fc.assert(
    fc.property(text, text, fc.nat(PAGE_CHUNKS * 3), (own, title, chunk) => {
      const signature = new PageSignature();
      signature.add(chunk, { own, title, headingPath: [] });
      const forms = [own, title].flatMap((one) => [...foldPhrase(one), ...searchedForms(one)]);
      for (const form of [own, ...forms]) {
        for (let start = 0; start < form.length; start++) {
          for (let end = start + 1; end <= Math.min(form.length, start + 6); end++) {
            const part = form.slice(start, end);
            expect({ part, chunks: chunksWith(signature, part) }).toMatchObject({
              chunks: expect.arrayContaining([chunk % PAGE_CHUNKS]),
            });
          }
        }
      }
    }),
  );
});

test('of chunks without a word of two kanji, nearly none may have it; nor many without a kanji', () => {
  let seed = 1;
  const next = (below: number): number => {
    seed = (Math.imul(seed, 1_103_515_245) + 12_345) >>> 0;
    return Math.floor((seed / 2 ** 32) * below);
  };
  // A third are kanji, as in prose, and none is one of those asked for.
  const character = (): string =>
    String.fromCharCode(next(3) === 0 ? 0x5000 + next(1500) : 0x3041 + next(70));
  const signature = new PageSignature();
  for (let chunk = 0; chunk < PAGE_CHUNKS; chunk++) {
    const own = Array.from({ length: 350 }, character).join('');
    signature.add(chunk, { ...none, own: chunk === 500 ? `${own}燈臺${own}` : own });
  }
  const pack = [496, 497, 498, 499, 500, 501, 502, 503];
  expect(chunksWith(signature, '燈臺')).toContain(500);
  expect(chunksWith(signature, '燈臺').length).toBeLessThan(PAGE_CHUNKS / 40);
  expect(chunksWith(signature, '燈').length).toBeLessThan(PAGE_CHUNKS / 4);
  expect(chunksWith(signature, '燈', ['packs'])).toEqual(expect.arrayContaining(pack));
  // The signature of the chunks alone lets many more through.
  expect(chunksWith(signature, '燈臺', ['chunks']).length).toBeGreaterThan(PAGE_CHUNKS / 5);
});
