import fc from 'fast-check';
import { expect, it } from 'vitest';
import { runs } from '../../../providers/test/support/fuzz.ts';
import type { SearchBackend, SearchHit } from '../../src/contract/search-backend.ts';
import { openBackend, temporaryFolder } from '../support/search-index.ts';

const words = [
  '灯台',
  '嵐',
  '猫',
  '走る',
  '海',
  '夜明け',
  'カモメ',
  'サーバー',
  'lighthouse',
  'キー',
  '海岸',
  '猫背',
  '🐈',
  '\ud800',
];
const sentence = fc
  .array(fc.constantFrom(...words), { minLength: 1, maxLength: 8 })
  .map((list) => list.join('と'));
const text = fc.array(sentence, { maxLength: 5 }).map((list) => list.join('\n\n'));
const filePath = fc.constantFrom('a.md', 'b.md', 'c.md', 'd/e.md');
const novelId = fc.constantFrom('一', '二');

const step = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({ kind: fc.constant('update' as const), novelId, filePath, text }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('remove' as const), novelId, filePath }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('compact' as const) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('reopen' as const) }) },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('index' as const), novelId, filePath, text }),
  },
);

const queries = [
  '灯台',
  '嵐の猫',
  '海と夜明けと走る',
  'キー サーバー 猫 lighthouse カモメ',
  '"猫と海"',
  '+灯台 -嵐',
  '*海*',
  '/猫.*海/',
];

it('answers after any sequence of changes as an index that was built afresh', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 14 }), async (steps) => {
      const folder = temporaryFolder();
      const documents = new Map<string, { novelId: string; filePath: string; text: string }>();
      let backend = await openBackend({ folder });
      for (const one of steps) {
        if (one.kind === 'compact') await backend.compact();
        else if (one.kind === 'reopen') {
          await backend.close();
          backend = await openBackend({ folder });
        } else if (one.kind === 'remove') {
          documents.delete(JSON.stringify([one.novelId, one.filePath]));
          await backend.removeByFile(one);
        } else {
          documents.set(JSON.stringify([one.novelId, one.filePath]), one);
          await (one.kind === 'index' ? backend.index([one]) : backend.updateFile(one));
        }
      }
      const fresh = await openBackend();
      for (const document of [...documents.values()].toReversed()) await fresh.updateFile(document);
      for (const query of queries) {
        expect({ query, hits: await answer(backend, query) }).toEqual({
          query,
          hits: await answer(fresh, query),
        });
      }
      expect((await backend.stats()).chunks).toBe((await fresh.stats()).chunks);
      await backend.close();
      await fresh.close();
    }),
    { numRuns: runs(5) },
  );
});

async function answer(backend: SearchBackend, query: string): Promise<readonly SearchHit[]> {
  const { hits } = await backend.search(query, { expand: { before: 1, after: 1 } });
  return hits;
}
