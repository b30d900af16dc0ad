import { deflateRawSync } from 'node:zlib';
import type { Database } from '@vizprompt/providers';
import { encodePostings } from '@vizprompt/providers/internal';
import { ByteWriter } from '../../src/binary/section-file.ts';
import type { StoredText } from '../../src/sql/chunk-text.ts';
import { givenRows } from '../../src/sql/given-rows.ts';
import { isCut, keyOf, toSql } from '../../src/sql/sql-text.ts';
import { analyzerOf, type SpaceForm, sqlTables, writtenBy } from '../../src/sql/sql-tables.ts';
import type { NewTerm } from '../../src/sql/term-table.ts';
import { countPostings, eachOfBundle } from '../../src/sql/term-bundles.ts';
import { readPack } from '../../src/sql/text-pack.ts';
import { storedTerms } from './recount-space.ts';
import { decodePostings } from '../../../providers/src/postings/postings.ts';

const LONG = 7;

/** Encodes a chunk as the first version did: a row for each. */
export function writeFirstForm({ fields, words, titles }: StoredText): Uint8Array {
  const writer = new ByteWriter();
  writer.varint(words.length);
  let end = 0;
  for (const { start, end: next, terms } of words) {
    const [gap, length] = [start - end, next - start];
    const isShort = gap >= 0 && gap <= 7 && length > 0 && length <= 6;
    writer.varint((isShort ? gap * 8 + length : LONG) * 2 + (terms.length > 1 ? 1 : 0));
    if (!isShort) {
      writer.varint(gap < 0 ? -gap * 2 - 1 : gap * 2);
      writer.varint(length);
    }
    if (terms.length > 1) writer.varint(terms.length);
    for (const term of terms) writer.varint(term);
    end = next;
  }
  writer.varint(titles.length);
  for (const term of titles) writer.varint(term);
  const { title, content, tags, headingPath, overlap, ordinal } = fields;
  const head = JSON.stringify([title, tags, headingPath, overlap, ordinal]);
  writer.varint(head.length);
  writer.append(deflateRawSync(Buffer.from(head + content, 'utf16le')));
  return writer.view().slice();
}

/** Turns the tables of indexes into those of the second version, which had a row for each term. */
export async function toSecondForm(database: Database): Promise<void> {
  const tables = sqlTables('chunks');
  const { dialect } = database;
  const rows = (await termsOfSpaces(database)).map(
    ({ space, id, key, chunks }) =>
      [space, id, keyOf(key), isCut(key) ? toSql(key) : null, chunks] as const,
  );
  const columns = { space: 'int', id: 'int', key: 'text', whole: 'text', chunks: 'int' } as const;
  const given = givenRows(dialect, columns, rows);
  await database.execute(
    `INSERT INTO ${tables.term} SELECT given.space, given.id, given.key, given.whole, given.chunks
     FROM ${given.sql}`,
    given.params,
  );
  // Which terms a bucket has says nothing that the terms do not.
  await database.execute(
    `INSERT INTO ${tables.bucket} SELECT id, 0, 7, 1, 1, '${dialect === 'postgres' ? '{1}' : '[1]'}' FROM ${tables.space}`,
  );
  await database.execute(`DROP TABLE ${tables.vocabulary}`);
  await database.execute(
    `DELETE FROM vizprompt_migrations WHERE component = 'chunks' AND version = 3`,
  );
  await setForm(database, 2);
}

/** The terms of all spaces. */
async function termsOfSpaces(
  database: Database,
): Promise<readonly (NewTerm & { readonly space: number })[]> {
  const spaces = await database.query<{ id: number }>(
    `SELECT id FROM ${sqlTables('chunks').space}`,
  );
  const lists = spaces.map(async ({ id: space }) => {
    const terms = await storedTerms(database, space);
    return terms.map((term) => ({ ...term, space }));
  });
  return (await Promise.all(lists)).flat();
}

async function setForm(database: Database, form: SpaceForm): Promise<void> {
  const { space } = sqlTables('chunks');
  for (const { id, analyzer } of await database.query<{ id: number; analyzer: string }>(
    `SELECT id, analyzer FROM ${space}`,
  )) {
    await database.execute(`UPDATE ${space} SET analyzer = ? WHERE id = ?`, [
      writtenBy(analyzerOf(analyzer), form),
      id,
    ]);
  }
}

/** Turns the tables of indexes into those of the first version, with all that they hold. */
export async function toFirstForm(database: Database): Promise<void> {
  const tables = sqlTables('chunks');
  const { dialect } = database;
  const texts = await database.query<{ space: number; chunk: number; data: Uint8Array }>(
    `SELECT space, chunk, data FROM ${tables.text}`,
  );
  const terms = await termsOfSpaces(database);
  await toSecondForm(database);
  const numbers = new Map(terms.map(({ space, id, key }) => [`${space} ${key}`, id]));
  const rows = texts.flatMap(({ space, chunk: key, data }) =>
    readPack({ chunk: key, data }, (term) => numbers.get(`${space} ${term}`) ?? -1).map(
      ({ chunk, text }) => [space, chunk, writeFirstForm(text)] as const,
    ),
  );
  await database.execute(`DELETE FROM ${tables.text}`);
  await database.execute(`ALTER TABLE ${tables.text} DROP COLUMN n`);
  const given = givenRows(dialect, { space: 'int', chunk: 'int', data: 'bytes' }, rows);
  await database.execute(
    `INSERT INTO ${tables.text} SELECT given.space, given.chunk, given.data FROM ${given.sql}`,
    given.params,
  );
  const bundles = await database.query<{
    space: number;
    term: number;
    first: number;
    data: Uint8Array;
  }>(`DELETE FROM ${tables.block} WHERE term < 0 RETURNING space, term, first, data`);
  const blocks: (readonly [number, number, number, number, Uint8Array])[] = [];
  for (const { space, term: bundle, first: base, data } of bundles) {
    eachOfBundle(bundle, data, (term, bytes) => {
      const count = countPostings(bytes);
      const [docs, times] = [new Uint32Array(count), new Uint8Array(count)];
      decodePostings(bytes, bytes.length, base, docs, times);
      const first = docs[0] ?? 0;
      blocks.push([space, term, first, count, encodePostings(first, docs, times)]);
    });
  }
  const columns = { space: 'int', term: 'int', first: 'int', n: 'int', data: 'bytes' } as const;
  const added = givenRows(dialect, columns, blocks);
  await database.execute(
    `INSERT INTO ${tables.block} SELECT given.space, given.term, given.first, given.n, given.data
     FROM ${added.sql}`,
    added.params,
  );
  await setForm(database, 1);
  await database.execute(`DROP TABLE ${tables.bucket}`);
  await database.execute('CREATE TABLE chunks_lookup (space INTEGER NOT NULL)');
  await database.execute(
    `DELETE FROM vizprompt_migrations WHERE component = 'chunks' AND version = 2`,
  );
}
