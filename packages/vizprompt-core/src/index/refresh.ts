import type { FileEntry, FileStore, StoredFile, TypedEvents } from '@vizprompt/providers';
import { isUnreadable, problemOf, type ProjectProblem } from '../errors.ts';
import type { VizPromptEvents } from '../events.ts';
import { flowReader } from '../flow/read-flow.ts';
import { compareFiles, FLOW_MAP, isOfKind, NODE_MAP, type NumberedKind } from '../format/layout.ts';
import { nodeReader } from '../node/read-node-xml.ts';
import type { IndexedFile } from './node-index.ts';
import {
  type IndexedFlow,
  type ProjectIndex,
  putNodes,
  settleCollisions,
} from './project-index.ts';

/** The parts of a project that a refresh works on. */
export interface RefreshContext {
  readonly files: FileStore;
  readonly index: ProjectIndex;
  readonly events: TypedEvents<VizPromptEvents>;
}

/** The result of a refresh. */
export interface RefreshReport {
  /** Files that were read, because they are new or changed. */
  readonly read: number;
  /** Files that are gone. */
  readonly removed: number;
}

/** Files that are read at once, and written to the index in one transaction. */
const BATCH = 256;
/** And not many more bytes than this: nodes may be large. */
const BATCH_BYTES = 16 << 20;
/** Reads that run side by side. */
const PARALLEL = 16;

/**
 * Brings the index up to date with the files: names, sizes and times are compared with it, and only
 * files that differ are read.
 *
 * @param keywordsOf - The keywords of a node, where they are known from elsewhere.
 */
export async function refresh(
  project: RefreshContext,
  keywordsOf: (id: string) => readonly string[] | undefined = () => undefined,
): Promise<RefreshReport> {
  const nodes = await compare(project, 'nodes');
  const flows = await compare(project, 'flows');
  const total = nodes.changed.length + flows.changed.length;
  let done = 0;
  const progress = (count: number): void => {
    done += count;
    project.events.emit('index:progress', { done, total });
  };
  if (total > 0) progress(0);

  const touched = new Set<string>();
  await removeNodes(project, nodes.removed, touched);
  for (const batch of inBatches(nodes.changed)) {
    const entries = await readAll(project.files, batch, parseNode, (file, version, problem) => ({
      file,
      version,
      problem,
    }));
    await putNodes(project.index, entries.map(withKeywords(keywordsOf)), touched);
    for (const { problem } of entries) if (problem) project.events.emit('problem:found', problem);
    progress(batch.length);
  }
  const isEverythingNew = nodes.changed.length === nodes.total;
  await reportCollisions(project, isEverythingNew ? undefined : [...touched]);

  for (const batch of inBatches(flows.changed)) {
    await putFlows(
      project,
      await readAll(project.files, batch, parseFlow, (file, version, problem) => ({
        file,
        version,
        problems: [problem],
      })),
    );
    progress(batch.length);
  }
  const { flows: flowIndex, database } = project.index;
  const removals = flows.removed.flatMap((file) => flowIndex.remove(file));
  if (removals.length > 0)
    await database.batch([...removals, project.index.state.mapLags(FLOW_MAP)]);
  if (total + nodes.removed.length + removals.length > 0) {
    for (const problem of await flowIndex.contradictions()) {
      project.events.emit('problem:found', problem);
    }
  }
  return { read: total, removed: nodes.removed.length + flows.removed.length };
}

function* inBatches(entries: readonly FileEntry[]): Generator<readonly FileEntry[]> {
  let batch: FileEntry[] = [];
  let bytes = 0;
  for (const entry of entries) {
    batch.push(entry);
    bytes += entry.size;
    if (batch.length < BATCH && bytes < BATCH_BYTES) continue;
    yield batch;
    [batch, bytes] = [[], 0];
  }
  if (batch.length > 0) yield batch;
}

interface Comparison {
  readonly changed: readonly FileEntry[];
  readonly removed: readonly string[];
  readonly total: number;
}

/** Compares folder by folder, so that no more is in memory than the files of one. */
async function compare({ files, index }: RefreshContext, kind: NumberedKind): Promise<Comparison> {
  const expected = await index.files[kind].count();
  const folders = new Map<string, Map<string, string>>();
  const changed: FileEntry[] = [];
  let total = 0;
  let known = 0;
  for await (const entry of files.list(`${kind}/`)) {
    const { key, version } = entry;
    if (!isOfKind(kind, key)) continue;
    total++;
    const folder = folderOf(key);
    let versions = folders.get(folder);
    if (!versions) {
      versions = await index.files[kind].versionsIn(folder);
      known += versions.size;
      folders.set(folder, versions);
    }
    if (versions.get(key) !== version) changed.push(entry);
    versions.delete(key);
  }
  const unseen = [...folders.values()].flatMap((versions) => [...versions.keys()]);
  if (known !== expected) {
    const all = await index.files[kind].versions();
    unseen.push(...[...all.keys()].filter((file) => !folders.has(folderOf(file))));
  }
  return {
    changed: changed.toSorted((a, b) => compareFiles(a.key, b.key)),
    removed: await missing(files, unseen),
    total,
  };
}

/** Returns the folder by which files are compared: `nodes/00/`, or `nodes/` for a file in no folder of its own. */
function folderOf(key: string): string {
  const end = key.indexOf('/', key.indexOf('/') + 1);
  return key.slice(0, (end < 0 ? key.indexOf('/') : end) + 1);
}

/** Returns those of some files that are not there: another process may have made one since its folder was listed. */
async function missing(files: FileStore, keys: readonly string[]): Promise<readonly string[]> {
  const left = new Set(keys);
  for (const folder of new Set(keys.map(folderOf))) {
    for await (const { key } of files.list(folder)) left.delete(key);
  }
  return [...left];
}

async function readAll<T>(
  files: FileStore,
  entries: readonly FileEntry[],
  parse: (file: string, stored: StoredFile) => Promise<T>,
  failed: (file: string, version: string, problem: ProjectProblem) => T,
): Promise<T[]> {
  const results: T[] = [];
  const queue = entries.entries();
  const work = async (): Promise<void> => {
    for (const [place, { key, version }] of queue) {
      try {
        const stored = await files.read(key);
        if (stored) results[place] = await parse(key, stored);
      } catch (error) {
        if (!isUnreadable(error)) throw error;
        results[place] = failed(key, version, problemOf(key, error));
      }
    }
  };
  await Promise.all(Array.from({ length: PARALLEL }, work));
  return results.filter((result) => result !== undefined);
}

/** Parses a node file for the index; one that cannot be understood becomes a problem. */
export async function parseNode(
  file: string,
  stored: Pick<StoredFile, 'text' | 'version'>,
): Promise<IndexedFile> {
  const { version } = stored;
  const { text, problem } = textOf(file, stored);
  if (problem) return { file, version, problem };
  // A parser that cannot be loaded is no fault of the file.
  const read = await nodeReader(file, text);
  try {
    return { file, version, node: read() };
  } catch (error) {
    return { file, version, problem: problemOf(file, error) };
  }
}

/** Parses a flow file for the index; one that cannot be understood becomes a problem. */
export async function parseFlow(
  file: string,
  stored: Pick<StoredFile, 'text' | 'version'>,
): Promise<IndexedFlow> {
  const { version } = stored;
  const { text, problem } = textOf(file, stored);
  if (problem) return { file, version, problems: [problem] };
  const read = await flowReader(file, text);
  try {
    const { flow, warnings } = read();
    const problems = warnings.map(({ place, message }): ProjectProblem => {
      return { severity: 'warning', ...place, message };
    });
    return { file, version, flow, problems };
  } catch (error) {
    return { file, version, problems: [problemOf(file, error)] };
  }
}

type TextOrProblem =
  | { readonly text: string; readonly problem?: undefined }
  | { readonly text?: undefined; readonly problem: ProjectProblem };

/** Returns the text of a file, or the problem of one whose bytes are none. */
function textOf(file: string, stored: Pick<StoredFile, 'text'>): TextOrProblem {
  try {
    return { text: stored.text };
  } catch (error) {
    return { problem: problemOf(file, error) };
  }
}

async function removeNodes(
  { index }: RefreshContext,
  files: readonly string[],
  touched: Set<string>,
): Promise<void> {
  const rows = await index.nodes.filed(files);
  for (const { id } of rows) if (id !== null) touched.add(id);
  if (rows.length === 0) return;
  const removals = index.nodes.remove(rows.map((row) => row.row_id));
  await index.database.batch([...removals, index.state.mapLags(NODE_MAP)]);
}

function withKeywords(keywordsOf: (id: string) => readonly string[] | undefined) {
  return (entry: IndexedFile): IndexedFile => {
    const keywords = entry.node && keywordsOf(entry.node.id);
    return keywords ? { ...entry, keywords } : entry;
  };
}

async function reportCollisions(project: RefreshContext, ids: string[] | undefined): Promise<void> {
  const collisions = await settleCollisions(project.index, ids);
  for (const [id, files] of collisions) project.events.emit('node:collided', { id, files });
}

async function putFlows(project: RefreshContext, entries: readonly IndexedFlow[]): Promise<void> {
  const { flows, database, state } = project.index;
  const statements = entries.flatMap((entry) => flows.put(entry));
  await database.batch([...statements, state.mapLags(FLOW_MAP)]);
  for (const { problems } of entries) {
    for (const problem of problems) project.events.emit('problem:found', problem);
  }
}
