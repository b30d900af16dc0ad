import { createId, type FileEntry, type StoredFile } from '@vizprompt/providers';
import { type FilePlace, isUnreadable, problemOf } from '../errors.ts';
import type { Flow } from '../flow/flow.ts';
import { compareFiles, isOfKind, NODE_MAP, precedence } from '../format/layout.ts';
import { conflictSides } from '../format/merge-conflict.ts';
import type { NodePart, VizNode } from '../node/node.ts';
import { decodeForbidden } from '../node/parse-xml.ts';
import { lineOf, readNodeXml } from '../node/parse-node-xml.ts';
import { type IllegalCharacter, illegalIn } from '../node/node-xml.ts';
import type { Project } from '../project/project.ts';
import { type Found, PROPOSALS } from './findings.ts';
import { decodeFile } from '../format/foreign-bytes.ts';
import { misnamedId, misnamedIds, MissingIds } from './misnamed-ids.ts';
import { findLostIds, mappedIds, writtenId } from './similar-ids.ts';
import { mendedNode, nodeConflict, readMendedFlow } from './repair-files.ts';
import { repairRawFlow } from './repair-raw-flow.ts';

const FOLDERS = ['nodes/', 'flows/', 'attachments/'];
/** Reads that run side by side. */
const PARALLEL = 16;
/** After this many files, others get a turn. */
const PAUSE = 64;

/** All files of a project as they are, read once for each version that they have. */
export class ProjectScan {
  readonly nodes: Map<string, NodeFacts> = new Map();
  readonly flows: Map<string, FlowFacts> = new Map();
  /** The keys of the attachments that are there. */
  readonly attachments: Set<string> = new Set();
  /** The ids of the nodes whose files were set aside. */
  lost: ReadonlySet<string> = new Set();
  readonly #project: Project;

  constructor(project: Project) {
    this.#project = project;
  }

  /** Reads what is new or has changed since the last time, and forgets what is gone. */
  async update(signal?: AbortSignal): Promise<void> {
    const { files, events } = this.#project;
    const changed: FileEntry[] = [];
    const gone = new Set([...this.nodes.keys(), ...this.flows.keys()]);
    this.attachments.clear();
    for (const folder of FOLDERS) {
      for await (const entry of files.list(folder)) {
        const { key, version } = entry;
        gone.delete(key);
        const facts = this.#kindOf(key);
        if (!facts) this.attachments.add(key);
        else if (facts.get(key)?.version !== version) changed.push(entry);
      }
    }
    this.lost = await idsSetAside(this.#project);
    for (const key of gone) {
      this.nodes.delete(key);
      this.flows.delete(key);
    }
    let done = 0;
    await inParallel(changed, async ({ key, version }) => {
      signal?.throwIfAborted();
      await this.#read(key, version);
      done++;
      if (done % PAUSE > 0) return;
      events.emit('check:progress', { done, total: changed.length });
      await new Promise(setImmediate);
    });
    signal?.throwIfAborted();
  }

  /** Finds the ids of node files that say none, and looks at these files again with them. */
  async findLost(): Promise<void> {
    const named = [...this.flows.values()].flatMap(({ nodes }) => [...nodes.keys()]);
    const found = await lostIdsOf(this.#project, [...this.nodes.values()], named);
    await inParallel([...found], async ([file, id]) => {
      const stored = await readable(this.#project, file);
      if (stored && stored.version === this.nodes.get(file)?.version) {
        this.nodes.set(file, inspectNode(file, stored, id));
      }
    });
    await this.#findMisnamed(new Set(named));
  }

  /** Marks the files of nodes that say the id of another node. */
  async #findMisnamed(named: ReadonlySet<string>): Promise<void> {
    const doubles = [...versionsOf(this).values()].filter(({ length }) => length > 1);
    if (doubles.length === 0) return;
    const held = new Set([...this.nodes.values()].flatMap(idsOf));
    const missing = new MissingIds([...named].filter((id) => !held.has(id)));
    const groups = doubles.map((versions) =>
      versions.flatMap(({ file }) => {
        const { node } = this.nodes.get(file) ?? {};
        return node ? [{ ...node, file }] : [];
      }),
    );
    for (const [{ file }, id] of misnamedIds(groups, missing)) {
      const { node: _, ...facts } = this.nodes.get(file) ?? {};
      if (!('version' in facts)) continue;
      const message = `its id belongs to another node: by its source or its time it is ${id}, which a flow names`;
      const finding: Found = {
        code: 'ill-formed',
        severity: 'error',
        file,
        message,
        repair: PROPOSALS.renameNode,
      };
      this.nodes.set(file, { ...facts, brokenId: id, findings: [...facts.findings, finding] });
    }
  }

  #kindOf(key: string): Map<string, NodeFacts> | Map<string, FlowFacts> | undefined {
    if (isOfKind('nodes', key)) return this.nodes;
    return isOfKind('flows', key) ? this.flows : undefined;
  }

  async #read(file: string, version: string): Promise<void> {
    const isNode = isOfKind('nodes', file);
    try {
      const stored = await this.#project.files.read(file);
      if (!stored) return;
      if (isNode) this.nodes.set(file, inspectNode(file, stored));
      else this.flows.set(file, inspectFlow(file, stored));
    } catch (error) {
      if (!isUnreadable(error)) throw error;
      const findings = [{ ...illFormed(file, error), repair: PROPOSALS.unreadable }];
      if (isNode) this.nodes.set(file, { file, version, attachments: [], findings });
      else this.flows.set(file, { file, version, isSound: false, nodes: new Map(), findings });
    }
  }
}

async function inParallel<T>(list: readonly T[], work: (each: T) => Promise<void>): Promise<void> {
  const queue = list.values();
  const worker = async (): Promise<void> => {
    for (const each of queue) await work(each);
  };
  await Promise.all(Array.from({ length: PARALLEL }, worker));
}

/** Reads a file; `null` for one that cannot be read at all, such as one beyond the limit. */
async function readable({ files }: Project, file: string): Promise<StoredFile | null> {
  try {
    return await files.read(file);
  } catch (error) {
    if (!isUnreadable(error)) throw error;
    return null;
  }
}

/**
 * Finds the ids of node files that say none, reading no other node files than the broken ones.
 *
 * @param known - The ids of the nodes that can be read.
 * @param named - The ids that flows name.
 */
export async function findLost(
  project: Project,
  known: Iterable<string>,
  named: Iterable<string>,
): Promise<ReadonlyMap<string, string>> {
  const broken: NodeFacts[] = [];
  await inParallel(await project.index.nodes.broken(), async (file) => {
    const stored = await readable(project, file);
    if (stored) broken.push(inspectNode(file, stored));
  });
  return lostIdsOf(project, broken.toSorted(byFile), named, known);
}

async function lostIdsOf(
  project: Project,
  nodes: readonly NodeFacts[],
  named: Iterable<string>,
  known: Iterable<string> = [],
): Promise<ReadonlyMap<string, string>> {
  const nameless = nodes.filter(isNameless);
  if (nameless.length === 0) return new Map();
  const held = new Set([...known, ...nodes.flatMap(idsOf)]);
  const missing = new Set([...named].filter((id) => !held.has(id)));
  const written = new Map<string, string>();
  await inParallel(nameless, async ({ file }) => {
    const stored = await readable(project, file);
    if (stored) written.set(file, writtenId(textOf(stored)));
  });
  const files = nameless.flatMap(({ file }) => {
    const id = written.get(file);
    return id === undefined ? [] : [{ file, written: id }];
  });
  const map = (await readable(project, NODE_MAP))?.data ?? [];
  return findLostIds(files, missing, mappedIds(Buffer.from(map).toString()));
}

/** Returns the id that a node file should say, where it says that of another node; see {@link misnamedId}. */
export function ownIdOf(file: string, stored: StoredFile, missing: MissingIds): string | undefined {
  const { node } = inspectNode(file, stored);
  return node && misnamedId(node, missing);
}

function byFile(a: NodeFacts, b: NodeFacts): number {
  return compareFiles(a.file, b.file);
}

/** Characters of a file in which its id is looked for. */
const HEAD = 4096;

/** Returns the beginning of a file as text, or its bytes as characters where they are no text. */
function textOf(stored: StoredFile): string {
  try {
    return decodeFile(stored).text.slice(0, HEAD);
  } catch {
    return Buffer.from(stored.data).toString('latin1', 0, HEAD);
  }
}

/** The facts of a node file that are compared, without its texts. */
export interface NodeFacts {
  readonly file: string;
  readonly version: string;
  /** Absent where the file cannot be understood. */
  readonly node?: Pick<VizNode, 'id' | 'timestamp' | 'source' | 'model' | 'tags'> & {
    readonly summary: string;
  };
  /** The id of a file that cannot be understood, as far as it can be seen. */
  readonly brokenId?: string;
  /** The ids of both sides of a conflict. */
  readonly conflicting?: readonly string[];
  /** The attachments that it names, and the lines where. */
  readonly attachments: readonly { readonly path: string; readonly line: number }[];
  readonly findings: readonly Found[];
}

/** Checks whether a file is a node of which no id can be seen. */
function isNameless({ node, brokenId, conflicting }: NodeFacts): boolean {
  return node === undefined && brokenId === undefined && conflicting === undefined;
}

function idsOf({ node, brokenId, conflicting }: NodeFacts): readonly string[] {
  return [...(conflicting ?? []), ...[node?.id, brokenId].filter((id) => id !== undefined)];
}

/**
 * Inspects a node file.
 *
 * @param lostId - Its id if the file does not say it.
 */
function inspectNode(file: string, stored: StoredFile, lostId?: string): NodeFacts {
  const { version } = stored;
  let decoded: ReturnType<typeof decodeFile>;
  try {
    decoded = decodeFile(stored);
  } catch (error) {
    const [id = lostId] = idIn(Buffer.from(stored.data).toString('latin1'));
    const known = id === undefined ? {} : { brokenId: id };
    return { file, version, ...known, attachments: [], findings: [illFormed(file, error)] };
  }
  const { text, slip } = decoded;
  try {
    if (slip !== undefined) throw new Error(slip);
    const sides = nodeConflict(file, text);
    if (sides) {
      const message = 'git left both sides of a merge in this node';
      const place = { file, line: sides.line };
      const conflicting = [sides.ours, sides.theirs].flatMap(idIn);
      return { file, version, conflicting, attachments: [], findings: [conflict(place, message)] };
    }
    const node = readNodeXml(file, text);
    const { id, timestamp, source, model, tags, summary } = node;
    const illegal = illegalIn(decodeForbidden(text));
    return {
      file,
      version,
      node: detached({ id, timestamp, source, model, tags, summary: summary.text }),
      attachments: attachmentsOf(node).map((path) => ({ path, line: lineOf(text, path) })),
      findings: illegal === undefined ? [] : [illegalFound(file, illegal)],
    };
  } catch (error) {
    const finding = illFormed(file, error);
    if (isUnreadable(error)) return { file, version, attachments: [], findings: [finding] };
    const mended = mendedNode(file, text, UNKNOWN_TIME, lostId);
    const repair = mended === undefined ? finding.repair : PROPOSALS.mendNode;
    const [id = lostId] = mended === undefined ? idIn(text) : [readNodeXml(file, mended).id];
    const known = id === undefined ? {} : { brokenId: id };
    return { file, version, ...known, attachments: [], findings: [{ ...finding, repair }] };
  }
}

/** A time for a node that has none; `repair` takes the present. */
const UNKNOWN_TIME = '1970-01-01T00:00:00Z';

/** Returns the ids of the nodes whose files are in `lost+found/`. */
export async function idsSetAside({ files }: Project): Promise<ReadonlySet<string>> {
  const ids = new Set<string>();
  for await (const { key } of files.list('lost+found/nodes/')) {
    if (key.endsWith('.txt')) continue;
    const stored = await files.read(key);
    for (const id of stored ? idIn(Buffer.from(stored.data).toString('latin1')) : []) ids.add(id);
  }
  return ids;
}

function illegalFound(file: string, { code, line }: IllegalCharacter): Found {
  const name = `U+${code.toString(16).toUpperCase().padStart(4, '0')}`;
  const message = `${name} is in it unescaped, which no XML can hold: other programs refuse the file`;
  const repair = PROPOSALS.mendNode;
  return { code: 'ill-formed', severity: 'warning', file, line, message, repair };
}

/** Returns a copy that does not keep the text of the file in memory, of which V8's strings are pieces. */
function detached(facts: object): NonNullable<NodeFacts['node']> {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the same as it was given
  return JSON.parse(JSON.stringify(facts)) as NonNullable<NodeFacts['node']>;
}

/** Returns the id in the first tag of a node file, whatever follows. */
export function idIn(text: string): string[] {
  const found = /<node\b[^>]*\bid\s*=\s*["']([0-9a-f-]{36})["']/i.exec(text);
  return found?.slice(1).map((id) => id.toLowerCase()) ?? [];
}

function conflict(place: { file: string; line: number }, message: string): Found {
  const repair = PROPOSALS.splitNode;
  return { code: 'merge-conflict', severity: 'error', ...place, message, repair };
}

/** Returns the finding of a file that cannot be read. */
function illFormed(file: string, error: unknown): Found {
  return { code: 'ill-formed', ...problemOf(file, error), repair: PROPOSALS.setAside };
}

function attachmentsOf({ promptParts, responseParts }: VizNode): string[] {
  const path = (part: NodePart): string[] =>
    part.type === 'file' && part.path !== undefined ? [part.path] : [];
  return [...new Set([...promptParts, ...responseParts].flatMap(path))];
}

/** The facts of a flow file that are compared. */
export interface FlowFacts {
  readonly file: string;
  readonly version: string;
  /** The flow as far as it can be understood. */
  readonly flow?: Pick<Flow, 'id' | 'alias' | 'name'> & { readonly connections: number };
  /** It is a flow to the rest of the package, too. */
  readonly isSound: boolean;
  /** The nodes that it names, and where. */
  readonly nodes: ReadonlyMap<string, FilePlace>;
  readonly findings: readonly Found[];
}

/** Inspects a flow file. */
export function inspectFlow(file: string, stored: StoredFile): FlowFacts {
  const none = { file, version: stored.version, isSound: false, nodes: new Map() };
  try {
    const { text, slip: wrong } = decodeFile(stored);
    const sides = conflictSides(text);
    if (sides) {
      const finding: Found = {
        code: 'merge-conflict',
        severity: 'error',
        file,
        line: sides.line,
        message: 'git left both sides of a merge in this flow',
        repair: PROPOSALS.mergeFlow,
      };
      return {
        ...none,
        nodes: nodesOfConflict(file, [sides.ours, sides.theirs]),
        findings: [finding],
      };
    }
    const context = { isNode: () => true, createId: createId };
    const { raw, slip: mended } = readMendedFlow(file, text);
    const slip = wrong === undefined ? mended : new Error(wrong);
    const { flow, places, faults } = repairRawFlow(file, raw, context);
    const { id, name, alias, connections } = flow;
    return {
      ...none,
      flow: {
        id,
        name,
        connections: connections.length,
        ...(alias === undefined ? {} : { alias }),
      },
      isSound: slip === undefined && faults.every(({ severity }) => severity === 'warning'),
      nodes: places,
      findings: [
        ...(slip === undefined ? [] : [{ ...illFormed(file, slip), repair: PROPOSALS.mendFlow }]),
        ...faults.map(({ place, ...fault }) => ({
          ...fault,
          ...place,
          // At the top level, only the head can be doubtful, and only the id ill-formed.
          line: place.line ?? lineOfField(text, fault.code === 'doubtful-flow' ? 'head' : 'id'),
          repair: PROPOSALS.mendFlow,
        })),
      ],
    };
  } catch (error) {
    return { ...none, findings: [illFormed(file, error)] };
  }
}

function lineOfField(text: string, field: string): number {
  return text.split('\n').findIndex((line) => line.startsWith(`${field}:`)) + 1 || 1;
}

/** Returns the nodes that either side of a flow in conflict names: they belong to a flow. */
function nodesOfConflict(file: string, sides: readonly string[]): Map<string, FilePlace> {
  const ids = sides.flatMap((text) => [...text.matchAll(/^  *(?:- )?id: ([0-9a-f-]{36})\s*$/gm)]);
  return new Map(ids.map(([, id = '']) => [id, { file }]));
}

/** The node files that carry each id, the node itself first. */
export type Versions = ReadonlyMap<
  string,
  readonly { readonly file: string; readonly timestamp: string }[]
>;

/** Groups the node files by their id. */
export function versionsOf({ nodes }: ProjectScan): Versions {
  const found = new Map<string, { file: string; timestamp: string }[]>();
  for (const { file, node } of nodes.values()) {
    if (!node) continue;
    const { id, timestamp } = node;
    const others = found.get(id);
    if (others) others.push({ file, timestamp });
    else found.set(id, [{ file, timestamp }]);
  }
  for (const files of found.values()) if (files.length > 1) files.sort(precedence);
  return found;
}
