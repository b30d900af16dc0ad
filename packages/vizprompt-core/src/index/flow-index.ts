import type { Database, Statement } from '@vizprompt/providers';
import type { ProjectProblem } from '../events.ts';
import type { Flow } from '../flow/flow.ts';
import { slotOf, type Slot } from '../project/layout.ts';
import type { FlowMapEntry } from '../project/maps.ts';
import { storable } from './labels.ts';

/** A flow file as the index takes it. */
export interface IndexedFlow {
  readonly file: string;
  readonly version: string;
  /** What is in it, if it could be understood. */
  readonly flow?: Flow;
  readonly problems: readonly ProjectProblem[];
}

/** What the index knows of a flow. */
export interface FlowRow {
  readonly file: string;
  readonly id: string;
  readonly alias: string | null;
  readonly name: string;
  readonly source: string | null;
  readonly updated: string;
  readonly nodes: number;
  readonly connections: number;
}

const COLUMNS = 'file, id, alias, name, source, updated, nodes, connections';

/** What is known of the flow files of a project. */
export class FlowIndex {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** The version in which each file was read. */
  async versions(): Promise<Map<string, string>> {
    const rows = await this.#database.query<{ file: string; version: string }>(
      'SELECT file, version FROM core_flow',
    );
    return new Map(rows.map(({ file, version }) => [file, version]));
  }

  /** The version in which a file was read. */
  async versionOf(file: string): Promise<string | undefined> {
    const sql = 'SELECT version FROM core_flow WHERE file = ?';
    const [row] = await this.#database.query<{ version: string }>(sql, [file]);
    return row?.version;
  }

  /** The last numbered place that is taken. */
  async lastSlot(): Promise<Slot | undefined> {
    const [slot] = await this.#database.query<{ folder: number; number: number }>(
      `SELECT folder, number FROM core_flow WHERE folder IS NOT NULL
       ORDER BY folder DESC, number DESC LIMIT 1`,
    );
    return slot;
  }

  /** All flows that could be understood, in the order of their files. */
  async list(): Promise<FlowRow[]> {
    return this.#database.query<FlowRow>(
      `SELECT ${COLUMNS} FROM core_flow WHERE id IS NOT NULL ORDER BY folder, number, file`,
    );
  }

  /**
   * The file of a flow by its id, its alias, its file name (`flows/00/00.yaml`, `00/00.yaml`,
   * `00/00`) or, where only one flow has it, its name.
   */
  async find(name: string): Promise<string | undefined> {
    const first = async (condition: string, params: readonly string[]): Promise<string[]> => {
      const sql = `SELECT file FROM core_flow WHERE ${condition} ORDER BY folder, number, file`;
      return (await this.#database.query<{ file: string }>(sql, params)).map(({ file }) => file);
    };
    const [byId] = await first('id = ?', [name]);
    if (byId) return byId;
    const [byAlias] = await first('alias = ?', [name]);
    if (byAlias) return byAlias;
    const bare = name.replace(/^flows\//, '').replace(/\.ya?ml$/, '');
    const [byFile] = await first('file IN (?, ?)', [`flows/${bare}.yaml`, `flows/${bare}.yml`]);
    if (byFile) return byFile;
    const byName = await first('name = ?', [name]);
    return byName.length === 1 ? byName[0] : undefined;
  }

  /** The files that could not be understood. */
  async broken(): Promise<string[]> {
    const sql = 'SELECT file FROM core_flow WHERE id IS NULL ORDER BY file';
    return (await this.#database.query<{ file: string }>(sql)).map(({ file }) => file);
  }

  /** The files of the flows that a node is in. */
  async filesWith(node: string): Promise<string[]> {
    const rows = await this.#database.query<{ file: string }>(
      'SELECT file FROM core_flow_node WHERE node = ? ORDER BY file',
      [node],
    );
    return rows.map(({ file }) => file);
  }

  /** All that the flow map says. */
  async mapEntries(): Promise<FlowMapEntry[]> {
    return this.#database.query<FlowMapEntry>(
      'SELECT file, id FROM core_flow WHERE id IS NOT NULL',
    );
  }

  /** What is wrong with files. */
  async problems(): Promise<ProjectProblem[]> {
    const rows = await this.#database.query<{ problem: string }>(
      'SELECT problem FROM core_flow WHERE problem IS NOT NULL ORDER BY file',
    );
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- written by put()
    return rows.flatMap(({ problem }) => JSON.parse(problem) as ProjectProblem[]);
  }

  /**
   * The statements that add a file or replace it.
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
        text === undefined ? null : storable(text),
      ),
      flow?.updated ?? null,
      flow?.nodes.length ?? 0,
      flow?.connections.length ?? 0,
      problems.length > 0 ? JSON.stringify(problems) : null,
    ];
    const old = new Set(before?.nodes.map(({ id }) => id));
    const current = new Set(flow?.nodes.map(({ id }) => id));
    return [
      { sql: 'DELETE FROM core_flow WHERE file = ?', params: [file] },
      { sql: `INSERT INTO core_flow VALUES (${params.map(() => '?').join(', ')})`, params },
      ...(before ? [] : [{ sql: 'DELETE FROM core_flow_node WHERE file = ?', params: [file] }]),
      ...[...old]
        .filter((id) => !current.has(id))
        .map((id) => ({
          sql: 'DELETE FROM core_flow_node WHERE node = ? AND file = ?',
          params: [id, file],
        })),
      ...[...current]
        .filter((id) => !old.has(id))
        .map((id) => ({ sql: 'INSERT INTO core_flow_node VALUES (?, ?)', params: [id, file] })),
    ];
  }

  /** The statements that take a file away. */
  remove(file: string): Statement[] {
    return ['core_flow', 'core_flow_node'].map((table) => ({
      sql: `DELETE FROM ${table} WHERE file = ?`,
      params: [file],
    }));
  }
}
