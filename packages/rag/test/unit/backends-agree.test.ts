import { sqliteDatabase, type ClosableDatabase } from '@vizprompt/providers/node';
import fc from 'fast-check';
import { expect, it, onTestFinished } from 'vitest';
import { runs } from '../../../providers/test/support/fuzz.ts';
import { KeywordFlexBackend } from '../../src/backends/keyword-flex-backend.ts';
import type { SearchBackend, SearchResults } from '../../src/contract/search-backend.ts';
import { SqliteFtsBackend } from '../../src/backends/sqlite-fts-backend.ts';
import { Chunk } from '../../src/chunk/chunk.ts';
import { openBackend, paragraphs, scriptAnalyzer } from '../support/search-index.ts';

const words = [
  '灯台',
  '灯台守',
  '嵐',
  '走る',
  '海',
  'カモメ',
  'サーバー',
  'lighthouse',
  'キー',
  '海岸',
  '3個',
  'とうだい',
  '🐈',
  '\ud800',
  '\u0000',
  '"',
  '\\u0001',
  '__proto__',
];
const sentence = fc
  .array(fc.constantFrom(...words), { minLength: 1, maxLength: 8 })
  .map((list) => list.join('と'));
const text = fc.array(sentence, { maxLength: 5 }).map((list) => list.join('\n\n'));
const filePath = fc.constantFrom('a.md', 'b.md', 'c"\ud800.md');
const novelId = fc.constantFrom('一', '二\u0000');
const tags = fc.subarray(['人物', '草稿']);

const step = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({ kind: fc.constant('update' as const), novelId, filePath, text, tags }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('remove' as const), novelId, filePath }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('compact' as const) }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('add' as const),
      novelId,
      filePath,
      content: sentence,
    }),
  },
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

const queries = [
  '灯台',
  '嵐の猫',
  '海と夜明けと走る',
  'キー サーバー 灯台守 lighthouse カモメ',
  '"灯台と海"',
  '+灯台 -嵐',
  '*海*',
  '灯* *岸',
  '/海.*嵐/',
  'よみ:トウダイ',
  'title:見出し',
  'みだし',
  '海 +*海*',
  'tag:人物 海',
  'lighthuose',
  '灯火と海辺は何個？',
  '🐈 \ud800 \u0000 __proto__',
];

/** Chunks of one document have places of their own. */
function checksum(content: string): number {
  let sum = 7;
  for (let at = 0; at < content.length; at++) sum = (sum * 31 + content.charCodeAt(at)) % 1_000_003;
  return sum;
}

async function apply(backend: SearchBackend, one: Step): Promise<void> {
  if (one.kind === 'compact') await backend.compact();
  else if (one.kind === 'remove') await backend.removeByFile(one);
  else if (one.kind === 'update') await backend.updateFile(one);
  else {
    const place = { startLine: 1, endLine: 1, chunkIndex: 90 + checksum(one.content) };
    await backend.add([new Chunk({ ...one, ...place, title: '見出し' })]);
  }
}

async function answers(backend: SearchBackend): Promise<readonly SearchResults[]> {
  const found: SearchResults[] = [];
  for (const query of queries) {
    const options = { explain: true, expand: { before: 1, after: 1 } };
    found.push(await backend.search(query, options));
  }
  return found;
}

it('all backends give the same answers after the same changes, to the last digit', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 12 }), async (steps) => {
      const options = { analyzer: scriptAnalyzer(), chunking: paragraphs };
      const database: ClosableDatabase = sqliteDatabase({ path: ':memory:' });
      onTestFinished(() => database.close());
      const segments = await openBackend();
      const others = {
        fts: await SqliteFtsBackend.open({ ...options, database }),
        flex: await KeywordFlexBackend.open(options),
      };
      for (const one of steps) {
        await apply(segments, one);
        await apply(others.fts, one);
        await apply(others.flex, one);
      }
      const expected = await answers(segments);
      const { bytes: _, ...stats } = await segments.stats();
      for (const [name, backend] of Object.entries(others)) {
        for (const [at, results] of (await answers(backend)).entries()) {
          expect(results, `${name}: ${queries[at]}`).toEqual(expected[at]);
        }
        expect({ name, ...(await backend.stats()) }).toMatchObject({ name, ...stats });
        await backend.close();
      }
      await segments.close();
      await database.close();
    }),
    { numRuns: runs(6) },
  );
});
