import { defined } from '../defined.ts';
import { VizPromptError } from '../errors.ts';
import { commit } from '../project/commit.ts';
import { isUuid } from '../project/ids.ts';
import type { Project } from '../project/project.ts';
import { formatTime } from '../project/time.ts';
import { addNode, assertNode, connect, disconnect, removeNode, straightLine } from './edit-flow.ts';
import {
  emptyFlow,
  MAIN_FLOW,
  toStoredFlow,
  type FlowFiles,
  type LoadedFlow,
} from './flow-files.ts';
import type { Flow, StoredFlow } from './flow.ts';

/** A flow to be made. */
export interface NewFlowOptions {
  readonly name: string;
  /** A short name that no other flow has. */
  readonly alias?: string;
  readonly description?: string;
  /** Default: a new UUID. */
  readonly id?: string;
}

/** What of a flow can be changed beside its graph. */
export interface FlowPatch {
  readonly name?: string;
  readonly alias?: string;
  readonly description?: string;
  /** The id of the node that the conversation goes on from. */
  readonly head?: string;
}

/** What a list says of a flow. */
export interface FlowSummary {
  readonly id: string;
  readonly name: string;
  readonly alias?: string;
  /** The key of its file. */
  readonly file: string;
  readonly updated: string;
  /** How many nodes it has. */
  readonly nodes: number;
  /** How many connections it has. */
  readonly connections: number;
}

/** Makes, reads, changes and deletes flows. */
export class FlowService {
  readonly #project: Project;
  readonly #flows: FlowFiles;

  constructor(project: Project, flows: FlowFiles) {
    this.#project = project;
    this.#flows = flows;
  }

  async create(options: NewFlowOptions): Promise<StoredFlow> {
    const { clock, config, createId, events } = this.#project;
    const flow = checkNames(
      emptyFlow({ id: createId(), ...defined(options), name: options.name }, clock()),
    );
    const { newFlows } = await this.#project.write(async () => {
      await this.#assertFree(flow, [flow.id, flow.alias]);
      const withIds = config.settings.connectionIds;
      return commit(this.#project, { newFlows: [{ flow, withIds }] });
    });
    const created = only(newFlows);
    events.emit('flow:created', { flow: created });
    return created;
  }

  async get(name: string): Promise<StoredFlow> {
    this.#project.assertOpen();
    return toStoredFlow(await this.#flows.load(name));
  }

  /** A flow; `undefined` for the main flow as long as there is none. */
  async getIfMade(name: string): Promise<StoredFlow | undefined> {
    this.#project.assertOpen();
    const loaded = await this.#load(name);
    return loaded && toStoredFlow(loaded);
  }

  async list(): Promise<FlowSummary[]> {
    this.#project.assertOpen();
    const rows = await this.#project.index.flows.list();
    return rows.map(({ alias, source: _source, ...row }) => ({
      ...row,
      ...(alias === null ? {} : { alias }),
    }));
  }

  async update(name: string, patch: FlowPatch): Promise<StoredFlow> {
    return this.change(name, async (flow) => {
      if (patch.head !== undefined) assertNode(flow, patch.head);
      if (patch.alias !== flow.alias) await this.#assertFree(flow, [patch.alias]);
      return checkNames({ ...flow, ...defined(patch) });
    });
  }

  async delete(name: string): Promise<void> {
    const { events } = this.#project;
    const id = await this.#project.write(async () => {
      const { file, version, flow } = await this.#flows.load(name);
      await commit(this.#project, { deletedFlows: [{ file, version }] });
      return flow.id;
    });
    events.emit('flow:deleted', { id });
  }

  async addNode(
    name: string,
    id: string,
    after: string | readonly string[] | null | undefined,
  ): Promise<StoredFlow> {
    return this.change(name, async (flow) => {
      await this.#assertExists([id]);
      const head = flow.head === undefined ? [] : [flow.head];
      const given = typeof after === 'string' ? [after] : (after ?? []);
      return addNode(flow, id, after === undefined ? head : given);
    });
  }

  async removeNode(name: string, id: string, isJoined: boolean): Promise<StoredFlow> {
    return this.change(name, async (flow) => {
      assertNode(flow, id);
      return removeNode(flow, id, isJoined);
    });
  }

  /** Nodes that are not in the flow yet join it, unconnected. */
  async connect(name: string, from: string, to: string, branch?: string): Promise<StoredFlow> {
    return this.change(name, async (flow) => {
      await this.#assertExists([from, to]);
      const joined = addNode(addNode(flow, from, []), to, []);
      return { ...connect(joined, from, to, branch), ...headOf(flow, to) };
    });
  }

  async disconnect(name: string, from: string, to: string): Promise<StoredFlow> {
    return this.change(name, async (flow) => {
      assertNode(flow, from);
      assertNode(flow, to);
      return disconnect(flow, from, to);
    });
  }

  async rebuild(name: string, ids: readonly string[]): Promise<StoredFlow> {
    return this.change(name, async (flow) => {
      await this.#assertExists(ids);
      return straightLine(flow, ids);
    });
  }

  /** Changes a flow by a function; the main flow is made if there is none. */
  async change(name: string, work: (flow: Flow) => Promise<Flow>): Promise<StoredFlow> {
    const { clock, config, createId, events } = this.#project;
    const committed = await this.#project.write(async () => {
      const loaded = await this.#load(name);
      const now = clock();
      if (loaded) {
        const flow = { ...(await work(loaded.flow)), updated: formatTime(now) };
        return commit(this.#project, { changedFlows: [{ ...loaded, flow, before: loaded.flow }] });
      }
      const flow = await work(
        emptyFlow({ id: createId(), name: MAIN_FLOW, alias: MAIN_FLOW }, now),
      );
      return commit(this.#project, {
        newFlows: [{ flow, withIds: config.settings.connectionIds }],
      });
    });
    for (const flow of committed.newFlows) events.emit('flow:created', { flow });
    for (const flow of committed.changedFlows) events.emit('flow:updated', { flow });
    return only([...committed.newFlows, ...committed.changedFlows]);
  }

  #load(name: string): Promise<LoadedFlow | undefined> {
    return name === MAIN_FLOW ? this.#flows.loadMain() : this.#flows.load(name);
  }

  async #assertExists(ids: readonly string[]): Promise<void> {
    const known = new Set((await this.#project.index.nodes.rowsOf(ids)).map((row) => row.id));
    const missing = ids.find((id) => !known.has(id));
    if (missing === undefined) return;
    throw new VizPromptError('node-not-found', `there is no node ${missing}`, {
      context: { node: missing },
    });
  }

  async #assertFree(flow: Flow, names: readonly (string | undefined)[]): Promise<void> {
    for (const { id, alias, file } of await this.#project.index.flows.list()) {
      const taken = names.find((name) => name !== undefined && (name === id || name === alias));
      if (taken === undefined || id === flow.id) continue;
      throw new VizPromptError('exists', `${file} is called '${taken}' already`, {
        context: { flow: taken, file },
      });
    }
  }
}

/** @throws VizPromptError with the code `invalid-input` for names that the file could not say. */
function checkNames(flow: Flow): Flow {
  const { id, name, alias } = flow;
  if (!isUuid(id)) throw new VizPromptError('invalid-input', `the id '${id}' is no UUID`);
  for (const [field, text] of Object.entries({ name, alias })) {
    if (text === undefined || text.trim() !== '') continue;
    throw new VizPromptError('invalid-input', `the ${field} of a flow must not be empty`);
  }
  return flow;
}

/** The head goes on only where it was: connecting is no turn of the conversation. */
function headOf(before: Flow, fallback: string): { readonly head: string } {
  return { head: before.head ?? fallback };
}

function only(flows: readonly StoredFlow[]): StoredFlow {
  const [flow] = flows;
  if (!flow) throw new Error('a commit gave no flow back');
  return flow;
}
