import type { Database } from '@vizprompt/providers';
import { decodePostings } from '@vizprompt/providers/internal';
import { BigramSketch, bucketsOf } from '../../src/segment/format/bigrams.ts';
import { readFacts } from '../../src/sql/chunk-facts.ts';
import { applyTerms } from '../../src/sql/term-rows.ts';
import { type NewTerm, TermTable } from '../../src/sql/term-table.ts';
import { sqlTables } from '../../src/sql/sql-tables.ts';
import { eachOfBundle, countPostings } from '../../src/sql/term-bundles.ts';
import { readPack } from '../../src/sql/text-pack.ts';

/** Reads the terms of a space from its rows. */
export async function storedTerms(database: Database, space: number): Promise<readonly NewTerm[]> {
  const rows = await database.query<{ sum: number; data: Uint8Array }>(
    `SELECT is_sum AS sum, data FROM ${sqlTables('chunks').vocabulary} WHERE space = ?
     ORDER BY revision`,
    [space],
  );
  if (rows.slice(1).some(({ sum }) => sum === 1))
    throw new Error('changes before the sum of terms');
  const table = new TermTable();
  for (const { data } of rows) applyTerms(table, data);
  return [...table.terms()];
}

/** Reports errors in the rows of a space: its counts and postings, counted again from its texts. */
export async function recountSpace(database: Database, space = 'default'): Promise<string[]> {
  const tables = sqlTables('chunks');
  const [row] = await database.query<{ id: number }>(
    `SELECT id FROM ${tables.space} WHERE name = ? AND is_current = 1`,
    [space],
  );
  const id = row?.id ?? 0;
  const problems: string[] = [];
  const documents = await database.query<{ id: number; facts: Uint8Array }>(
    `SELECT id, facts FROM ${tables.document} WHERE space = ?`,
    [id],
  );
  const living = new Set(documents.flatMap(({ facts }) => readFacts(facts).map((one) => one.id)));
  const packs = await database.query<{ chunk: number; n: number; data: Uint8Array }>(
    `SELECT chunk, n, data FROM ${tables.text} WHERE space = ?`,
    [id],
  );
  const counts = await storedTerms(database, id);
  const numbers = new Map(counts.map((term) => [term.key, term.id]));
  const texts = packs.flatMap(({ chunk, n, data }) => {
    const pack = readPack({ chunk, data }, (term) => numbers.get(term) ?? -1);
    if (pack.length !== n) problems.push(`${n} texts in ${chunk}, not ${pack.length}`);
    return pack;
  });
  if (texts.length !== living.size) problems.push(`${texts.length} texts, ${living.size} chunks`);
  const expected = new Map<number, Map<number, number>>();
  const sketch = new BigramSketch();
  for (const { chunk, text } of texts) {
    if (!living.has(chunk)) problems.push(`text ${chunk} of no document`);
    const { words, titles, fields } = text;
    sketch.addBuckets(bucketsOf(fields.content.slice(fields.overlap)), 1);
    for (const term of [...words.flatMap(({ terms }) => terms), ...titles]) {
      const chunks = expected.get(term) ?? new Map<number, number>();
      expected.set(term, chunks.set(chunk, (chunks.get(chunk) ?? 0) + 1));
    }
  }
  for (const { id: term, chunks } of counts) {
    const right = expected.get(term)?.size ?? 0;
    if (chunks !== right) problems.push(`term ${term} counts ${chunks}, not ${right}`);
  }
  const found = new Map<number, Map<number, number>>();
  const blocks = await database.query<{ term: number; first: number; n: number; data: Uint8Array }>(
    `SELECT term, first, n, data FROM ${tables.block} WHERE space = ?`,
    [id],
  );
  const lists = blocks.flatMap((block) => {
    if (block.term >= 0) return [block];
    const own: typeof blocks = [];
    eachOfBundle(block.term, block.data, (term, data) =>
      own.push({ term, first: block.first, n: countPostings(data), data }),
    );
    const sum = own.reduce((total, { n }) => total + n, 0);
    if (sum !== block.n) problems.push(`bundle ${block.term} of ${block.n}, not ${sum}`);
    return own;
  });
  for (const { term, first, n, data } of lists) {
    const [docs, times] = [new Uint32Array(n), new Uint8Array(n)];
    if (decodePostings(data, data.length, first, docs, times) !== n)
      problems.push(`block ${term}/${first}`);
    const chunks = found.get(term) ?? new Map<number, number>();
    found.set(term, chunks);
    for (let at = 0; at < n; at++) {
      const doc = docs[at] ?? 0;
      if (chunks.has(doc)) problems.push(`term ${term} has chunk ${doc} twice`);
      if (living.has(doc)) chunks.set(doc, times[at] ?? 0);
    }
  }
  for (const [term, chunks] of expected) {
    for (const [chunk, times] of chunks) {
      const posted = found.get(term)?.get(chunk);
      if (posted !== times)
        problems.push(`term ${term} has chunk ${chunk} ${posted}, not ${times}`);
    }
    if ((found.get(term)?.size ?? 0) !== chunks.size) problems.push(`postings of term ${term}`);
  }
  const stored = new BigramSketch();
  const sketches = await database.query<{ data: Uint8Array }>(
    `SELECT data FROM ${tables.sketch} WHERE space = ? ORDER BY revision`,
    [id],
  );
  for (const { data } of sketches) stored.addBytes(data);
  if (!Buffer.from(stored.write()).equals(Buffer.from(sketch.write()))) problems.push('pairs');
  return problems;
}
