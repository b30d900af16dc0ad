import type { Database } from '@vizprompt/providers';
import type { Analyzer } from '../analyze/analyzer.ts';
import { Chunk, positionOf } from '../chunk/chunk.ts';
import { readFacts } from './chunk-facts.ts';
import type { PlannedChange } from './plan-changes.ts';
import { createSpace, dropSpace, lockSpace, readSpace, saveNumbers } from './space-rows.ts';
import { readTexts, type SpacePlace } from './space-reader.ts';
import type { SpaceForm } from './sql-tables.ts';
import { fromSql } from './sql-text.ts';
import { readFirstTexts } from './upgrade-space.ts';
import { applyTerms } from './term-rows.ts';
import { TermTable } from './term-table.ts';
import { WordMemory } from './word-memory.ts';
import { type SpaceNumbers, writePlans } from './write-plans.ts';

/** Documents that are analyzed at once. */
const DOCUMENTS_AT_ONCE = 64;

/**
 * Analyzes a space of another analyzer again, into a new space: searches use the old one until all of it is done. It is
 * one transaction, and writers of the space wait for it.
 *
 * @returns The previous analyzer, if it was another.
 */
export async function rebuildSpace(
  database: Database,
  place: Pick<SpacePlace, 'dialect' | 'tables' | 'name'>,
  analyzer: Analyzer,
): Promise<string | undefined> {
  const { tables, name } = place;
  const isOther = (row: { readonly analyzer: string } | undefined): boolean =>
    row !== undefined && row.analyzer !== analyzer.id;
  if (!isOther(await readSpace(database, tables, name))) return undefined;
  return database.transaction(
    async (tx) => {
      const old = await lockSpace(tx, tables, name);
      if (!old || !isOther(old)) return undefined;
      const space = await createSpace(tx, tables, name, analyzer.id);
      const from: SpacePlace = { ...place, executor: tx, space: old.id };
      const to: SpacePlace = { ...from, space };
      const readingsOf = (term: string): readonly string[] => analyzer.readings(term);
      const terms = new TermTable();
      let numbers: SpaceNumbers = { revision: 0, nextDocument: 1, nextChunk: 0, nextTerm: 1 };
      for await (const plans of storedPlans(from, old.form)) {
        const memory = new WordMemory(analyzer);
        const next = { ...numbers, revision: numbers.revision + 1 };
        const written = await writePlans(to, plans, next, { memory, terms, readingsOf });
        for (const { data } of written.rows.vocabulary) applyTerms(terms, data);
        numbers = written;
      }
      await saveNumbers(tx, tables, space, numbers);
      await dropSpace(tx, tables, old.id);
      await tx.execute(`UPDATE ${tables.space} SET is_current = 1, revision = ? WHERE id = ?`, [
        numbers.revision,
        space,
      ]);
      return old.analyzer;
    },
    { isolation: 'read-committed' },
  );
}

/** The documents of a space, some at a time, as if all were new. */
async function* storedPlans(
  place: SpacePlace,
  form: SpaceForm,
): AsyncGenerator<readonly PlannedChange[]> {
  const { executor, tables, space } = place;
  for (let last = 0; ;) {
    const rows = await executor.query<{
      id: number;
      novel: string;
      path: string;
      stamp: string | null;
      facts: Uint8Array;
    }>(
      `SELECT id, novel, path, stamp, facts FROM ${tables.document}
       WHERE space = ? AND id > ? AND length(facts) > 0 ORDER BY id LIMIT ${DOCUMENTS_AT_ONCE}`,
      [space, last],
    );
    if (rows.length === 0) return;
    last = rows.at(-1)?.id ?? last;
    const documents = rows.map((row) => ({ ...row, facts: readFacts(row.facts) }));
    const ids = documents.flatMap(({ facts }) => facts.map(({ id }) => id));
    const stored = await (form === 1 ? readFirstTexts : readTexts)(place, ids);
    const texts = new Map(stored.map(({ chunk, text }) => [chunk, text.fields]));
    yield documents.map(({ novel, path, stamp, facts }): PlannedChange => {
      const ref = { novelId: fromSql(novel), filePath: fromSql(path) };
      const chunks = facts.flatMap((one) => {
        const fields = texts.get(one.id);
        if (!fields) return [];
        const all = { ...fields, ...ref, ...positionOf(one) };
        return [{ chunk: new Chunk(all, fields.ordinal) }];
      });
      const added = chunks.length;
      const plan = { chunks, removed: [], added, kept: 0 };
      const isRestamped = false;
      return { ...plan, ref, stamp: stamp ?? undefined, isRestamped, document: undefined };
    });
  }
}
