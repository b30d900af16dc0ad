import type { Database, Statement, Storage } from '@vizprompt/providers';
import { executeAll, toStorable } from '@vizprompt/providers/internal';
import { createTextIndex, type TextIndex } from '@vizprompt/providers/text';
import { type FLOW_MAP, NODE_MAP, type NumberedKind, type Slot } from '../format/layout.ts';
import { FlowIndex } from './flow-index.ts';
import { type IndexedFile, NodeIndex, TEXT_FIELDS } from './node-index.ts';
import { INDEX_MIGRATIONS } from './schema.ts';

/** All that is known of a project without reading its files. */
export interface ProjectIndex {
  readonly database: Database;
  readonly nodes: NodeIndex;
  readonly flows: FlowIndex;
  readonly files: Readonly<Record<NumberedKind, IndexedFiles>>;
  readonly state: IndexState;
  readonly text: TextIndex;
}

/** The name of the lock under which an index is rebuilt. */
const LOCK = 'vizprompt-index';
/** To make an empty index takes no time; a process that waits for it waits for a machine at its limit. */
const LOCK_TIMEOUT_MS = 60_000;

/** Opens the index of a project in its cache, and empties it if it was made in another way. */
export async function openProjectIndex({ files, cache }: Storage): Promise<ProjectIndex> {
  await cache.migrate('core', INDEX_MIGRATIONS);
  let text = await openText(cache);
  if (text.isStale) {
    const lock = await files.lock(LOCK, { timeoutMs: LOCK_TIMEOUT_MS });
    try {
      text = await openText(cache);
      if (text.isStale) {
        const tables = ['core_node', 'core_label', 'core_flow', 'core_flow_node', 'core_state'];
        await cache.batch(tables.map((table) => ({ sql: `DELETE FROM ${table}` })));
        await text.rebuild([]);
      }
    } finally {
      await lock.release();
    }
  }
  return {
    database: cache,
    nodes: new NodeIndex(cache, text),
    flows: new FlowIndex(cache),
    files: { nodes: new IndexedFiles(cache, 'nodes'), flows: new IndexedFiles(cache, 'flows') },
    state: new IndexState(cache),
    text,
  };
}

function openText(cache: Database): Promise<TextIndex> {
  return createTextIndex(cache, {
    name: 'core_text',
    table: 'core_node',
    key: 'row_id',
    fields: TEXT_FIELDS,
  });
}

/** Small facts about a project: versions of files that are compared without reading them. */
class IndexState {
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
   * Returns the statement by which no process takes a map for up to date. It goes into the transaction that lets
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

/**
 * Puts node files into the index, new ones and those that are known. Another process that does it at the same
 * time puts the same.
 *
 * @param touched - Takes the ids that were or are in the files.
 * @param others - Statements for the end of the same transaction: a second one would take half as long again.
 */
export async function putNodes(
  { database, nodes, state }: ProjectIndex,
  entries: readonly IndexedFile[],
  touched: Set<string>,
  others: readonly Statement[] = [],
): Promise<void> {
  await database.transaction(async (tx) => {
    const files = entries.map(({ file }) => file);
    const known = new Map((await nodes.filed(files, tx)).map((row) => [row.file, row]));
    let next = await nodes.nextRow(tx);
    if (known.size < entries.length) {
      const { sql, params } = state.mapLags(NODE_MAP);
      await tx.execute(sql, params);
    }
    function* statements(): Generator<Statement> {
      for (const entry of entries) {
        const row = known.get(entry.file);
        if (row?.id) touched.add(row.id);
        if (entry.node) touched.add(entry.node.id);
        const keywords = entry.keywords ?? row?.keywords ?? [];
        if (row) yield* nodes.remove([row.row_id]);
        const whole = { ...entry, keywords };
        yield* row ? nodes.insert(row.row_id, whole) : nodes.insert(next++, whole, true);
      }
      yield* others;
    }
    await executeAll(tx, statements());
  });
}

/**
 * Makes the newest of the files that carry one id the node.
 *
 * @param ids - Those that may have changed. Default: all.
 * @returns The files of each id that several carry, the node itself first.
 */
export async function settleCollisions(
  { database, nodes, state }: ProjectIndex,
  ids?: readonly string[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  if (ids?.length === 0) return new Map();
  const versions = await nodes.versionsById(ids);
  const statements = [...versions.values()].flatMap((rows) =>
    rows.flatMap(({ file, is_current: isCurrent }, place) => {
      const shouldBe = place === 0;
      return (isCurrent === 1) === shouldBe ? [] : [nodes.setCurrent(file, shouldBe)];
    }),
  );
  if (statements.length > 0) await database.batch([...statements, state.mapLags(NODE_MAP)]);
  const collisions = [...versions].filter(([, rows]) => rows.length > 1);
  return new Map(collisions.map(([id, rows]) => [id, rows.map(({ file }) => file)]));
}

const TABLES: Readonly<Record<NumberedKind, string>> = { nodes: 'core_node', flows: 'core_flow' };

/** The files of a kind as the index has them, whatever is in them. */
class IndexedFiles {
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
