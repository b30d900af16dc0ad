import { LruMap } from '@vizprompt/providers/internal';
import { VizPromptError } from '../errors.ts';
import { type FlowFile, orderedFlow } from '../flow/flow-file.ts';
import { readFlow } from '../flow/read-flow.ts';
import { type Flow, MAIN_FLOW, type StoredFlow } from '../flow/flow.ts';
import { isUuid } from '../format/ids-and-times.ts';
import type { Project } from '../project/project.ts';
import { commit, type Committed, type ProjectChanges } from '../write/commit.ts';

/** A flow as its file has it now. */
export interface LoadedFlow extends Omit<FlowFile, 'warnings'> {
  readonly file: string;
  readonly version: string;
}

/** How many parsed flows are kept. */
const MAX_KEPT = 32;

/** Finds, reads and writes flows, and caches those used last as long as their files stay the same. */
export class FlowFiles {
  readonly #project: Project;
  readonly #kept = new LruMap<string, LoadedFlow>(MAX_KEPT);

  constructor(project: Project) {
    this.#project = project;
  }

  /**
   * Reads a flow by its id, alias, file name or name.
   *
   * @throws VizPromptError with the code `flow-not-found`, or `flow-invalid` and the place.
   */
  async load(name: string): Promise<LoadedFlow> {
    const found = await this.#find(name);
    if (found) return found;
    const { flows } = this.#project.index;
    const known = (await flows.list()).map((row) => row.alias ?? row.name);
    await this.#refuseBroken(name);
    throw new VizPromptError(
      'flow-not-found',
      `there is no flow '${name}'; ${known.length > 0 ? `there are: ${known.join(', ')}` : 'the project has none yet'}`,
      { context: { flow: name } },
    );
  }

  /**
   * Reads the flow with an id.
   *
   * @throws VizPromptError with the code `flow-not-found`.
   */
  async loadById(id: string): Promise<LoadedFlow> {
    const file = await this.#project.index.flows.fileOf(id);
    if (file !== undefined) return this.read(file);
    if (isUuid(id)) await this.#refuseBroken(id);
    throw new VizPromptError('flow-not-found', `there is no flow with the id '${id}'`, {
      context: { flow: id },
    });
  }

  /**
   * Reads a flow by any of its names; `undefined` for the main flow as long as there is none.
   *
   * @throws VizPromptError with the code `flow-not-found`, or `flow-invalid` if it is or may be in a file that is broken.
   */
  async loadIfMade(name: string): Promise<LoadedFlow | undefined> {
    if (name !== MAIN_FLOW) return this.load(name);
    const found = await this.#find(MAIN_FLOW);
    if (found) return found;
    const [broken] = await this.#project.index.flows.broken();
    // Reading it gives the error with its place.
    return broken === undefined ? undefined : this.read(broken);
  }

  async #find(name: string): Promise<LoadedFlow | undefined> {
    const { flows } = this.#project.index;
    const [file, ...others] = await flows.find(name);
    if (others.length > 0) {
      throw new VizPromptError(
        'invalid-input',
        `${others.length + 1} flows are called '${name}': name one by its file or its id: ${[file, ...others].join(', ')}`,
        { context: { flow: name, files: [file, ...others] } },
      );
    }
    return file === undefined ? undefined : this.read(file);
  }

  /** Throws the error of a broken file that may be the requested flow: its id is unreadable. */
  async #refuseBroken(name: string): Promise<void> {
    for (const file of await this.#project.index.flows.broken()) {
      const stored = await this.#project.files.read(file);
      const isMeant = name === MAIN_FLOW || stored?.text.includes(name) === true;
      if (isMeant) await this.read(file);
    }
  }

  /** Reads a flow file. */
  async read(file: string): Promise<LoadedFlow> {
    const stored = await this.#project.files.read(file);
    if (!stored) {
      throw new VizPromptError('flow-not-found', `${file} is gone`, { context: { file } });
    }
    const { version } = stored;
    const known = this.#kept.get(file);
    if (known?.version === version) return known;
    const loaded = { ...(await readFlow(file, stored.text)), file, version };
    this.#project.known.rememberFlow(version, loaded.flow);
    this.#kept.set(file, loaded);
    return loaded;
  }

  /** Writes changes, and caches the flows among them. The caller holds the project lock. */
  async commit(changes: ProjectChanges): Promise<Committed> {
    const committed = await commit(this.#project, changes);
    this.#keepWritten(changes.newFlows, committed.newFlows);
    this.#keepWritten(changes.changedFlows, committed.changedFlows);
    return committed;
  }

  #keepWritten(
    given: readonly Omit<FlowFile, 'warnings'>[] = [],
    written: readonly StoredFlow[],
  ): void {
    for (const [at, { file, version, ...flow }] of written.entries()) {
      const { document, withIds = false } = given[at] ?? {};
      // A document that was changed must be read again.
      if (document) continue;
      const isNamedById = withIds && flow.connections.length > 0;
      this.#kept.set(file, { flow: orderedFlow(flow), withIds: isNamedById, file, version });
    }
  }
}

/** Returns the change that writes a flow: to the file that it was loaded from, or to a new one. */
export function flowChange(
  { config }: Project,
  loaded: LoadedFlow | undefined,
  flow: Flow,
): Pick<ProjectChanges, 'newFlows' | 'changedFlows'> {
  if (loaded) return { changedFlows: [{ ...loaded, flow, before: loaded.flow }] };
  return { newFlows: [{ flow, withIds: config.settings.connectionIds }] };
}

/** Returns the flow of a loaded file. */
export function toStoredFlow({ flow, file, version }: LoadedFlow): StoredFlow {
  return { ...flow, file, version };
}

/** A flow with the file that it was read from. */
interface FoundFlow extends FlowFile {
  readonly file: string;
  readonly version: string;
}

/** Reads the flow with an id as its file has it now; `undefined` if there is none. */
export async function findFlowFile(
  { index, files }: Project,
  id: string,
): Promise<FoundFlow | undefined> {
  const file = await index.flows.fileOf(id);
  const stored = file === undefined ? null : await files.read(file);
  if (file === undefined || !stored) return undefined;
  return { ...(await readFlow(file, stored.text)), file, version: stored.version };
}

/**
 * Returns the flow that a node continues by default: the one flow that the node is in, or else the main flow.
 *
 * @throws VizPromptError with the code `invalid-input` if it is in several, none of them the main one.
 */
export async function flowOfNode({ index }: Project, node: string | undefined): Promise<string> {
  if (node === undefined) return MAIN_FLOW;
  const found = await index.flows.rowsWith(node);
  const [only, ...others] = found;
  if (!only || found.some(({ alias }) => alias === MAIN_FLOW)) return MAIN_FLOW;
  if (others.length === 0) return only.id;
  const names = found.map(({ name, id }) => `'${name}' (${id})`).join(', ');
  throw new VizPromptError(
    'invalid-input',
    `the node ${node} is in several flows, so say which by 'flow': ${names}`,
    { context: { node, flows: found.map(({ id }) => id) } },
  );
}
