import type { Database } from '@vizprompt/providers';
import type { Analyzer } from '../analyze/analyzer.ts';
import type { DocumentChange } from '../contract/document-change.ts';
import type { FtsTables } from './fts-tables.ts';
import { chunksOfDocument, documentsSince, readState } from './stored-rows.ts';
import { TermMemory } from './term-memory.ts';
import { planChanges, writePlans } from './write-changes.ts';

/**
 * Analyses an index of another analyser again, in one transaction. The texts lie in memory meanwhile.
 *
 * @returns The analyser that it was of, if it was another.
 */
export async function rebuildIndex(
  database: Database,
  tables: FtsTables,
  analyzer: Analyzer,
): Promise<string | undefined> {
  const isOther = async (): Promise<boolean> =>
    (await readState(database, tables)).analyzer !== analyzer.id;
  if (!(await isOther())) return undefined;
  return database.transaction(async (tx) => {
    const { analyzer: before } = await readState(tx, tables);
    if (before === analyzer.id) return undefined;
    const changes: DocumentChange[] = [];
    for (const { id, novelId, filePath } of await documentsSince(tx, tables, -1)) {
      const chunks = (await chunksOfDocument(tx, tables, id)).map(({ chunk }) => chunk);
      changes.push({ novelId, filePath, chunks });
    }
    const { document, chunk, text, term, reading, bigram, fts } = tables;
    for (const table of [document, chunk, text, term, reading, bigram]) {
      await tx.execute(`DELETE FROM ${table}`);
    }
    await tx.execute(`INSERT INTO ${fts} (${fts}) VALUES ('delete-all')`);
    await tx.execute(`UPDATE ${tables.state} SET analyzer = ?, revision = revision + 1`, [
      analyzer.id,
    ]);
    const memory = new TermMemory(analyzer);
    const plans = await planChanges(tx, tables, changes);
    await writePlans(tx, tables, plans, memory, (basic) => analyzer.readings(basic));
    return before;
  });
}
