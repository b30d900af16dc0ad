import type { Unsubscribe } from '@vizprompt/providers';
import { refresh } from '../index/refresh.ts';
import { isOfKind, type NumberedKind } from './layout.ts';
import { refreshProject } from './open-project.ts';
import type { Ledger } from './own-writes.ts';
import type { Project } from './project.ts';
import { tellFlow, tellNode } from './tell-found.ts';

/** A file as it was seen, and whose it is. */
interface Seen {
  readonly version: string;
  readonly id?: string | undefined;
}

/** So many files are read while others wait with their writes; more would keep them waiting for too long. */
const MOST_LOCKED = 256;

/** What others write to a project: found by comparing its files with how they were seen. */
export class ForeignChanges {
  /** How long it took to list all files, in milliseconds. */
  listedInMs: number = 0;
  readonly #project: Project;
  readonly #ledger: Ledger;
  readonly #stops: readonly Unsubscribe[];
  readonly #seen: Record<NumberedKind, Map<string, Seen>> = { nodes: new Map(), flows: new Map() };
  #isEnded = false;

  constructor(project: Project) {
    this.#project = project;
    this.#ledger = project.ownWrites.keep();
    const { nodes, flows } = this.#seen;
    // Whose a file is must be known when somebody else takes it away, and nobody can read it any more.
    this.#stops = [
      project.events.on('node:created', ({ node: { file, version, id } }) => {
        nodes.set(file, { version, id });
      }),
      project.events.on('flow:created', ({ flow: { file, version, id } }) => {
        flows.set(file, { version, id });
      }),
    ];
  }

  /** Takes what is there for seen. */
  async remember(): Promise<void> {
    await refreshProject(this.#project);
    for (const kind of ['nodes', 'flows'] as const) {
      const ids = await this.#idsOf(kind);
      for (const [file, version] of await this.#project.index[kind].versions()) {
        this.#seen[kind].set(file, { version, id: ids.get(file) });
      }
    }
  }

  /** Tells nothing more. */
  end(): void {
    this.#isEnded = true;
    this.#project.ownWrites.drop(this.#ledger);
    for (const stop of this.#stops) stop();
  }

  /** Looks at all files, and tells what others changed since the last time. */
  async look(): Promise<void> {
    const { ownWrites } = this.#project;
    const { begun } = ownWrites;
    if (ownWrites.isUnderWay) return;
    const start = performance.now();
    const found = { nodes: await this.#list('nodes'), flows: await this.#list('flows') };
    this.listedInMs = performance.now() - start;
    // A write of this process may be half in it.
    if (ownWrites.begun !== begun) return;
    const own = new Map(this.#ledger);
    this.#ledger.clear();
    for (const kind of ['nodes', 'flows'] as const) this.#forgive(kind, own);
    const nodes = differing(this.#seen.nodes, found.nodes);
    const flows = differing(this.#seen.flows, found.flows);
    if (nodes.length + flows.length === 0) return;
    await this.#refresh(nodes.length + flows.length);
    await this.#tell('nodes', nodes, tellNode);
    await this.#tell('flows', flows, tellFlow);
  }

  /** Reads what is another, if possible while nobody changes it: the index is shared. */
  async #refresh(count: number): Promise<void> {
    const project = this.#project;
    if (!project.isReadOnly && count <= MOST_LOCKED) await project.write(() => refresh(project));
    await refreshProject(project);
  }

  async #list(kind: NumberedKind): Promise<ReadonlyMap<string, string>> {
    const found = new Map<string, string>();
    for await (const { key, version } of this.#project.files.list(`${kind}/`)) {
      if (isOfKind(kind, key)) found.set(key, version);
    }
    return found;
  }

  /** What this process wrote is told already, or is not to be told. */
  #forgive(kind: NumberedKind, own: Ledger): void {
    const seen = this.#seen[kind];
    for (const [file, version] of own) {
      if (!isOfKind(kind, file)) continue;
      if (version === null) seen.delete(file);
      else seen.set(file, { version, id: seen.get(file)?.id });
    }
  }

  /** Tells of all ids that lie or lay in these files, and remembers what lies there now. */
  async #tell(
    kind: NumberedKind,
    files: readonly string[],
    tell: (project: Project, id: string, isKnown: boolean) => Promise<void>,
  ): Promise<void> {
    if (files.length === 0) return;
    const seen = this.#seen[kind];
    const versions = await this.#project.index[kind].versions();
    const ids = await this.#idsOf(kind);
    const known = new Set<string | undefined>();
    // Also those that this process wrote since, whose ids are known only now.
    for (const [file, { version, id }] of seen) {
      const whose = id ?? ids.get(file);
      if (id === undefined && whose !== undefined) seen.set(file, { version, id: whose });
      known.add(whose);
    }
    const touched = new Set<string | undefined>();
    for (const file of files) {
      const [version, before, now] = [versions.get(file), seen.get(file)?.id, ids.get(file)];
      if (version === undefined) seen.delete(file);
      else seen.set(file, { version, id: now ?? before });
      // A file that is broken may be half written: what it held is not gone.
      if (version === undefined || now !== undefined) touched.add(before).add(now);
    }
    for (const id of touched) {
      if (this.#isEnded) return;
      if (id !== undefined) await tell(this.#project, id, known.has(id));
    }
  }

  async #idsOf(kind: NumberedKind): Promise<ReadonlyMap<string, string>> {
    const entries = await this.#project.index[kind].mapEntries();
    return new Map(entries.map(({ file, id }) => [file, id]));
  }
}

/** Files that are new, gone or in another version. */
function differing(
  seen: ReadonlyMap<string, Seen>,
  found: ReadonlyMap<string, string>,
): readonly string[] {
  const changed = [...found].filter(([file, version]) => seen.get(file)?.version !== version);
  const gone = [...seen.keys()].filter((file) => !found.has(file));
  return [...changed.map(([file]) => file), ...gone];
}
