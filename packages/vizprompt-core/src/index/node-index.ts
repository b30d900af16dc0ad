import type { Database, SqlExecutor, SqlParameter, Statement } from '@vizprompt/providers';
import { placeholders, queryIn, toStorable } from '@vizprompt/providers/internal';
import type { TextIndex, TextRow } from '@vizprompt/providers/text';
import type { ProjectProblem } from '../errors.ts';
import { timeValue } from '../format/ids-and-times.ts';
import { precedence, slotOf } from '../format/layout.ts';
import { askersOf } from '../node/edit-node.ts';
import type { VizNode } from '../node/node.ts';
import { FILE_ORDER } from './schema.ts';

/** A node file as the index takes it. */
export interface IndexedFile {
  readonly file: string;
  readonly version: string;
  /** Its content, if it could be understood. */
  readonly node?: VizNode;
  /** The problem, if it could not. */
  readonly problem?: ProjectProblem;
  /** Found by `build`; kept in `index.yaml`. */
  readonly keywords?: readonly string[];
}

/** A node file in the index. */
export interface NodeRow {
  readonly row_id: number;
  readonly file: string;
  readonly version: string;
  readonly id: string;
  readonly timestamp: string;
  readonly model: string | null;
  readonly title: string;
  /** The title of a turn with a speaker: the name, and the first words. */
  readonly spoken: string | null;
  readonly summary: string;
  /** JSON. */
  readonly tags: string;
  /** JSON. */
  readonly keywords: string;
}

/** The part of a row from which a context is built. */
export interface ContextRow {
  readonly row_id: number;
  readonly id: string;
  readonly file: string;
  readonly version: string;
  readonly title: string;
  readonly summary: string;
  readonly is_outdated: number;
  /** JSON. */
  readonly tags: string;
  /** How long prompt and response are, roughly. */
  readonly tokens: number;
  /** JSON: the names of those who asked. */
  readonly askers: string;
  /** The name of who answered. */
  readonly speaker: string | null;
}

/** The part of a row that is needed to replace it. */
export interface FiledRow {
  readonly row_id: number;
  readonly file: string;
  readonly id: string | null;
  readonly keywords: readonly string[];
}

/** A file among those that carry one id. */
export interface VersionRow {
  readonly file: string;
  readonly timestamp: string;
  readonly is_current: number;
}

const COLUMNS =
  'row_id, file, version, id, timestamp, model, title, spoken, summary, tags, keywords';
const CONTEXT_ROWS = `SELECT row_id, id, file, version, title, summary, is_outdated, tags, tokens,
  askers, speaker
  FROM core_node WHERE is_current = 1 AND`;
const INSERT_NODE = `INSERT INTO core_node VALUES (${placeholders(20)})`;
const TITLE_LENGTH = 80;

/** The node files of a project in the index. */
export class NodeIndex {
  readonly #database: Database;
  readonly #text: TextIndex;

  constructor(database: Database, text: TextIndex) {
    this.#database = database;
    this.#text = text;
  }

  /** Returns the files that carry an id, the node itself first. */
  async filesOf(id: string): Promise<string[]> {
    return ((await this.versionsById([id])).get(id) ?? []).map(({ file }) => file);
  }

  /** Returns the rows of the nodes with these ids, in no particular order. */
  async rowsOf(ids: readonly string[]): Promise<NodeRow[]> {
    const sql = `SELECT ${COLUMNS} FROM core_node WHERE is_current = 1 AND id IN`;
    return queryIn<NodeRow>(this.#database, sql, ids);
  }

  /** Returns the rows that a context needs of the nodes with these ids, in no particular order. */
  async contextRows(ids: readonly string[]): Promise<ContextRow[]> {
    return queryIn<ContextRow>(this.#database, `${CONTEXT_ROWS} id IN`, ids);
  }

  /** Returns the same of all nodes of a flow, which is faster for many. */
  async contextRowsOfFlow(file: string): Promise<ContextRow[]> {
    const sql = `${CONTEXT_ROWS} id IN (SELECT node FROM core_flow_node WHERE file = ?)`;
    return this.#database.query<ContextRow>(sql, [file]);
  }

  /** Returns the same of the nodes in the rows of these numbers. */
  async contextRowsByNumber(rows: readonly number[]): Promise<ContextRow[]> {
    return queryIn<ContextRow>(this.#database, `${CONTEXT_ROWS} row_id IN`, rows);
  }

  /** Returns the numbers of the newest rows that have one of these tags, as labels are compared. */
  async withTags(tags: readonly string[], limit: number): Promise<number[]> {
    const marks = placeholders(tags.length);
    const rows = await this.#database.query<{ row_id: number }>(
      `SELECT DISTINCT row_id FROM core_label WHERE kind = 'tag' AND label IN (${marks})
       ORDER BY row_id DESC LIMIT ?`,
      [...tags, limit],
    );
    return rows.map(({ row_id: row }) => row);
  }

  /** Returns the rows of these numbers, in no particular order. */
  async rowsByNumber(rows: readonly number[]): Promise<NodeRow[]> {
    return queryIn<NodeRow>(
      this.#database,
      `SELECT ${COLUMNS} FROM core_node WHERE row_id IN`,
      rows,
    );
  }

  /** Checks whether a file carries the id of a node that is in another file. It takes no time: both are in an index. */
  async hasOtherVersions(): Promise<boolean> {
    const rows = await this.#database.query(
      `SELECT 1 AS found FROM core_node
       WHERE is_outdated IN (0, 1) AND is_current = 0 AND id IS NOT NULL LIMIT 1`,
    );
    return rows.length > 0;
  }

  /** Returns the rows that fulfil a condition on the table `core_node`. */
  async rowsWhere(
    condition: string,
    params: readonly SqlParameter[],
    limit: number,
  ): Promise<NodeRow[]> {
    return this.#database.query<NodeRow>(
      `SELECT ${COLUMNS} FROM core_node WHERE ${condition} ORDER BY time DESC, row_id DESC LIMIT ?`,
      [...params, limit],
    );
  }

  /** Returns the ids of all nodes. */
  async ids(): Promise<Set<string>> {
    const sql = 'SELECT id FROM core_node WHERE is_current = 1';
    return new Set((await this.#database.query<{ id: string }>(sql)).map(({ id }) => id));
  }

  /** All that the node map says. */
  async mapEntries(): Promise<NodeMapEntry[]> {
    const rows = await this.#database.query<{
      file: string;
      id: string;
      timestamp: string;
      is_current: number;
    }>('SELECT file, id, timestamp, is_current FROM core_node WHERE id IS NOT NULL');
    const entries = rows.map(({ is_current: current, ...row }) => ({
      ...row,
      isCurrent: current === 1,
    }));
    return entries.some(({ isCurrent }) => !isCurrent) ? entries.toSorted(precedence) : entries;
  }

  /**
   * Returns the content of the metadata files, in the order of the files. A node that several files carry is
   * where the first of them does, as in the map: a copy of it changes nothing.
   */
  async metadata(): Promise<NodeMetadata[]> {
    const rows = await this.#database.query<
      Pick<NodeRow, 'id' | 'timestamp' | 'summary' | 'tags' | 'keywords'> & {
        readonly is_current: number;
      }
    >(
      `SELECT id, timestamp, summary, tags, keywords, is_current FROM core_node
       WHERE id IS NOT NULL ${FILE_ORDER}`,
    );
    const nodes = new Map<string, NodeMetadata | undefined>(rows.map(({ id }) => [id, undefined]));
    for (const { is_current: isCurrent, tags, keywords, ...row } of rows) {
      if (isCurrent !== 1) continue;
      nodes.set(row.id, { ...row, tags: parseList(tags), keywords: parseList(keywords) });
    }
    return [...nodes.values()].filter((node) => node !== undefined);
  }

  /** Returns the nodes whose summary is outdated, the oldest first. */
  async outdated(): Promise<NodeRow[]> {
    return this.#database.query<NodeRow>(
      `SELECT ${COLUMNS} FROM core_node WHERE is_outdated = 1 AND is_current = 1 ORDER BY row_id`,
    );
  }

  /** All tags, those of the most nodes first. Forms that differ in width or case count as one. */
  async tags(): Promise<{ tag: string; nodes: number }[]> {
    const forms = new Map<string, string>();
    const counts = new Map<string, number>();
    const rows = await this.#database.query<{ tags: string }>(
      "SELECT tags FROM core_node WHERE is_current = 1 AND tags <> '[]' ORDER BY row_id",
    );
    for (const { tags } of rows) {
      const byLabel = new Map(parseList(tags).map((tag) => [normalizeLabel(tag), tag]));
      for (const [label, tag] of byLabel) {
        if (!forms.has(label)) forms.set(label, tag);
        counts.set(label, (counts.get(label) ?? 0) + 1);
      }
    }
    return [...counts]
      .map(([label, nodes]) => ({ tag: forms.get(label) ?? label, nodes }))
      .toSorted((a, b) => b.nodes - a.nodes || (a.tag < b.tag ? -1 : 1));
  }

  /** Returns the files that could not be understood. */
  async broken(): Promise<string[]> {
    const sql = 'SELECT file FROM core_node WHERE id IS NULL ORDER BY file';
    return (await this.#database.query<{ file: string }>(sql)).map(({ file }) => file);
  }

  /** Lists the problems of files that could not be read. */
  async problems(): Promise<ProjectProblem[]> {
    const rows = await this.#database.query<{ problem: string }>(
      'SELECT problem FROM core_node WHERE problem IS NOT NULL ORDER BY file',
    );
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- written by insert()
    return rows.map(({ problem }) => JSON.parse(problem) as ProjectProblem);
  }

  /** Returns the number of the next row. */
  async nextRow(tx: SqlExecutor = this.#database): Promise<number> {
    const [row] = await tx.query<{ last: number | null }>(
      'SELECT max(row_id) AS last FROM core_node',
    );
    return (row?.last ?? 0) + 1;
  }

  /**
   * Returns the statements that add a file under a row number. It counts as the node of its id.
   *
   * @param isNew - The text index has never had a row of this number, or no longer has it. Default: `false`.
   */
  insert(row: number, entry: IndexedFile, isNew = false): Statement[] {
    const { file, version, node, problem, keywords = [] } = entry;
    const slot = slotOf('nodes', file);
    const values: SqlParameter[] = [
      row,
      file,
      version,
      slot?.folder ?? null,
      slot?.number ?? null,
      node?.id ?? null,
      node?.timestamp ?? null,
      node ? timeValue(node.timestamp) : null,
      node ? 1 : 0,
      node?.summary.isOutdated ? 1 : 0,
      node?.model === undefined ? null : toStorable(node.model),
      node ? titleOf(node) : null,
      node ? toStorable(node.summary.text) : null,
      JSON.stringify(node?.tags ?? []),
      JSON.stringify(keywords),
      problem ? JSON.stringify(problem) : null,
      node ? estimateTokens(node.prompt) + estimateTokens(node.response) : 0,
      node ? spokenOf(node) : null,
      JSON.stringify(node ? askersOf(node) : []),
      node?.speaker === undefined ? null : toStorable(node.speaker),
    ];
    return [
      { sql: INSERT_NODE, params: values },
      ...labels(row, 'tag', node?.tags ?? []),
      ...labels(row, 'keyword', keywords),
      ...(node ? this.#text.put({ ...textRow(row, node), isNew }) : []),
    ];
  }

  /** Returns the statements that give a row other keywords. */
  setKeywords(row: number, keywords: readonly string[]): Statement[] {
    const params = [JSON.stringify(keywords), row];
    return [
      { sql: 'UPDATE core_node SET keywords = ? WHERE row_id = ?', params },
      { sql: "DELETE FROM core_label WHERE kind = 'keyword' AND row_id = ?", params: [row] },
      ...labels(row, 'keyword', keywords),
    ];
  }

  /** Returns the statements that take rows away. */
  remove(rows: readonly number[]): Statement[] {
    return rows.flatMap((row) => [
      { sql: 'DELETE FROM core_node WHERE row_id = ?', params: [row] },
      { sql: 'DELETE FROM core_label WHERE row_id = ?', params: [row] },
      ...this.#text.remove(row),
    ]);
  }

  /** Returns the rows of those of these files that are in the index. */
  async filed(files: readonly string[], tx: SqlExecutor = this.#database): Promise<FiledRow[]> {
    const rows = await queryIn<Omit<FiledRow, 'keywords'> & { readonly keywords: string }>(
      tx,
      'SELECT row_id, file, id, keywords FROM core_node WHERE file IN',
      files,
    );
    return rows.map((row) => ({ ...row, keywords: parseList(row.keywords) }));
  }

  /**
   * Returns the files that carry each id, the node itself first.
   *
   * @param ids - Default: all that several files carry.
   */
  async versionsById(ids?: readonly string[]): Promise<Map<string, VersionRow[]>> {
    const select = 'SELECT id, file, timestamp, is_current FROM core_node WHERE id IN';
    const several = '(SELECT id FROM core_node GROUP BY id HAVING count(*) > 1)';
    const rows = await (ids
      ? queryIn<VersionRow & { readonly id: string }>(this.#database, select, ids)
      : this.#database.query<VersionRow & { readonly id: string }>(`${select} ${several}`));
    const found = new Map<string, VersionRow[]>();
    for (const { id, ...row } of rows) {
      const versions = found.get(id);
      if (versions) versions.push(row);
      else found.set(id, [row]);
    }
    return new Map([...found].map(([id, versions]) => [id, versions.toSorted(precedence)]));
  }

  /** Returns the statement by which a file is the node of its id, or is not. */
  setCurrent(file: string, isCurrent: boolean): Statement {
    return {
      sql: 'UPDATE core_node SET is_current = ? WHERE file = ?',
      params: [isCurrent ? 1 : 0, file],
    };
  }
}

function labels(row: number, kind: 'tag' | 'keyword', list: readonly string[]): Statement[] {
  return list.map((label) => ({
    sql: 'INSERT INTO core_label VALUES (?, ?, ?)',
    params: [kind, normalizeLabel(label), row],
  }));
}

/** Returns a column that holds a list of texts. */
export function parseList(json: string): readonly string[] {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- written by insert()
  return JSON.parse(json) as string[];
}

/** The fields of the text index. */
export const TEXT_FIELDS = { about: 2, prompt: 1.5, response: 1 } as const;

/** Characters of a prompt or a response that are searched: what is longer is data, such as an image as text. */
const MAX_INDEXED = 2_000_000;

function textRow(id: number, node: VizNode): TextRow {
  const about = `${node.summary.text}\n${node.tags.join('\n')}`;
  const cut = (text: string): string => text.slice(0, MAX_INDEXED);
  return { id, fields: { about, prompt: cut(node.prompt), response: cut(node.response) } };
}

/** Returns the first words of a node, on one line; of a turn in which nothing was said yet, who is to speak. */
export function titleOf(node: Pick<VizNode, 'prompt' | 'response' | 'speaker'>): string {
  const { prompt, response, speaker = '' } = node;
  return firstWords(prompt.trim() || response.trim() || speaker.trim());
}

/** A turn of several speakers is known by its speaker: its prompt is what another one said, or the same for all. */
function spokenOf({ speaker = '', prompt, response }: VizNode): string | null {
  const said = response.trim() || prompt.trim();
  if (speaker === '') return null;
  return firstWords(said === '' ? speaker : `${speaker}: ${said}`);
}

function firstWords(text: string): string {
  // Enough for a title, whatever the white space between its words.
  const line = text.slice(0, 100 * TITLE_LENGTH).replace(/\s\s*/g, ' ');
  const title = Array.from(line.slice(0, 2 * TITLE_LENGTH));
  const isShort = title.length <= TITLE_LENGTH;
  return toStorable(isShort ? title.join('') : `${title.slice(0, TITLE_LENGTH - 1).join('')}…`);
}

/** A file in the node map. */
export interface NodeMapEntry {
  /** The key of the file, such as `nodes/00/00.xml`. */
  readonly file: string;
  readonly id: string;
  readonly timestamp: string;
  /** It is the newest of the files that carry its id. */
  readonly isCurrent: boolean;
}

/** A node in the metadata files. */
export interface NodeMetadata {
  readonly id: string;
  readonly timestamp: string;
  readonly tags: readonly string[];
  readonly keywords: readonly string[];
  readonly summary: string;
}

/** Tags and keywords are compared without regard to width, case and outer spaces. */
export function normalizeLabel(label: string): string {
  return toStorable(label.normalize('NFKC').trim().toLowerCase());
}

/** Tokens of a character of ASCII, and of one beyond, on the average of prose. */
const ASCII = 0.25;
const WIDE = 0.8;

/**
 * Estimates the tokens of a text, roughly and at once, to compare thousands of nodes without counting
 * their tokens. It knows only how many bytes there are for each character.
 */
export function estimateTokens(text: string): number {
  const wide = Math.min(text.length, (Buffer.byteLength(text) - text.length) / 2);
  return Math.ceil(ASCII * (text.length - wide) + WIDE * wide);
}
