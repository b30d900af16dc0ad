import type { Database } from '@vizprompt/providers';
import { toStorable } from '@vizprompt/providers/internal';
import type { NumberedKind, Slot } from '../format/layout.ts';

const TABLES: Readonly<Record<NumberedKind, string>> = { nodes: 'core_node', flows: 'core_flow' };

/** The files of a kind as the index has them, whatever is in them. */
export class IndexedFiles {
  readonly #database: Database;
  readonly #table: string;

  constructor(database: Database, kind: NumberedKind) {
    this.#database = database;
    this.#table = TABLES[kind];
  }

  /** Returns how many there are. */
  async count(): Promise<number> {
    const sql = `SELECT count(*) AS count FROM ${this.#table}`;
    const [row] = await this.#database.query<{ count: number }>(sql);
    return row?.count ?? 0;
  }

  /** Returns the version in which each file was read. */
  async versions(): Promise<Map<string, string>> {
    return this.#versions('1 = 1');
  }

  /** Returns the same of the files below a folder such as `nodes/00/`; of `nodes/`, only those right in it. */
  async versionsIn(folder: string): Promise<Map<string, string>> {
    // Keys are compared by their code points, and this is the next one after the slash.
    const end = `${folder.slice(0, -1)}0`;
    const isTop = folder.indexOf('/') === folder.length - 1;
    const found = await this.#versions('file >= ? AND file < ?', [folder, end].map(toStorable));
    if (!isTop) return found;
    return new Map([...found].filter(([file]) => !file.includes('/', folder.length)));
  }

  async #versions(condition: string, params: readonly string[] = []): Promise<Map<string, string>> {
    const rows = await this.#database.query<{ file: string; version: string }>(
      `SELECT file, version FROM ${this.#table} WHERE ${condition}`,
      params,
    );
    return new Map(rows.map(({ file, version }) => [file, version]));
  }

  /** Returns the last numbered place that is taken, in all folders or in one. */
  async lastSlot(folder?: number): Promise<Slot | undefined> {
    const condition = folder === undefined ? 'folder IS NOT NULL' : 'folder = ?';
    const [slot] = await this.#database.query<Slot>(
      `SELECT folder, number FROM ${this.#table} WHERE ${condition}
       ORDER BY folder DESC, number DESC LIMIT 1`,
      folder === undefined ? [] : [folder],
    );
    return slot;
  }
}
