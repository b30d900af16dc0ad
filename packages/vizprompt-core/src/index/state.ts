import type { Database, Statement } from '@vizprompt/providers';
import type { FLOW_MAP, NODE_MAP } from '../project/maps.ts';

/** Small facts about a project: versions of files that are compared without reading them. */
export class IndexState {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  async get(name: string): Promise<string | undefined> {
    const [row] = await this.#database.query<{ value: string }>(
      'SELECT value FROM core_state WHERE name = ?',
      [name],
    );
    return row?.value;
  }

  /**
   * The statement by which nobody takes a map for up to date. It goes into the transaction that lets
   * the index know of files which the map does not know yet: the process may die in between.
   */
  mapLags(map: typeof NODE_MAP | typeof FLOW_MAP): Statement {
    return this.set(map, '');
  }

  /** The statement that remembers a value. */
  set(name: string, value: string): Statement {
    return {
      sql: `INSERT INTO core_state VALUES (?, ?)
            ON CONFLICT (name) DO UPDATE SET value = excluded.value`,
      params: [name, value],
    };
  }
}
