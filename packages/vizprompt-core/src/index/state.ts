import type { Database, Statement } from '@vizprompt/providers';

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

  /** The statement that remembers a value. */
  set(name: string, value: string): Statement {
    return {
      sql: `INSERT INTO core_state VALUES (?, ?)
            ON CONFLICT (name) DO UPDATE SET value = excluded.value`,
      params: [name, value],
    };
  }
}
