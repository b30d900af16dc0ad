import type { Database, SqlParameter, Statement, Storage } from '@vizprompt/providers';
import {
  executeAll,
  isStorable,
  placeholders,
  queryIn,
  toStorable,
} from '@vizprompt/providers/internal';
import { createTextIndex, type TextIndex } from '@vizprompt/providers/text';
import type { ProjectProblem } from '../errors.ts';
import type { Flow } from '../flow/flow.ts';
import { timeValue } from '../format/ids-and-times.ts';
import { type FLOW_MAP, NODE_MAP, type NumberedKind, type Slot, slotOf } from '../format/layout.ts';
import { type IndexedFile, NodeIndex, TEXT_FIELDS } from './node-index.ts';
import { FILE_ORDER, INDEX_MIGRATIONS } from './schema.ts';

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

/** The columns of a flow besides its key, the file. */
const FLOW_COLUMNS =
  'version folder number id alias name source updated nodes connections problem owner meta time'.split(
    ' ',
  );

/** A flow file as the index takes it. */
export interface IndexedFlow {
  readonly file: string;
  readonly version: string;
  /** Its content, if it could be understood. */
  readonly flow?: Flow;
  readonly problems: readonly ProjectProblem[];
}

/** A flow in the index. */
interface FlowRow {
  readonly file: string;
  readonly id: string;
  readonly alias: string | null;
  readonly name: string;
  readonly source: string | null;
  readonly updated: string;
  readonly nodes: number;
  readonly connections: number;
  readonly owner: string | null;
  /** JSON. */
  readonly meta: string | null;
}

/** A place in the order of time: that of a flow which was listed. */
interface FlowPosition {
  readonly updated: string;
  readonly file: string;
}

/** The flows of a list. */
interface FlowFilter {
  /** `null`: those without one. */
  readonly owner?: string | null | undefined;
  /** Milliseconds; the first is included, the last is not. */
  readonly from?: number | undefined;
  readonly to?: number | undefined;
  /** Lists those that were changed last first, otherwise in the order of their files. */
  readonly isByTime: boolean;
  readonly after?: FlowPosition | undefined;
  readonly limit?: number | undefined;
}

const COLUMNS = 'file, id, alias, name, source, updated, nodes, connections, owner, meta';

/** The flow files of a project in the index. */
class FlowIndex {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Returns the version in which a file was read. */
  async versionOf(file: string): Promise<string | undefined> {
    const sql = 'SELECT version FROM core_flow WHERE file = ?';
    const [row] = await this.#database.query<{ version: string }>(sql, [file]);
    return row?.version;
  }

  /** Lists flows that could be understood. Default: all, in the order of their files. */
  async list(filter: FlowFilter = { isByTime: false }): Promise<FlowRow[]> {
    const { owner, from, to, isByTime, after, limit } = filter;
    if (typeof owner === 'string' && !isStorable(owner)) return [];
    const conditions = ['id IS NOT NULL'];
    const params: SqlParameter[] = [];
    const add = (condition: string, ...values: readonly SqlParameter[]): void => {
      conditions.push(condition);
      params.push(...values);
    };
    if (owner === null) add('owner IS NULL');
    if (typeof owner === 'string') add('owner = ?', owner);
    if (from !== undefined) add('time >= ?', from);
    if (to !== undefined) add('time < ?', to);
    if (after) {
      const time = timeValue(after.updated);
      add('(time < ? OR (time = ? AND file > ?))', time, time, toStorable(after.file));
    }
    if (limit !== undefined) params.push(limit);
    return this.#database.query<FlowRow>(
      `SELECT ${COLUMNS} FROM core_flow WHERE ${conditions.join(' AND ')}
       ${isByTime ? 'ORDER BY time DESC, file' : FILE_ORDER}${limit === undefined ? '' : ' LIMIT ?'}`,
      params,
    );
  }

  /** The file of the flow with an id, and nothing but the id. */
  async fileOf(id: string): Promise<string | undefined> {
    return (await this.#filesWhere('id = ?', [toStorable(id)]))[0];
  }

  /** The file of the flow with an alias. */
  async fileByAlias(alias: string): Promise<string | undefined> {
    return (await this.#filesWhere('alias = ?', [toStorable(alias)]))[0];
  }

  /**
   * Returns the files of a flow by its id, its alias, its file name (`flows/00/00.yaml`, `00/00.yaml`,
   * `00/00`) or its name, which several may have.
   */
  async find(name: string): Promise<string[]> {
    const known = toStorable(name);
    const bare = known.replace(/^flows\//, '').replace(/\.ya?ml$/, '');
    const ways: readonly (readonly [condition: string, params: readonly string[]])[] = [
      ['id = ?', [known]],
      ['alias = ?', [known]],
      ['file IN (?, ?)', [`flows/${bare}.yaml`, `flows/${bare}.yml`]],
    ];
    for (const [condition, params] of ways) {
      const [first] = await this.#filesWhere(condition, params);
      if (first !== undefined) return [first];
    }
    return this.#filesWhere('name = ?', [known]);
  }

  async #filesWhere(condition: string, params: readonly string[]): Promise<string[]> {
    const sql = `SELECT file FROM core_flow WHERE ${condition} ${FILE_ORDER}`;
    return (await this.#database.query<{ file: string }>(sql, params)).map(({ file }) => file);
  }

  /** Returns the files that could not be understood. */
  async broken(): Promise<string[]> {
    const sql = 'SELECT file FROM core_flow WHERE id IS NULL ORDER BY file';
    return (await this.#database.query<{ file: string }>(sql)).map(({ file }) => file);
  }

  /** Returns the files of the flows that a node is in. */
  async filesWith(node: string): Promise<string[]> {
    const rows = await this.#database.query<{ file: string }>(
      'SELECT file FROM core_flow_node WHERE node = ? ORDER BY file',
      [toStorable(node)],
    );
    return rows.map(({ file }) => file);
  }

  /** Returns the flows that a node is in. */
  async rowsWith(node: string): Promise<FlowRow[]> {
    return this.#database.query<FlowRow>(
      `SELECT ${COLUMNS} FROM core_flow
       WHERE id IS NOT NULL AND file IN (SELECT file FROM core_flow_node WHERE node = ?) ${FILE_ORDER}`,
      [toStorable(node)],
    );
  }

  /** Returns the ids that flows have. */
  async known(ids: readonly string[]): Promise<ReadonlySet<string>> {
    const sql = 'SELECT id FROM core_flow WHERE id IN';
    return new Set((await queryIn<{ id: string }>(this.#database, sql, ids)).map(({ id }) => id));
  }

  /** Returns the ids of the flows that each of these nodes is in. */
  async flowsOf(nodes: readonly string[]): Promise<ReadonlyMap<string, readonly string[]>> {
    const rows = await queryIn<{ node: string; id: string }>(
      this.#database,
      `SELECT core_flow_node.node AS node, core_flow.id AS id FROM core_flow_node
       JOIN core_flow ON core_flow.file = core_flow_node.file
       WHERE core_flow.id IS NOT NULL AND core_flow_node.node IN`,
      nodes,
    );
    const found = new Map<string, string[]>();
    for (const { node, id } of rows) found.set(node, [...(found.get(node) ?? []), id].toSorted());
    return found;
  }

  /** Flows that share an id or an alias, and flows that name nodes which are not there. */
  async contradictions(): Promise<ProjectProblem[]> {
    const problems: ProjectProblem[] = [];
    for (const column of ['id', 'alias']) {
      const rows = await this.#database.query<{ file: string; name: string }>(
        `SELECT file, ${column} AS name FROM core_flow WHERE ${column} IN
         (SELECT ${column} FROM core_flow GROUP BY ${column} HAVING count(*) > 1) ${FILE_ORDER}`,
      );
      const firsts = new Map<string, string>();
      for (const { file, name } of rows) {
        const first = firsts.get(name);
        if (first === undefined) firsts.set(name, file);
        else {
          const message = `the ${column} '${name}' is that of ${first} too, which is used`;
          problems.push({ severity: 'warning', file, message });
        }
      }
    }
    const missing = await this.#database.query<{ file: string; node: string }>(
      `SELECT file, node FROM core_flow_node
       WHERE node NOT IN (SELECT id FROM core_node WHERE id IS NOT NULL) ORDER BY file, node`,
    );
    for (const { file, node } of missing) {
      const message = `the node ${node} is in no file that can be read`;
      problems.push({ severity: 'warning', file, message });
    }
    return problems;
  }

  /** All that the flow map says. */
  async mapEntries(): Promise<FlowMapEntry[]> {
    return this.#database.query<FlowMapEntry>(
      'SELECT file, id FROM core_flow WHERE id IS NOT NULL',
    );
  }

  /** Lists the problems of flow files. */
  async problems(): Promise<ProjectProblem[]> {
    const rows = await this.#database.query<{ problem: string }>(
      'SELECT problem FROM core_flow WHERE problem IS NOT NULL ORDER BY file',
    );
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- written by put()
    return rows.flatMap(({ problem }) => JSON.parse(problem) as ProjectProblem[]);
  }

  /**
   * Returns the statements that add a file or replace it.
   *
   * @param before - The flow as the index has it, if that is known: only differences are written.
   */
  put(entry: IndexedFlow, before?: Flow): Statement[] {
    const { file, version, flow, problems } = entry;
    const slot = slotOf('flows', file);
    const params = [
      file,
      version,
      slot?.folder ?? null,
      slot?.number ?? null,
      flow?.id ?? null,
      ...[flow?.alias, flow?.name, flow?.source].map((text) =>
        text === undefined ? null : toStorable(text),
      ),
      flow?.updated ?? null,
      flow?.nodes.length ?? 0,
      flow?.connections.length ?? 0,
      problems.length > 0 ? JSON.stringify(problems) : null,
      flow?.owner === undefined ? null : toStorable(flow.owner),
      flow?.meta === undefined ? null : JSON.stringify(flow.meta),
      flow ? timeValue(flow.updated) : null,
    ];
    const { removed, added } = changedIds(before?.nodes ?? [], flow?.nodes ?? []);
    return [
      // Another process may index the file at the same time: its row does not hinder this one.
      {
        sql: `INSERT INTO core_flow VALUES (${placeholders(params.length)})
          ON CONFLICT (file) DO UPDATE SET ${FLOW_COLUMNS.map((name) => `${name} = excluded.${name}`).join(', ')}`,
        params,
      },
      ...(before ? [] : [{ sql: 'DELETE FROM core_flow_node WHERE file = ?', params: [file] }]),
      ...removed.map((id) => ({
        sql: 'DELETE FROM core_flow_node WHERE node = ? AND file = ?',
        params: [id, file],
      })),
      // Another process may have read the file already.
      ...added.map((id) => ({
        sql: 'INSERT INTO core_flow_node VALUES (?, ?) ON CONFLICT DO NOTHING',
        params: [id, file],
      })),
    ];
  }

  /** Returns the statements that take a file away. */
  remove(file: string): Statement[] {
    return ['core_flow', 'core_flow_node'].map((table) => ({
      sql: `DELETE FROM ${table} WHERE file = ?`,
      params: [file],
    }));
  }
}

/** Returns the ids of the nodes that only one of two versions of a flow has; most begin alike. */
function changedIds(
  before: Flow['nodes'],
  after: Flow['nodes'],
): { readonly removed: readonly string[]; readonly added: readonly string[] } {
  let same = 0;
  while (same < before.length && before[same]?.id === after[same]?.id) same++;
  const old = new Set(before.slice(same).map(({ id }) => id));
  const current = new Set(after.slice(same).map(({ id }) => id));
  return {
    removed: [...old].filter((id) => !current.has(id)),
    added: [...current].filter((id) => !old.has(id)),
  };
}

/** A file in the flow map. */
export interface FlowMapEntry {
  /** The key of the file, such as `flows/00/00.yaml`. */
  readonly file: string;
  readonly id: string;
}
