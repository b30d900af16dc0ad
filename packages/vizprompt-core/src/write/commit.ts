import { createHash } from 'node:crypto';
import { type FileChange, type Statement, StorageError } from '@vizprompt/providers';
import { VizPromptError } from '../errors.ts';
import { type FlowFile, flowYamlBytes } from '../flow/flow-file.ts';
import type { Flow, StoredFlow } from '../flow/flow.ts';
import {
  nextSlot,
  type NumberedKind,
  type Slot,
  slotFile,
  FLOW_MAP,
  NODE_MAP,
} from '../format/layout.ts';
import type { IndexedFile } from '../index/node-index.ts';
import { type IndexedFlow, putNodes, settleCollisions } from '../index/project-index.ts';
import { parseNode, refresh } from '../index/refresh.ts';
import type { StoredNode, VizNode } from '../node/node.ts';
import { writeNodeXml } from '../node/node-xml.ts';
import { CONFIG_FILE } from '../project/config.ts';
import type { Project } from '../project/project.ts';
import { appendToMaps, writeMaps, METADATA_LAGS } from './metadata-files.ts';
import { recordStep } from './undo-history.ts';

/**
 * Returns the names of the next new files: after the last one of all or, in a project that is shared, in
 * the folder of this clone. The caller holds the project lock.
 */
export async function allocateFiles(
  project: Project,
  kind: NumberedKind,
  count: number,
): Promise<string[]> {
  if (count === 0) return [];
  const isShared = project.config.settings.sharing === 'git';
  const slots = isShared
    ? await allocateInOwnFolder(project, kind, count)
    : await nextSlots(project, kind, count);
  return slots.map((slot) => slotFile(kind, slot));
}

async function nextSlots(
  { config, index }: Project,
  kind: NumberedKind,
  count: number,
): Promise<Slot[]> {
  let slot = await index.files[kind].lastSlot();
  return Array.from({ length: count }, () => {
    slot = nextSlot(slot, config.settings.maxFilesPerFolder);
    return slot;
  });
}

/** The folders that writers choose from: all of eight hexadecimal digits. */
const FIRST = 0x1000_0000;
const COUNT = 0xf000_0000;

/**
 * Returns the places of the next new files of this clone, one after the other in a folder that no other
 * clone writes to. After a full folder, the next one is used. The caller holds the project lock.
 */
async function allocateInOwnFolder(
  project: Project,
  kind: NumberedKind,
  count: number,
): Promise<Slot[]> {
  const { index, config } = project;
  const { maxFilesPerFolder } = config.settings;
  const writer = await writerId(project);
  const claim = `folder:${kind}`;
  const known = await index.state.get(claim);
  const [owner, number] = known?.split(' ') ?? [];
  let folder = owner === writer ? Number(number) : await claimFolder(project, kind, writer);
  let last = await index.files[kind].lastSlot(folder);
  const slots: Slot[] = [];
  while (slots.length < count) {
    const next = last ? nextSlot(last, maxFilesPerFolder) : { folder, number: 0 };
    if (next.folder !== folder) {
      folder = await claimFolder(project, kind, writer, folder);
      last = undefined;
      continue;
    }
    slots.push(next);
    last = next;
  }
  await index.database.batch([index.state.set(claim, `${writer} ${folder}`)]);
  return slots;
}

/**
 * Returns the id of this writer. It is stored only in the cache, as nothing is lost with it: the next one
 * claims another folder. It belongs to this very `config.yaml`, so that a copy of a project's folder, cache
 * included, is another writer.
 */
async function writerId({ files, index, createId }: Project): Promise<string> {
  const config = await files.read(CONFIG_FILE);
  const place = config?.version ?? '';
  const [id, known] = (await index.state.get('writer'))?.split(' ') ?? [];
  if (id !== undefined && known === place) return id;
  const created = createId();
  await index.database.batch([index.state.set('writer', `${created} ${place}`)]);
  return created;
}

/**
 * Probes folders in an order of the writer's own until one is not used. Two clones that know nothing of
 * each other take the same one with a chance of 1 to 4 billion; git then reports a conflict, which
 * `repair` settles.
 *
 * @param full - One that has been used up in this moment, which the index does not know yet.
 */
async function claimFolder(
  { index }: Project,
  kind: NumberedKind,
  writer: string,
  full?: number,
): Promise<number> {
  for (let probe = 0; ; probe++) {
    const digest = createHash('sha256').update(`${writer} ${probe}`).digest();
    const folder = FIRST + (digest.readUInt32BE(0) % COUNT);
    if (folder !== full && !(await index.files[kind].lastSlot(folder))) return folder;
  }
}

/** A file that exists, in the version that the change was made from. */
interface Existing {
  readonly file: string;
  readonly version: string;
}

/** Changes that are written as one batch. */
export interface ProjectChanges {
  readonly newNodes?: readonly VizNode[];
  /** The keywords of new nodes, by their ids. */
  readonly newKeywords?: ReadonlyMap<string, readonly string[]>;
  readonly changedNodes?: readonly (Existing & {
    readonly node: VizNode;
    /** Default: those that the index knows. */
    readonly keywords?: readonly string[];
  })[];
  readonly deletedNodes?: readonly Existing[];
  readonly newFlows?: readonly Omit<FlowFile, 'warnings'>[];
  /** `before` is the flow as it was read, whose differences go into the index. */
  readonly changedFlows?: readonly (Existing &
    Omit<FlowFile, 'warnings'> & { readonly before: Flow })[];
  readonly deletedFlows?: readonly Existing[];
  /** An import returns no nodes: the fields of many would be remembered for nothing. */
  readonly isImport?: boolean;
  /** The name of an edit of the structure, such as `connectNodes`, which can then be undone. */
  readonly step?: string;
}

/** The nodes and flows that were written, in the order of the changes. */
export interface Committed {
  readonly newNodes: readonly StoredNode[];
  readonly changedNodes: readonly StoredNode[];
  readonly newFlows: readonly StoredFlow[];
  readonly changedFlows: readonly StoredFlow[];
}

/** The most nodes of an import whose fields are remembered for the errors of conflicts. */
const MOST_KNOWN = 64;

/** How often new file names are allocated when other processes take them at the same moment. */
const MAX_ATTEMPTS = 5;

/**
 * Writes changes: files first, as one batch, then the maps, then the index. The caller holds the
 * project lock.
 *
 * @throws VizPromptError with the code `conflict` if a file is not in the expected version.
 */
export async function commit(project: Project, changes: ProjectChanges): Promise<Committed> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await commitOnce(project, changes);
    } catch (error) {
      if (!StorageError.isInstance(error) || error.code !== 'conflict') throw error;
      // A file that the index does not know: written by hand, by git, or by a process that died.
      const { read, removed } = await refresh(project);
      const isOther = read + removed > 0 && isNameTaken(error);
      // It may be the change itself: another process wrote it, and died before indexing it.
      if (attempt < MAX_ATTEMPTS && isOther && !(await areThere(project, changes))) continue;
      throw new VizPromptError('conflict', `${error.message}: read it again and repeat`, {
        cause: error,
        context: error.context,
      });
    }
  }
}

/** Repeats a write after a conflict: a process that died may have left a file that the index did not know until then. */
export async function repeatOnConflict<T>(write: () => Promise<T>): Promise<T> {
  try {
    return await write();
  } catch (error) {
    if (!VizPromptError.isInstance(error) || error.code !== 'conflict') throw error;
    return write();
  }
}

async function areThere(
  { index }: Project,
  { newNodes = [], newFlows = [] }: ProjectChanges,
): Promise<boolean> {
  const nodes = await index.nodes.rowsOf(newNodes.map(({ id }) => id));
  const flows = new Set(newFlows.map(({ flow }) => flow.id));
  return nodes.length > 0 || (await index.flows.list()).some(({ id }) => flows.has(id));
}

function isNameTaken(error: StorageError): boolean {
  return error.context['expected'] === null;
}

async function commitOnce(project: Project, changes: ProjectChanges): Promise<Committed> {
  const { newNodes = [], changedNodes = [], deletedNodes = [] } = changes;
  const { newFlows = [], changedFlows = [], deletedFlows = [] } = changes;
  const nodeFiles = await allocateFiles(project, 'nodes', newNodes.length);
  const flowFiles = await allocateFiles(project, 'flows', newFlows.length);

  const writes: FileChange[] = [
    ...newNodes.map((node, at) => create(nodeFiles[at], writeNodeXml(node))),
    ...changedNodes.map(({ node, ...existing }) => replace(existing, writeNodeXml(node))),
    ...(await Promise.all(
      newFlows.map(async (flow, at) => create(flowFiles[at], await flowFileBytes(flow))),
    )),
    ...(await Promise.all(
      changedFlows.map(async (flow) => replace(flow, await flowFileBytes(flow, flow.before))),
    )),
    ...[...deletedNodes, ...deletedFlows].map((existing) => replace(existing, null)),
  ];
  const { step } = changes;
  const history = step === undefined ? [] : await recordStep(project, step, writes);
  const versions = await project.files.writeMany([...writes, ...history]);
  project.selfWrites.note(writes, versions);
  const stored = new Map(writes.map(({ key }, at) => [key, versions[at] ?? '']));
  const storedAt = (file = ''): Existing => ({ file, version: stored.get(file) ?? '' });

  const committed: Committed = {
    newNodes: newNodes.map((node, at) => ({ ...node, ...storedAt(nodeFiles[at]) })),
    changedNodes: changedNodes.map(({ node, file }) => ({ ...node, ...storedAt(file) })),
    newFlows: newFlows.map(({ flow }, at) => ({ ...flow, ...storedAt(flowFiles[at]) })),
    changedFlows: changedFlows.map(({ flow, file }) => ({ ...flow, ...storedAt(file) })),
  };
  const { known } = project;
  const nodes = [...committed.newNodes, ...committed.changedNodes];
  const isKnown = changes.isImport !== true || nodes.length <= MOST_KNOWN;
  if (isKnown) for (const node of nodes) known.rememberNode(node);
  for (const flow of [...committed.newFlows, ...committed.changedFlows]) {
    known.rememberFlow(flow.version, flow);
  }
  const lines = await appendToMaps(project, committed.newNodes, committed.newFlows);
  const statements = await indexFlows(project, changes, committed);
  if (deletedFlows.length > 0) statements.push(project.index.state.mapLags(FLOW_MAP));
  const hasMetadata = newNodes.some(({ tags, summary }) => tags.length > 0 || summary.text !== '');
  const hasKeywords = (changes.newKeywords?.size ?? 0) > 0;
  if (hasMetadata || hasKeywords || changedNodes.length + deletedNodes.length > 0) {
    statements.push(project.index.state.set(METADATA_LAGS, 'yes'));
  }
  const hasDuplicates = await indexNodes(project, changes, committed, [...statements, ...lines]);
  const mustRewrite = hasDuplicates || deletedNodes.length + deletedFlows.length > 0;
  if (mustRewrite) await writeMaps(project);
  return committed;
}

/** Returns the bytes of a flow file, with the comments and unknown keys of the file it was read from. */
async function flowFileBytes(file: Omit<FlowFile, 'warnings'>, before?: Flow): Promise<Uint8Array> {
  const { flow, withIds, document } = file;
  if (!document) return flowYamlBytes(flow, { withIds }, before);
  const { writeFlowFile } = await import('../flow/flow-document.ts');
  return Buffer.from(writeFlowFile(file));
}

function create(file = '', content: string | Uint8Array): FileChange {
  return { key: file, content, ifVersion: null };
}

function replace({ file, version }: Existing, content: FileChange['content']): FileChange {
  return { key: file, content, ifVersion: version };
}

/**
 * Puts nodes into the index, and runs other statements in the same transaction. Returns whether several files carry
 * an id that was touched.
 */
async function indexNodes(
  { index }: Project,
  { changedNodes = [], deletedNodes = [], newKeywords }: ProjectChanges,
  committed: Committed,
  others: readonly Statement[],
): Promise<boolean> {
  const touched = new Set<string>();
  const entries = [
    ...committed.newNodes.map((node) => {
      const keywords = newKeywords?.get(node.id);
      return { file: node.file, version: node.version, node, ...(keywords ? { keywords } : {}) };
    }),
    ...committed.changedNodes.map((node, at) => {
      const keywords = changedNodes[at]?.keywords;
      return { file: node.file, version: node.version, node, ...(keywords ? { keywords } : {}) };
    }),
  ];
  if (entries.length > 0) await putNodes(index, entries, touched, others);
  else if (others.length > 0) await index.database.batch(others);
  if (deletedNodes.length > 0) {
    const rows = await index.nodes.filed(deletedNodes.map(({ file }) => file));
    for (const { id } of rows) if (id !== null) touched.add(id);
    const removals = index.nodes.remove(rows.map((row) => row.row_id));
    await index.database.batch([...removals, index.state.mapLags(NODE_MAP)]);
  }
  return (await settleCollisions(index, [...touched])).size > 0;
}

async function indexFlows(
  { index: { flows } }: Project,
  { changedFlows = [], deletedFlows = [] }: ProjectChanges,
  committed: Committed,
): Promise<Statement[]> {
  const statements = deletedFlows.flatMap(({ file }) => flows.remove(file));
  const put = ({ file, version, ...flow }: StoredFlow, before?: Flow): void => {
    statements.push(...flows.put({ file, version, flow, problems: [] }, before));
  };
  for (const flow of committed.newFlows) put(flow);
  for (const [at, flow] of committed.changedFlows.entries()) {
    const change = changedFlows[at];
    const isKnown = (await flows.versionOf(flow.file)) === change?.version;
    put(flow, isKnown ? change?.before : undefined);
  }
  return statements;
}

/** Emits what was written, now that it is durable. */
export function emitCommitEvents({ events }: Project, committed: Committed): void {
  for (const node of committed.newNodes) events.emit('node:created', { node });
  for (const node of committed.changedNodes) events.emit('node:updated', { node });
  for (const flow of committed.newFlows) events.emit('flow:created', { flow });
  for (const flow of committed.changedFlows) events.emit('flow:updated', { flow });
}

/** A flow file that was written; without a flow it was deleted. */
export interface WrittenFlow {
  readonly file: string;
  readonly id: string;
  readonly version: string;
  readonly entry?: Omit<IndexedFlow, 'version'>;
  /** True if there was no such file. */
  readonly isNew: boolean;
  /** The flow as the index has it, if that is known. */
  readonly before?: Flow;
}

/** A node file that was written, or deleted where the text is `null`. */
export interface WrittenNode {
  readonly file: string;
  readonly id: string;
  readonly text: string | null;
  readonly version: string;
  readonly keywords: readonly string[];
}

/** Puts files that were written as they are into the index, and brings the maps up to date. */
export async function putFiles(
  project: Project,
  flows: readonly WrittenFlow[],
  nodes: readonly WrittenNode[],
): Promise<void> {
  const { index } = project;
  const touched = new Set<string>();
  const rows = await index.nodes.filed(
    nodes.flatMap(({ file, text }) => (text === null ? [file] : [])),
  );
  for (const { id } of rows) if (id !== null) touched.add(id);
  const entries: IndexedFile[] = [];
  for (const { file, text, version, keywords } of nodes) {
    if (text !== null) entries.push({ ...(await parseNode(file, { text, version })), keywords });
  }
  if (entries.length > 0) await putNodes(index, entries, touched);
  const statements = [
    ...index.nodes.remove(rows.map((row) => row.row_id)),
    ...flows.flatMap(({ file, version, entry, before }) =>
      entry ? index.flows.put({ ...entry, version }, before) : index.flows.remove(file),
    ),
  ];
  const hasOthers = nodes.length > 0 || flows.some(({ entry, isNew }) => !entry || isNew);
  if (nodes.length > 0) statements.push(index.state.set(METADATA_LAGS, 'yes'));
  if (hasOthers) statements.push(index.state.mapLags(NODE_MAP), index.state.mapLags(FLOW_MAP));
  if (statements.length > 0) await index.database.batch(statements);
  await settleCollisions(index, [...touched]);
  if (hasOthers) await writeMaps(project);
}
