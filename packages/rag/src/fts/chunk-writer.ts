import type { SqlExecutor } from '@vizprompt/providers';
import type { Chunk } from '../chunk/chunk.ts';
import type { FtsTables } from './fts-tables.ts';
import { chunkJson, type StoredChunk } from './stored-rows.ts';
import type { TermCounts } from './term-counts.ts';
import type { TermMemory } from './term-memory.ts';
import { writeWords } from './word-bytes.ts';

/** Writes the rows of chunks. */
export class ChunkWriter {
  readonly #executor: SqlExecutor;
  readonly #tables: FtsTables;
  readonly #counts: TermCounts;
  readonly #memory: TermMemory;
  /** Used again, so that the numbers stay dense. */
  readonly #free: number[] = [];
  #next: number | undefined;

  constructor(executor: SqlExecutor, tables: FtsTables, counts: TermCounts, memory: TermMemory) {
    this.#executor = executor;
    this.#tables = tables;
    this.#counts = counts;
    this.#memory = memory;
  }

  async remove({ id, chunk, words }: StoredChunk): Promise<void> {
    const { fts, chunk: facts, text } = this.#tables;
    this.#counts.remove(chunk.own, words);
    await this.#executor.execute(`DELETE FROM ${fts} WHERE rowid = ?`, [id]);
    for (const table of [facts, text]) {
      await this.#executor.execute(`DELETE FROM ${table} WHERE id = ?`, [id]);
    }
    this.#free.push(id);
  }

  async add(document: number, chunk: Chunk): Promise<void> {
    const { fts, chunk: facts, text } = this.#tables;
    const terms = this.#memory.termsOf(chunk);
    const number = (term: string, isTitle = false): number => this.#counts.numberOf(term, isTitle);
    const id = await this.#newId();
    this.#counts.add(chunk.own, terms);
    const line = [
      ...terms.words.flatMap((word) => word.terms.map((term) => number(term))),
      ...terms.titles.map((term) => number(term, true)),
    ].join(' ');
    await this.#executor.execute(`INSERT INTO ${fts} (rowid, terms) VALUES (?, ?)`, [id, line]);
    await this.#executor.execute(`INSERT INTO ${text} VALUES (?, ?, ?)`, [
      id,
      chunkJson(chunk),
      writeWords(terms, number),
    ]);
    await this.#executor.execute(`INSERT INTO ${facts} VALUES (?, ?, ?, ?, ?, ?, ?, ?)`, [
      id,
      document,
      chunk.chunkIndex,
      terms.words.length,
      chunk.own.length,
      JSON.stringify(chunk.tags),
      chunk.startLine,
      chunk.endLine,
    ]);
  }

  async move(id: number, { chunkIndex, startLine, endLine }: Chunk): Promise<void> {
    await this.#executor.execute(
      `UPDATE ${this.#tables.chunk} SET place = ?, start_line = ?, end_line = ? WHERE id = ?`,
      [chunkIndex, startLine, endLine, id],
    );
  }

  async #newId(): Promise<number> {
    const free = this.#free.pop();
    if (free !== undefined) return free;
    if (this.#next === undefined) {
      const [row] = await this.#executor.query<{ last: number }>(
        `SELECT coalesce(max(id), 0) AS last FROM ${this.#tables.chunk}`,
      );
      this.#next = (row?.last ?? 0) + 1;
    }
    return this.#next++;
  }
}
