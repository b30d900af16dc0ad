import { MemoryStore } from '@vizprompt/memory';
import Sqlite from 'better-sqlite3';
import { median, round, type Figures } from '../figures.ts';
import { sessionEvents } from './make-events.ts';

const ROUNDS = 7;
/** Rounds before those that count: code that runs for the first time is compiled meanwhile. */
const WARM_UP = 1;
const SINGLE = 3000;
const BATCH = 2500;

/** The rows and the terms of an event, as they lie in a memory. */
interface Written {
  readonly row: readonly unknown[];
  readonly terms: readonly unknown[];
}

/**
 * How many events a second are stored, each durable when it is acknowledged, beside better-sqlite3 that
 * writes the same rows and the same terms in the same transactions at the same durability: without
 * checks, redaction, and cutting text into terms. One caller; the two take turns.
 */
export async function benchAppend(folder: string): Promise<Figures> {
  const rounds = WARM_UP + ROUNDS;
  const events = sessionEvents(7, rounds * (SINGLE + BATCH)).filter(
    // Edits also write contents, which would be another comparison.
    ({ type }) => type !== 'file_edit' && type !== 'code_intention',
  );
  const single = Math.floor((events.length * SINGLE) / (SINGLE + BATCH) / rounds);
  const batch = Math.floor(events.length / rounds) - single;
  const ours = `${folder}/ours.db`;
  const bare = `${folder}/bare.db`;
  for (const path of [ours, bare]) await (await MemoryStore.open({ path })).close();

  await using store = await MemoryStore.open({ path: ours });
  const { id } = await store.startSession({ workspace: '/home/ann/bench' });
  const writer = openBare(bare);
  const rates = { single: [] as number[], batch: [] as number[] };
  const bareRates = { single: [] as number[], batch: [] as number[] };
  let at = 0;
  for (let turn = 0; turn < rounds; turn++) {
    const part = events.slice(at, at + single);
    const many = events.slice(at + single, at + single + batch);
    at += single + batch;
    rates.single.push(
      await rate(part.length, async () => {
        for (const { type, data, ...facts } of part) await store.log(id, type, data, facts);
      }),
    );
    rates.batch.push(await rate(many.length, () => store.logMany(id, many)));
    const written = readWritten(ours, part.length + many.length);
    bareRates.single.push(
      await rate(part.length, () => {
        for (const event of written.slice(0, part.length)) writer.write([event]);
      }),
    );
    bareRates.batch.push(await rate(many.length, () => writer.write(written.slice(part.length))));
  }
  writer.close();
  const ratio = (kind: 'single' | 'batch'): number => {
    const ratios = rates[kind].map((value, place) => value / (bareRates[kind][place] ?? value));
    return round(median(ratios.slice(WARM_UP)));
  };
  const warm = (all: readonly number[]): number => round(median(all.slice(WARM_UP)));
  return {
    append_per_s: warm(rates.single),
    append_bare_per_s: warm(bareRates.single),
    append_ratio: ratio('single'),
    append_cold_ratio: round((rates.single[0] ?? 0) / (bareRates.single[0] ?? 1)),
    append_batch_per_s: warm(rates.batch),
    append_bare_batch_per_s: warm(bareRates.batch),
    append_batch_ratio: ratio('batch'),
  };
}

async function rate(count: number, work: () => unknown): Promise<number> {
  const start = performance.now();
  await work();
  return (count * 1000) / (performance.now() - start);
}

const COLUMNS =
  'key, tenant, id, session_key, sequence, timestamp, type, data_text, parent_event_id, meta, redactions, ' +
  'file_path, old_hash, new_hash, diff_hash, intention_event_id, data_size, packed';

/** The last events of a memory, and the terms that the index has of them. */
function readWritten(path: string, count: number): readonly Written[] {
  const database = new Sqlite(path);
  const index = indexOf(database);
  database.exec(`CREATE VIRTUAL TABLE temp.terms USING fts5vocab('main', '${index}', 'instance')`);
  const rows = database
    .prepare(`SELECT ${COLUMNS} FROM memory_events ORDER BY key DESC LIMIT ?`)
    .raw()
    .all(count) as unknown[][];
  const first = Number(rows.at(-1)?.[0]);
  const found = database
    .prepare('SELECT term, doc, col FROM temp.terms WHERE doc >= ? ORDER BY doc, col, offset')
    .raw()
    .all(first) as [string, number, string][];
  const names = database
    .prepare(`SELECT name FROM pragma_table_info(?)`)
    .pluck()
    .all(index) as string[];
  const terms = new Map<number, string[][]>();
  for (const [term, doc, column] of found) {
    const fields = terms.get(doc) ?? names.map(() => []);
    fields[names.indexOf(column)]?.push(term);
    terms.set(doc, fields);
  }
  database.close();
  return rows.toReversed().map((row) => ({
    row,
    terms: [
      row[0],
      ...(terms.get(Number(row[0])) ?? names.map(() => [])).map((of) => of.join(' ')),
    ],
  }));
}

function indexOf(database: Sqlite.Database): string {
  const sql = `SELECT name FROM sqlite_master WHERE type = 'table' AND sql LIKE '%USING fts5%'`;
  return String(database.prepare(sql).pluck().get());
}

/** Writes events to the tables of a memory, each call in one durable transaction. */
function openBare(path: string): { write(events: readonly Written[]): void; close(): void } {
  const database = new Sqlite(path);
  database.pragma('journal_mode = WAL');
  database.pragma('synchronous = FULL');
  database.pragma('foreign_keys = ON');
  const marks = (count: number): string => Array.from({ length: count }, () => '?').join(', ');
  database
    .prepare(
      `INSERT INTO memory_sessions (key, tenant, id, workspace_path, home_path, started_at, metadata,
         event_count, updated_at) VALUES (1, '', 's', '/', '/', '', '{}', 0, '')`,
    )
    .run();
  const count = database.prepare(
    'UPDATE memory_sessions SET event_count = event_count + ?, updated_at = ? WHERE key = 1',
  );
  const insert = database.prepare(
    `INSERT INTO memory_events (${COLUMNS}) VALUES (${marks(COLUMNS.split(',').length)})`,
  );
  const index = indexOf(database);
  const columns = database.prepare('SELECT name FROM pragma_table_info(?)').pluck().all(index);
  const put = database.prepare(
    `INSERT INTO ${index} (rowid, ${columns.join(', ')}) VALUES (${marks(columns.length + 1)})`,
  );
  const write = database.transaction((events: readonly Written[]) => {
    count.run(events.length, new Date().toISOString());
    for (const { row, terms } of events) {
      insert.run(...row);
      put.run(...terms);
    }
  });
  return { write: (events) => write.immediate(events), close: () => database.close() };
}
