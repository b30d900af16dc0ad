import type { Database, Statement, Storage } from '@vizprompt/providers';
import { createTextIndex, type TextIndex } from '@vizprompt/providers/text';
import { type FLOW_MAP, NODE_MAP, type NumberedKind } from '../format/layout.ts';
import { FlowIndex } from './flow-index.ts';
import { IndexedFiles } from './indexed-files.ts';
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
 */
export async function putNodes(
  { database, nodes, state }: ProjectIndex,
  entries: readonly IndexedFile[],
  touched: Set<string>,
): Promise<void> {
  await database.transaction(async (tx) => {
    const files = entries.map(({ file }) => file);
    const known = new Map((await nodes.filed(files, tx)).map((row) => [row.file, row]));
    let next = await nodes.nextRow(tx);
    if (known.size < entries.length) {
      const { sql, params } = state.mapLags(NODE_MAP);
      await tx.execute(sql, params);
    }
    for (const entry of entries) {
      const row = known.get(entry.file);
      if (row?.id) touched.add(row.id);
      if (entry.node) touched.add(entry.node.id);
      const keywords = entry.keywords ?? row?.keywords ?? [];
      const statements = [
        ...(row ? nodes.remove([row.row_id]) : []),
        ...nodes.insert(row?.row_id ?? next++, { ...entry, keywords }),
      ];
      for (const { sql, params } of statements) await tx.execute(sql, params);
    }
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
