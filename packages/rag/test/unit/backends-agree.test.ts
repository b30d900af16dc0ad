import { sqliteDatabase, type ClosableDatabase } from '@vizprompt/providers/node';
import fc from 'fast-check';
import { expect, it, onTestFinished } from 'vitest';
import { runs } from '../../../providers/test/support/fuzz.ts';
import { KeywordFlexBackend } from '../../src/backends/keyword-flex-backend.ts';
import { SqliteFtsBackend } from '../../src/backends/sqlite-fts-backend.ts';
import { SqlBackend } from '../../src/backends/sql-backend.ts';
import { answers, apply, queries, step } from '../support/agreeing-backends.ts';
import { openBackend, paragraphs, scriptAnalyzer } from '../support/search-index.ts';

it('all backends give the same answers after the same changes, to the last digit', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 8 }), async (steps) => {
      const options = { analyzer: scriptAnalyzer(), chunking: paragraphs };
      const database: ClosableDatabase = sqliteDatabase({ path: ':memory:' });
      onTestFinished(() => database.close());
      const segments = await openBackend();
      const others = {
        fts: await SqliteFtsBackend.open({ ...options, database }),
        sql: await SqlBackend.open({ ...options, database }),
        flex: await KeywordFlexBackend.open(options),
      };
      for (const one of steps) {
        await apply(segments, one);
        await apply(others.fts, one);
        await apply(others.sql, one);
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
    { numRuns: runs(4) },
  );
});
