import {
  type EraseOptions,
  type ErasureReport,
  type FileChange,
  purgeStorage,
} from '@vizprompt/providers';
import { Eraser, ErasureCounts, type Remainder } from '@vizprompt/providers/internal';
import type { Flow } from '../flow/flow.ts';
import type { FlowFiles } from '../graph/flow-files.ts';
import { refresh } from '../index/refresh.ts';
import { attachmentKeys, storeAttachment } from '../node/attachments.ts';
import type { StoredNode, VizNode } from '../node/node.ts';
import { readHealthyNode } from '../node/read-node-xml.ts';
import type { Project } from '../project/project.ts';
import { commit, type ProjectChanges } from '../write/commit.ts';
import { writeMaps, writeMetadataLocked } from '../write/metadata-files.ts';
import {
  brokenWith,
  cleanedFiles,
  forgetSteps,
  nodeFiles,
  orphanedAttachments,
  remainsOf,
  setAsideWith,
  stepsWith,
} from './erase-files.ts';
import {
  cleanNode,
  eraseNode,
  filesOnlyIn,
  isMentionedIn,
  learnNode,
  type MovedFile,
} from './erase-node.ts';

/** Nodes that are written at once. */
const BATCH = 64;

/**
 * Erases what a speaker said. First all copies are replaced, then the originals, then the files are rewritten, so that
 * one that was stopped in between still finds everything when it is called again.
 *
 * @param folder - The folder of the project; absent on a storage of the caller.
 */
export async function eraseSpeaker(
  project: Project,
  flows: FlowFiles,
  folder: string | undefined,
  options: EraseOptions,
): Promise<ErasureReport> {
  const { dryRun = false } = options;
  const erasure = new Erasure(project, flows, options);
  const report = dryRun ? await erasure.run() : await project.write(() => erasure.run());
  if (!dryRun) await purgeStorage(project.storage);
  return { ...report, remains: [...report.remains, ...remainsOf(project, folder)] };
}

class Erasure {
  readonly #project: Project;
  readonly #flows: FlowFiles;
  readonly #options: EraseOptions;
  readonly #eraser: Eraser;
  readonly #counts = new ErasureCounts();
  /** Files of others that held copies, and what replaced them. */
  readonly #moved = new Map<string, MovedFile>();

  constructor(project: Project, flows: FlowFiles, options: EraseOptions) {
    this.#project = project;
    this.#flows = flows;
    this.#options = options;
    this.#eraser = new Eraser(options.speaker, options);
  }

  async run(): Promise<ErasureReport> {
    const { speaker, dryRun = false } = this.#options;
    const project = this.#project;
    if (!dryRun) await refresh(project);
    const files = await nodeFiles(project);
    const said = new Set<string>();
    const attached = new Set<string>();
    const named = new Set<string>();
    await this.#each(files, (node) => {
      if (learnNode(node, this.#eraser)) said.add(node.file);
      for (const key of attachmentKeys([node])) named.add(key);
      for (const key of attachmentKeys([eraseNode(node, this.#eraser).node])) attached.add(key);
    });
    await this.#cleanAttachments(attached);
    const orphaned = await this.#orphanedCopies(named);
    const gone = new Set([...this.#moved.keys(), ...orphaned]);
    const steps = await stepsWith(project, this.#eraser, gone);
    this.#counts.add('history', steps.length);
    await this.#write(await forgetSteps(project, steps));
    const aside = await setAsideWith(project, this.#eraser, gone);
    this.#counts.add('lost+found', aside.length);
    this.#counts.add('attachments', orphaned.length);
    await this.#write([...aside, ...orphaned].map((key) => ({ key, content: null })));
    await this.#eraseFlows();
    const broken = await brokenWith(project, this.#eraser);
    this.#counts.add('broken files', broken.changes.length);
    await this.#write(broken.changes);
    if (!dryRun) await this.#dropKeywords(files, said);
    const mentions = await this.#rewriteNodes('quotes', files, said, cleanNode);
    await this.#rewriteNodes('nodes', [...said], said, eraseNode);
    if (!dryRun) {
      await writeMaps(project);
      await writeMetadataLocked(project);
    }
    const remains: Remainder[] = [
      ...(mentions > 0 ? [{ place: 'mentions', count: mentions } as const] : []),
      ...(broken.mentioning > 0
        ? [{ place: 'broken-files', count: broken.mentioning } as const]
        : []),
    ];
    return { speaker, dryRun, erased: this.#counts.list(), remains };
  }

  /** Stores files without the copies in them; nodes name these from then on, and the old ones are deleted. */
  async #cleanAttachments(keys: Iterable<string>): Promise<void> {
    const { files } = this.#project;
    for await (const [key, cleaned] of cleanedFiles(this.#project, keys, this.#eraser)) {
      this.#options.signal?.throwIfAborted();
      const content = Buffer.from(cleaned.content);
      if (!this.#options.dryRun) await storeAttachment(files, content);
      this.#moved.set(key, { path: cleaned.key, size: content.length });
    }
  }

  /** Returns the stored files with copies that no node names, such as those of an erasure that was interrupted. */
  async #orphanedCopies(named: ReadonlySet<string>): Promise<readonly string[]> {
    const keys = await orphanedAttachments(this.#project, named);
    const found: string[] = [];
    for await (const [key] of cleanedFiles(this.#project, keys, this.#eraser)) found.push(key);
    return found;
  }

  /** Keywords are copies of a summary, and nothing names their words once that is rewritten: they go first. */
  async #dropKeywords(files: readonly string[], said: ReadonlySet<string>): Promise<void> {
    const changed: string[] = [];
    await this.#each(files, (before) => {
      const { node } = cleanNode(before, this.#eraser, this.#moved);
      const after = said.has(before.file) ? eraseNode(node, this.#eraser).node : node;
      if (after.summary !== before.summary) changed.push(before.id);
    });
    const { nodes, database } = this.#project.index;
    const rows = (await nodes.rowsOf(changed)).filter(({ keywords }) => keywords !== '[]');
    if (rows.length === 0) return;
    await database.batch(rows.flatMap(({ row_id: row }) => nodes.setKeywords(row, [])));
    await writeMetadataLocked(this.#project);
  }

  /** @returns How many nodes mention the name afterwards. */
  async #rewriteNodes(
    place: 'quotes' | 'nodes',
    files: readonly string[],
    said: ReadonlySet<string>,
    rewrite: typeof cleanNode,
  ): Promise<number> {
    let mentions = 0;
    let changes: NonNullable<ProjectChanges['changedNodes']>[number][] = [];
    const dropped: string[] = [];
    await this.#each(
      files,
      ({ file, version, ...before }) => {
        const { node, hasChanged } = rewrite(before, this.#eraser, this.#moved);
        if (isMentionedIn(eraseNode(node, this.#eraser).node, this.#eraser)) mentions++;
        if (!hasChanged) return;
        // Those that the speaker also spoke in are counted as nodes.
        if (place === 'nodes' || !said.has(file)) this.#counts.add(place);
        dropped.push(...filesOnlyIn(before, node));
        // Keywords are taken from texts that are gone.
        const keywords = before.summary === node.summary ? {} : { keywords: [] };
        changes.push({ file, version, node, ...keywords });
      },
      async () => {
        await this.#commit({ changedNodes: changes });
        changes = [];
      },
    );
    await this.#dropAttachments(dropped);
    return mentions;
  }

  async #dropAttachments(dropped: readonly string[]): Promise<void> {
    if (dropped.length === 0) return;
    const named = new Set<string>();
    await this.#each(await nodeFiles(this.#project), (node) => {
      const left = this.#options.dryRun ? this.#erased(node) : node;
      for (const key of attachmentKeys([left])) named.add(key);
    });
    const orphaned = await orphanedAttachments(this.#project, named);
    const gone = orphaned.filter((key) => dropped.includes(key));
    this.#counts.add('attachments', gone.length);
    await this.#write(gone.map((key) => ({ key, content: null })));
  }

  /** Returns a node as it will be. */
  #erased(node: StoredNode): VizNode {
    return eraseNode(cleanNode(node, this.#eraser, this.#moved).node, this.#eraser).node;
  }

  async #eraseFlows(): Promise<void> {
    const changed: NonNullable<ProjectChanges['changedFlows']>[number][] = [];
    for (const { file } of await this.#project.index.flows.list()) {
      const loaded = await this.#flows.read(file);
      const flow = this.#cleanFlow(loaded.flow);
      if (JSON.stringify(flow) === JSON.stringify(loaded.flow)) continue;
      changed.push({ ...loaded, flow, before: loaded.flow });
    }
    this.#counts.add('flows', changed.length);
    await this.#commit({ changedFlows: changed });
  }

  #cleanFlow(flow: Flow): Flow {
    const clean = (text: string): string =>
      this.#eraser.isTakenFrom(text) || this.#eraser.isSpeaker(text)
        ? this.#eraser.name(this.#options.speaker)
        : this.#eraser.clean(text);
    return {
      ...flow,
      name: clean(flow.name),
      description: clean(flow.description),
      connections: flow.connections.map((connection) =>
        connection.branch === undefined
          ? connection
          : { ...connection, branch: clean(connection.branch) },
      ),
    };
  }

  /** Reads nodes one after the other; those that cannot be understood are left out. */
  async #each(
    files: readonly string[],
    work: (node: StoredNode) => void,
    flush: () => Promise<void> = async () => undefined,
  ): Promise<void> {
    for (const [at, file] of files.entries()) {
      this.#options.signal?.throwIfAborted();
      const node = await readHealthyNode(this.#project, file);
      if (node) work(node);
      if ((at + 1) % BATCH === 0) await flush();
    }
    await flush();
  }

  async #commit(changes: ProjectChanges): Promise<void> {
    const count = (changes.changedNodes?.length ?? 0) + (changes.changedFlows?.length ?? 0);
    if (this.#options.dryRun || count === 0) return;
    const { events } = this.#project;
    const { changedNodes, changedFlows } = await commit(this.#project, changes);
    for (const node of changedNodes) events.emit('node:updated', { node });
    for (const flow of changedFlows) events.emit('flow:updated', { flow });
  }

  async #write(changes: readonly FileChange[]): Promise<void> {
    if (this.#options.dryRun || changes.length === 0) return;
    const versions = await this.#project.files.writeMany(changes);
    this.#project.selfWrites.note(changes, versions);
  }
}
