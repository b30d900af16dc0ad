import { type Kinds, ANYTHING, FUNCTION, optional } from '@vizprompt/providers/config/internal';
import type { Unsubscribe } from '@vizprompt/providers/internal';
import { problemOf, VizPromptError } from '../errors.ts';
import { readFlow } from '../flow/read-flow.ts';
import type { StoredFlow } from '../flow/flow.ts';
import { isOfKind, type NumberedKind } from '../format/layout.ts';
import { refresh } from '../index/refresh.ts';
import { readHealthyNode } from '../node/read-node-xml.ts';
import type { Ledger, Project } from '../project/project.ts';
import { refreshProject } from './open-project.ts';

/** Options of `watch`. */
export interface WatchOptions {
  /**
   * Milliseconds between two scans of the files. Where it takes long to list them all, the pause is ten
   * times as long. Default: 1,000.
   */
  readonly pollMs?: number | undefined;
  /** Receives the error of a scan that failed; the next scan retries. Default: none. */
  readonly onError?: ((error: unknown) => void) | undefined;
}

export const WATCH_OPTIONS: Kinds<WatchOptions> = {
  pollMs: ANYTHING,
  onError: optional(FUNCTION),
};

/** Scans the files of a project periodically, until it or the project ends. */
export class ProjectWatch implements AsyncDisposable {
  readonly #project: Project;
  readonly #changes: ForeignChanges;
  readonly #pollMs: number;
  readonly #onError: (error: unknown) => void;
  readonly #end = (): Promise<void> => this[Symbol.asyncDispose]();
  #timer: NodeJS.Timeout | undefined;
  #looking: Promise<void> = Promise.resolve();
  #isEnded = false;

  private constructor(project: Project, { pollMs = 1000, onError = () => {} }: WatchOptions) {
    this.#project = project;
    this.#changes = new ForeignChanges(project);
    this.#pollMs = pollMs;
    this.#onError = onError;
  }

  /** Starts to watch. Files that exist already are not reported. */
  static async start(project: Project, options: WatchOptions): Promise<ProjectWatch> {
    const { pollMs = 1000 } = options;
    if (!Number.isSafeInteger(pollMs) || pollMs < 1) {
      const message = `pollMs is ${pollMs}: it must be a whole number above 0`;
      throw new VizPromptError('invalid-input', message);
    }
    const watch = new ProjectWatch(project, options);
    try {
      await watch.#changes.remember();
    } catch (error) {
      watch.#changes.end();
      throw error;
    }
    project.pendingOperations.add(watch.#end);
    watch.#wait(pollMs);
    return watch;
  }

  /** Stops scanning, and waits for the scan in progress. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#isEnded = true;
    clearTimeout(this.#timer);
    this.#project.pendingOperations.delete(this.#end);
    this.#changes.end();
    await this.#looking;
  }

  #wait(milliseconds: number): void {
    if (this.#isEnded) return;
    this.#timer = setTimeout(() => {
      this.#looking = this.#look().then((pause) => this.#wait(pause));
    }, milliseconds);
    this.#timer.unref();
  }

  /** @returns After how many milliseconds it looks again. */
  async #look(): Promise<number> {
    try {
      await this.#changes.look();
    } catch (error) {
      if (!this.#isEnded) this.#onError(error);
    }
    return Math.max(this.#pollMs, 10 * this.#changes.listedInMs);
  }
}

/** A file as it was seen, and whose it is. */
interface Seen {
  readonly version: string;
  readonly id?: string | undefined;
}

/** At most this many files are read under the lock: more would block other writers for too long. */
const MOST_LOCKED = 256;

/** Finds what other processes write to a project, by comparing its files with how they were seen last. */
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
    this.#ledger = project.selfWrites.keep();
    const { nodes, flows } = this.#seen;
    // The owner of a file must be known when another process removes it, and it cannot be read any more.
    this.#stops = [
      project.events.on('node:created', ({ node: { file, version, id } }) => {
        nodes.set(file, { version, id });
      }),
      project.events.on('flow:created', ({ flow: { file, version, id } }) => {
        flows.set(file, { version, id });
      }),
    ];
  }

  /** Marks all files as seen. */
  async remember(): Promise<void> {
    await refreshProject(this.#project);
    for (const kind of ['nodes', 'flows'] as const) {
      const ids = await this.#idsOf(kind);
      for (const [file, version] of await this.#project.index.files[kind].versions()) {
        this.#seen[kind].set(file, { version, id: ids.get(file) });
      }
    }
  }

  /** Stops reporting. */
  end(): void {
    this.#isEnded = true;
    this.#project.selfWrites.drop(this.#ledger);
    for (const stop of this.#stops) stop();
  }

  /** Scans all files, and reports what other processes changed since the last scan. */
  async look(): Promise<void> {
    const { selfWrites } = this.#project;
    const { begun } = selfWrites;
    if (selfWrites.isPending) return;
    const start = performance.now();
    const found = { nodes: await this.#list('nodes'), flows: await this.#list('flows') };
    this.listedInMs = performance.now() - start;
    // A write of this process may be half in it.
    if (selfWrites.begun !== begun) return;
    const own = new Map(this.#ledger);
    this.#ledger.clear();
    for (const kind of ['nodes', 'flows'] as const) this.#forgive(kind, own);
    const nodes = differing(this.#seen.nodes, found.nodes);
    const flows = differing(this.#seen.flows, found.flows);
    if (nodes.length + flows.length === 0) return;
    await this.#refresh(nodes.length + flows.length);
    await this.#tell('nodes', nodes, emitNodeChange);
    await this.#tell('flows', flows, emitFlowChange);
  }

  /** Reads changed files, if possible while they do not change: the index is shared. */
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

  /** Marks files that this process wrote as seen: they are reported already, or must not be. */
  #forgive(kind: NumberedKind, own: Ledger): void {
    const seen = this.#seen[kind];
    for (const [file, version] of own) {
      if (!isOfKind(kind, file)) continue;
      if (version === null) seen.delete(file);
      else seen.set(file, { version, id: seen.get(file)?.id });
    }
  }

  /** Reports all ids that are or were in these files, and marks the files as seen. */
  async #tell(
    kind: NumberedKind,
    files: readonly string[],
    tell: (project: Project, id: string, isKnown: boolean) => Promise<void>,
  ): Promise<void> {
    if (files.length === 0) return;
    const seen = this.#seen[kind];
    const versions = await this.#project.index.files[kind].versions();
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

/** Emits what another process did to a node, from its present state. */
async function emitNodeChange(project: Project, id: string, isKnown: boolean): Promise<void> {
  const { events, index, known } = project;
  const [file] = await index.nodes.filesOf(id);
  if (file === undefined) {
    events.emit('node:deleted', { id });
    return;
  }
  const node = await readHealthyNode(project, file);
  if (!node) return;
  known.rememberNode(node);
  events.emit(isKnown ? 'node:updated' : 'node:created', { node });
}

/** Emits what another process did to a flow, from its present state. */
async function emitFlowChange(project: Project, id: string, isKnown: boolean): Promise<void> {
  const { events, index } = project;
  const [file] = (await index.flows.known([id])).has(id) ? await index.flows.find(id) : [];
  if (file === undefined) {
    events.emit('flow:deleted', { id });
    return;
  }
  const flow = await readHealthyFlow(project, file);
  if (flow) events.emit(isKnown ? 'flow:updated' : 'flow:created', { flow });
}

async function readHealthyFlow(
  { files, events, known }: Project,
  file: string,
): Promise<StoredFlow | undefined> {
  const stored = await files.read(file);
  if (!stored) return undefined;
  try {
    const { flow } = await readFlow(file, stored.text);
    known.rememberFlow(stored.version, flow);
    return { ...flow, file, version: stored.version };
  } catch (error) {
    if (!VizPromptError.isInstance(error)) throw error;
    events.emit('problem:found', problemOf(file, error));
    return undefined;
  }
}
