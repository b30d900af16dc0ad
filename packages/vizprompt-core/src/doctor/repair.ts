import type { FileChange, StoredFile } from '@vizprompt/providers';
import { formatTime } from '../format/ids-and-times.ts';
import { isOfKind } from '../format/layout.ts';
import { refresh } from '../index/refresh.ts';
import { readNodeXml } from '../node/parse-node-xml.ts';
import { settleStoredConfig } from '../project/read-config.ts';
import type { Project } from '../project/project.ts';
import { allocateFiles } from '../write/commit.ts';
import { writeMaps, adoptKeywords, writeMetadataLocked } from '../write/metadata-files.ts';
import { sameFlows } from './check.ts';
import type {
  CheckReport,
  Finding,
  RepairAction,
  RepairOptions,
  RepairReport,
} from './findings.ts';
import {
  findLost,
  type FlowFacts,
  idIn,
  idsSetAside,
  inspectFlow,
  ownIdOf,
} from './project-scan.ts';
import { type Outcome, renameNode, repairFlow, repairNode } from './repair-files.ts';
import { MissingIds } from './misnamed-ids.ts';
import { SimilarIds } from './similar-ids.ts';

const OF_DERIVED: ReadonlySet<string> = new Set<RepairAction>([
  'write-maps',
  'write-metadata',
  'refresh-cache',
]);

const OF_NODES: readonly RepairAction[] = ['split-node', 'mend-node', 'set-aside'];

/** Does what findings propose; each file is looked at again first, as it may have changed since. */
export async function repair(
  project: Project,
  plan: CheckReport | readonly Finding[],
  { missingNodes = 'remove' }: RepairOptions,
): Promise<RepairReport> {
  project.assertOpen();
  const findings = 'findings' in plan ? plan.findings : plan;
  const isChosen = ({ repair: { action } }: Finding): boolean =>
    action !== 'none' && (action !== 'remove-missing' || missingNodes === 'remove');
  const chosen = findings.filter(isChosen);
  if (chosen.length === 0) return { repaired: [], left: findings, written: [], setAside: [] };
  return project.write(async () => {
    const stale = chosen.filter(({ repair: { action } }) => action === 'refresh-cache');
    await forgetVersions(
      project,
      stale.map(({ file }) => file),
    );
    await refresh(project);
    const batch = await RepairBatch.begin(project);
    const done = await repairFiles(project, batch, chosen);
    const files = await batch.write();
    if (files.length > 0) await refresh(project);
    await adoptKeywords(project);
    const written = [
      ...files,
      ...(await writeMaps(project)),
      ...(await writeMetadataLocked(project)),
    ];
    const isDone = (finding: Finding): boolean =>
      isChosen(finding) && (OF_DERIVED.has(finding.repair.action) || done.has(finding.file));
    return {
      repaired: findings.filter(isDone),
      left: findings.filter((finding) => !isDone(finding)),
      written,
      setAside: batch.setAside,
    };
  });
}

/** Marks these files as outdated in the cache, so that they are read again. */
async function forgetVersions({ index: { database } }: Project, files: string[]): Promise<void> {
  const statements = files.map((file) => ({
    sql: `UPDATE ${isOfKind('nodes', file) ? 'core_node' : 'core_flow'} SET version = '' WHERE file = ?`,
    params: [file],
  }));
  if (statements.length > 0) await database.batch(statements);
}

type Actions = ReadonlySet<RepairAction | 'none'>;

function actionsByFile(findings: readonly Finding[]): ReadonlyMap<string, Actions> {
  const found = new Map<string, Set<RepairAction | 'none'>>();
  for (const { file, repair: proposal } of findings) {
    found.set(file, (found.get(file) ?? new Set()).add(proposal.action));
  }
  return found;
}

/** @returns The files for which there was something to do. */
async function repairFiles(
  project: Project,
  batch: RepairBatch,
  findings: readonly Finding[],
): Promise<ReadonlySet<string>> {
  const done = new Set<string>();
  const added = new Set<string>();
  const awaited = new Set(await idsSetAside(project));
  const known = await project.index.nodes.ids();
  const names = await FlowNames.load(project);
  let lost: ReadonlyMap<string, string> | undefined;
  let missing: MissingIds | undefined;
  const flows: [file: string, actions: Actions][] = [];
  for (const [file, actions] of actionsByFile(findings)) {
    if (actions.has('merge-config')) {
      const stored = await project.files.read(file);
      const settled = stored && (await settleStoredConfig(stored));
      if (!stored || !settled) continue;
      const setAside = settled.isConflict
        ? 'git left both sides of a merge in it, of which ours was taken'
        : (settled.wrongBytes ?? 'it had a slip of YAML');
      batch.add(file, stored, { content: settled.text, setAside });
      done.add(file);
    }
    if (isOfKind('flows', file)) flows.push([file, actions]);
    if (!isOfKind('nodes', file) || !OF_NODES.some((action) => actions.has(action))) continue;
    const stored = await project.files.read(file);
    const now = formatTime(project.clock());
    let outcome = stored && repairNode(file, stored, now);
    if (stored && outcome?.content === null) {
      lost ??= await findLost(project, known, names.named);
      const id = lost.get(file);
      if (id !== undefined) {
        outcome = repairNode(file, stored, now, id);
        awaited.add(id);
      }
    }
    if (stored && !outcome && actions.has('mend-node')) {
      missing ??= new MissingIds([...names.named].filter((each) => !known.has(each)));
      const id = ownIdOf(file, stored, missing);
      outcome = id === undefined ? undefined : renameNode(file, stored, id);
    }
    if (!stored || !outcome) continue;
    if (outcome.content === null) for (const id of idIn(latin(stored))) awaited.add(id);
    batch.add(file, stored, outcome);
    done.add(file);
    for (const text of [outcome.content, ...(outcome.newNodes ?? [])]) {
      if (text !== null) added.add(readNodeXml(file, text).id);
    }
  }
  const all = new Set([...known, ...added]);
  const orphans = new SimilarIds([...all].filter((id) => !names.named.has(id)));
  for (const [file, actions] of flows) {
    if ([...actions].every((action) => OF_DERIVED.has(action))) continue;
    const stored = await project.files.read(file);
    const outcome =
      stored &&
      repairFlow(file, stored, {
        isNode: (id) => all.has(id),
        meantNode: (id) => orphans.meant(id),
        createId: project.createId,
        isAwaited: (id) => awaited.has(id),
        freeAlias: (alias) => names.freeAlias(alias),
        ...names.needsOf(file, actions.has('rename-flow')),
        removesMissing: actions.has('remove-missing'),
      });
    if (!stored || !outcome) continue;
    batch.add(file, stored, outcome);
    done.add(file);
  }
  return done;
}

/** Returns the bytes of a file, each as a character: enough to find an id in what is not text. */
function latin({ data }: StoredFile): string {
  return Buffer.from(data).toString('latin1');
}

const FOLDER = 'lost+found';

/** All that a repair writes, to be written at once. */
class RepairBatch {
  readonly #project: Project;
  readonly #changes: FileChange[] = [];
  readonly #newNodes: string[] = [];
  readonly #newFlows: string[] = [];
  readonly #taken: ReadonlySet<string>;
  readonly setAside: { readonly from: string; readonly to: string }[] = [];

  private constructor(project: Project, taken: ReadonlySet<string>) {
    this.#project = project;
    this.#taken = taken;
  }

  static async begin(project: Project): Promise<RepairBatch> {
    const taken = new Set<string>();
    for await (const { key } of project.files.list(`${FOLDER}/`)) taken.add(key);
    return new RepairBatch(project, taken);
  }

  /** Adds what becomes of a file. */
  add(file: string, stored: StoredFile, { content, setAside, newNodes, newFlows }: Outcome): void {
    this.#changes.push({ key: file, content, ifVersion: stored.version });
    this.#newNodes.push(...(newNodes ?? []));
    this.#newFlows.push(...(newFlows ?? []));
    if (setAside === undefined) return;
    const to = this.#freeName(file);
    const time = formatTime(this.#project.clock());
    const note = `${file}, as it was at ${time}.\n${setAside}\n`;
    this.#changes.push(
      { key: to, content: stored.data, ifVersion: null },
      { key: `${to}.txt`, content: note, ifVersion: null },
    );
    this.setAside.push({ from: file, to });
  }

  #freeName(file: string): string {
    for (let attempt = 1; ; attempt++) {
      const name = `${FOLDER}/${file}${attempt === 1 ? '' : `.${attempt}`}`;
      if (!this.#taken.has(name) && !this.#taken.has(`${name}.txt`)) return name;
    }
  }

  /**
   * Writes everything, or nothing. The caller holds the project lock.
   *
   * @returns The files that were written.
   */
  async write(): Promise<string[]> {
    const nodes = await allocateFiles(this.#project, 'nodes', this.#newNodes.length);
    const flows = await allocateFiles(this.#project, 'flows', this.#newFlows.length);
    const create = (files: readonly string[], texts: readonly string[]): FileChange[] =>
      files.map((key, at) => ({ key, content: texts[at] ?? '', ifVersion: null }));
    const changes = [
      ...this.#changes,
      ...create(nodes, this.#newNodes),
      ...create(flows, this.#newFlows),
    ];
    if (changes.length > 0) {
      const versions = await this.#project.files.writeMany(changes);
      this.#project.selfWrites.note(changes, versions);
    }
    return changes.map(({ key }) => key);
  }
}

/** The names of the flows of a project, and which flows must be renamed. */
class FlowNames {
  readonly #aliases: Set<string>;
  readonly #doubles: ReadonlySet<string>;

  /** The ids of the nodes that flows name. */
  readonly named: ReadonlySet<string>;

  private constructor(flows: ReadonlyMap<string, FlowFacts>) {
    this.named = new Set([...flows.values()].flatMap(({ nodes }) => [...nodes.keys()]));
    this.#aliases = new Set([...flows.values()].flatMap(({ flow }) => flow?.alias ?? []));
    this.#doubles = new Set(
      sameFlows({ flows: new Map(flows) }).map(({ code, file }) => `${code} ${file}`),
    );
  }

  /** Reads all flows as they are now. */
  static async load({ files }: Project): Promise<FlowNames> {
    const flows = new Map<string, FlowFacts>();
    for await (const { key } of files.list('flows/')) {
      const stored = isOfKind('flows', key) ? await files.read(key) : null;
      if (stored) flows.set(key, inspectFlow(key, stored));
    }
    return new FlowNames(flows);
  }

  /** Returns which names of a flow must change. */
  needsOf(file: string, isMeant: boolean): { needsId: boolean; needsAlias: boolean } {
    return {
      needsId: isMeant && this.#doubles.has(`duplicate-id ${file}`),
      needsAlias: isMeant && this.#doubles.has(`duplicate-alias ${file}`),
    };
  }

  /** Returns an alias that no flow has, from now on this one: `main-2` for `main`. */
  freeAlias(alias: string): string {
    for (let number = 2; ; number++) {
      const free = `${alias}-${number}`;
      if (this.#aliases.has(free)) continue;
      this.#aliases.add(free);
      return free;
    }
  }
}
