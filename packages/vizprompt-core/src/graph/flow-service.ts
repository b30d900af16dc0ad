import type { JsonObject } from '@vizprompt/providers';
import {
  type Kind,
  type Kinds,
  FLAG,
  having,
  oneOf,
  optional,
  orNull,
  POSITIVE,
  TEXT,
} from '@vizprompt/providers/config/internal';
import { isJsonObject, omitUndefined as defined } from '@vizprompt/providers/internal';
import { VizPromptError } from '../errors.ts';
import {
  addNode,
  assertNode,
  connect,
  disconnect,
  emptyFlow,
  emptyMainFlow,
  removeNode,
  straightLine,
} from '../flow/flow-graph.ts';
import { type Flow, MAIN_FLOW, type StoredFlow } from '../flow/flow.ts';
import { formatTime } from '../format/ids-and-times.ts';
import {
  ALIAS,
  BRANCH_NAME,
  FLOW_NAME,
  JSON_OBJECT,
  LABEL,
  NODE_ID_OR_NONE,
  PARENTS,
} from '../input-kinds.ts';
import type { Project } from '../project/project.ts';
import { emitCommitEvents } from '../write/commit.ts';
import { flowChange, type FlowFiles, toStoredFlow } from './flow-files.ts';
import {
  assertNamesFree,
  assertNodesExist,
  checkFlowVersion,
  checkNames,
  FLOW_EDIT_OPTIONS,
  type FlowEditOptions,
} from './preconditions.ts';

/** A flow to be made. */
export interface NewFlowOptions {
  /** The name. */
  readonly name: string;
  /** A short name that no other flow has. */
  readonly alias?: string | undefined;
  /** The description. */
  readonly description?: string | undefined;
  /** Default: a new UUID. */
  readonly id?: string | undefined;
  /** Where it comes from, such as the id of a conversation elsewhere. */
  readonly source?: string | undefined;
  /** The person or account that it belongs to, as the application names it. */
  readonly owner?: string | undefined;
  /** Data that an application stores with it: an object of JSON, such as `{ archived: true }`. */
  readonly meta?: JsonObject | undefined;
}

const CODE_ONLY = { isCodeOnly: true };
/** Fields that only an application sets: a client does not choose an owner. */
const ORIGIN = {
  source: optional(TEXT, CODE_ONLY),
  owner: optional(TEXT, CODE_ONLY),
  meta: optional(JSON_OBJECT, CODE_ONLY),
};

export const NEW_FLOW_OPTIONS: Kinds<NewFlowOptions> = {
  name: LABEL,
  alias: ALIAS,
  description: optional(TEXT),
  id: optional(TEXT, CODE_ONLY),
  ...ORIGIN,
};

/** Changes of a flow besides its graph. */
export interface FlowPatch {
  readonly name?: string | undefined;
  readonly alias?: string | undefined;
  readonly description?: string | undefined;
  /** The id of the node that the conversation continues from; `null`: none, the next node begins a new one. */
  readonly head?: string | null | undefined;
  /** Where it comes from. */
  readonly source?: string | undefined;
  /** The person or account that it belongs to. */
  readonly owner?: string | undefined;
  /** Data that an application stores with it; it replaces the earlier data. */
  readonly meta?: JsonObject | undefined;
}

export const FLOW_PATCH: Kinds<FlowPatch> = {
  name: optional(LABEL),
  alias: ALIAS,
  description: optional(TEXT),
  head: optional(NODE_ID_OR_NONE, {
    en: 'The node that the conversation continues from; null: none',
  }),
  ...ORIGIN,
};

/** Which flow is meant: its id, its alias, its file name or its name. */
export interface FlowChoice {
  /** The flow, by id, alias, file name or name. Default: `'main'`. */
  readonly flow?: string | undefined;
}

export const FLOW_CHOICE: Kinds<FlowChoice> = {
  flow: optional(FLOW_NAME, { en: 'The flow. Default: main' }),
};

/** A flow by its id alone: never by an alias, a name or a file. */
export interface FlowId {
  readonly id: string;
}

export const FLOW_ID: Kinds<FlowId> = { id: TEXT };

/** Which flows are listed, and in which order. */
export interface FlowQuery {
  /** Only flows that belong to this owner; `null`: only those without one. */
  readonly owner?: string | null | undefined;
  /** Only flows that were changed at this time or later, ISO 8601. */
  readonly updatedAfter?: string | undefined;
  /** Only flows that were changed before this time, ISO 8601. */
  readonly updatedBefore?: string | undefined;
  /** `updated`: those that were changed last first. Default: `file`, the order of their files. */
  readonly order?: 'file' | 'updated' | undefined;
  /** The last flow of the page before this one, as it was listed; needs `order: 'updated'`. */
  readonly after?: Pick<FlowSummary, 'file' | 'updated'> | undefined;
  /** The most flows that are listed. Default: all. */
  readonly limit?: number | undefined;
}

const TIME: Kind<string> = {
  expected: 'a time of ISO 8601',
  accepts: (value) => typeof value === 'string' && !Number.isNaN(Date.parse(value)),
};
export const FLOW_QUERY: Kinds<FlowQuery> = {
  owner: optional(orNull(TEXT)),
  updatedAfter: optional(TIME),
  updatedBefore: optional(TIME),
  order: optional(oneOf('file', 'updated')),
  after: optional(having('a flow as it was listed', 'file', 'updated')),
  limit: optional(POSITIVE),
};

/** How a node joins a flow. */
export interface AddOptions extends FlowEditOptions {
  /** The nodes that it continues from; `null`: none. Default: the head of the flow. */
  readonly after?: string | readonly string[] | null | undefined;
}

export const ADD_OPTIONS: Kinds<AddOptions> = { ...FLOW_EDIT_OPTIONS, after: PARENTS };

/** How a node leaves a flow. */
export interface RemoveOptions extends FlowEditOptions {
  /** True if its parents are connected to its children. Default: `true`. */
  readonly join?: boolean | undefined;
}

export const REMOVE_OPTIONS: Kinds<RemoveOptions> = { ...FLOW_EDIT_OPTIONS, join: optional(FLAG) };

/** How two nodes are connected. */
export interface ConnectOptions extends FlowChoice, FlowEditOptions {
  /** The name of the branch that begins there. */
  readonly branchName?: string | undefined;
}

export const CONNECT_OPTIONS: Kinds<ConnectOptions> = {
  ...FLOW_CHOICE,
  ...FLOW_EDIT_OPTIONS,
  branchName: BRANCH_NAME,
};

/** A flow in a list. */
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
  readonly source?: string;
  readonly owner?: string;
  readonly meta?: JsonObject;
}

/** Creates, reads, changes and deletes flows. */
export class FlowService {
  readonly #project: Project;
  readonly #flows: FlowFiles;

  constructor(project: Project, flows: FlowFiles) {
    this.#project = project;
    this.#flows = flows;
  }

  async create(options: NewFlowOptions): Promise<StoredFlow> {
    return (await this.#make(options, async () => undefined)).flow;
  }

  /** Creates a flow unless there is one with its id or its alias, which is then the result. */
  async ensure(options: NewFlowOptions): Promise<StoredFlow> {
    const { id, alias } = options;
    if (id === undefined && alias === undefined) {
      const problem = 'ensureFlow: expected an id or an alias, by which an existing flow is found';
      throw new VizPromptError('invalid-input', problem);
    }
    const { flows } = this.#project.index;
    const { flow } = await this.#make(options, async () => {
      const found =
        id === undefined ? await flows.fileByAlias(alias ?? '') : await flows.fileOf(id);
      return found === undefined ? undefined : toStoredFlow(await this.#flows.read(found));
    });
    return flow;
  }

  async #make(
    options: NewFlowOptions,
    find: () => Promise<StoredFlow | undefined>,
  ): Promise<{ readonly flow: StoredFlow }> {
    const { clock, config, createId, events } = this.#project;
    const flow = checkNames(
      emptyFlow({ id: createId(), ...defined(options), name: options.name }, clock()),
    );
    const done = await this.#project.write(async () => {
      const found = await find();
      if (found) return { found };
      await assertNamesFree(this.#project, [flow.id, flow.alias]);
      const withIds = config.settings.connectionIds;
      try {
        return await this.#flows.commit({ newFlows: [{ flow, withIds }], step: 'createFlow' });
      } catch (error) {
        // Its file was there, and the index knows it only now: of a process that died in between, for one.
        const isConflict = VizPromptError.isInstance(error) && error.code === 'conflict';
        const now = isConflict ? await find() : undefined;
        if (now) return { found: now };
        throw error;
      }
    });
    if ('found' in done) return { flow: done.found };
    const created = only(done.newFlows);
    events.emit('flow:created', { flow: created });
    return { flow: created };
  }

  async get(name: string | FlowId): Promise<StoredFlow> {
    this.#project.assertOpen();
    return toStoredFlow(
      typeof name === 'string' ? await this.#flows.load(name) : await this.#flows.loadById(name.id),
    );
  }

  async list({ order = 'file', ...query }: FlowQuery): Promise<FlowSummary[]> {
    this.#project.assertOpen();
    const { owner, updatedAfter, updatedBefore, after, limit } = query;
    if (after && order !== 'updated') {
      throw new VizPromptError('invalid-input', "listFlows: 'after' needs order: 'updated'");
    }
    const rows = await this.#project.index.flows.list({
      isByTime: order === 'updated',
      from: updatedAfter === undefined ? undefined : Date.parse(updatedAfter),
      to: updatedBefore === undefined ? undefined : Date.parse(updatedBefore),
      ...defined({ owner, after, limit }),
    });
    return rows.map(({ alias, source, owner: named, meta, ...row }) => ({
      ...row,
      ...(alias === null ? {} : { alias }),
      ...(source === null ? {} : { source }),
      ...(named === null ? {} : { owner: named }),
      ...(meta === null ? {} : { meta: readMeta(meta) }),
    }));
  }

  async update(name: string, patch: FlowPatch, options: FlowEditOptions): Promise<StoredFlow> {
    return this.change(name, { step: 'updateFlow', ...options }, async (flow) => {
      const { head, ...fields } = patch;
      if (typeof head === 'string') assertNode(flow, head);
      if (patch.alias !== flow.alias) await assertNamesFree(this.#project, [patch.alias]);
      const { head: before, ...rest } = flow;
      const next = head === undefined ? before : (head ?? undefined);
      return checkNames({ ...rest, ...defined({ head: next }), ...defined(fields) });
    });
  }

  async delete(name: string, options: FlowEditOptions): Promise<void> {
    const { events } = this.#project;
    const id = await this.#project.write(async () => {
      const loaded = await this.#flows.load(name);
      checkFlowVersion(this.#project, toStoredFlow(loaded), options);
      const { file, version, flow } = loaded;
      await this.#flows.commit({ deletedFlows: [{ file, version }], step: 'deleteFlow' });
      return flow.id;
    });
    events.emit('flow:deleted', { id });
  }

  async addNode(name: string, id: string, { after, ...options }: AddOptions): Promise<StoredFlow> {
    return this.change(name, { step: 'addNodeToFlow', ...options }, async (flow) => {
      await assertNodesExist(this.#project, [id]);
      const head = flow.head === undefined ? [] : [flow.head];
      const given = typeof after === 'string' ? [after] : (after ?? []);
      return addNode(flow, id, after === undefined ? head : given);
    });
  }

  async removeNode(
    name: string,
    id: string,
    { join = true, ...options }: RemoveOptions,
  ): Promise<StoredFlow> {
    return this.change(name, { step: 'removeNodeFromFlow', ...options }, async (flow) => {
      assertNode(flow, id);
      return removeNode(flow, id, join);
    });
  }

  /** Nodes that are not in the flow yet join it, unconnected. */
  async connect(from: string, to: string, options: ConnectOptions): Promise<StoredFlow> {
    const { flow: name = MAIN_FLOW, branchName: branch, ...rest } = options;
    return this.change(name, { step: 'connectNodes', ...rest }, async (flow) => {
      await assertNodesExist(this.#project, [from, to]);
      const joined = addNode(addNode(flow, from, []), to, []);
      return { ...connect(joined, from, to, branch), ...headOf(flow, to) };
    });
  }

  async disconnect(
    from: string,
    to: string,
    { flow: name = MAIN_FLOW, ...options }: FlowChoice & FlowEditOptions,
  ): Promise<StoredFlow> {
    return this.change(name, { step: 'disconnectNodes', ...options }, async (flow) => {
      assertNode(flow, from);
      assertNode(flow, to);
      return disconnect(flow, from, to);
    });
  }

  async rebuild(
    name: string,
    ids: readonly string[],
    options: FlowEditOptions,
  ): Promise<StoredFlow> {
    return this.change(name, { step: 'rebuildFlow', ...options }, async (flow) => {
      await assertNodesExist(this.#project, ids);
      return straightLine(flow, ids);
    });
  }

  /**
   * Changes a flow by a function, as one step; the main flow is made if there is none. Where the function
   * gives back what it was given, nothing is written.
   */
  async change(
    name: string,
    { step, ...options }: FlowEditOptions & { readonly step: string },
    work: (flow: Flow) => Promise<Flow>,
  ): Promise<StoredFlow> {
    const { clock, createId } = this.#project;
    const done = await this.#project.write(async () => {
      const loaded = await this.#flows.loadIfMade(name);
      const now = clock();
      if (loaded) checkFlowVersion(this.#project, toStoredFlow(loaded), options);
      const changed = await work(loaded?.flow ?? emptyMainFlow(createId(), now));
      if (loaded && changed === loaded.flow) return toStoredFlow(loaded);
      const flow = { ...changed, updated: formatTime(now) };
      return this.#flows.commit({ ...flowChange(this.#project, loaded, flow), step });
    });
    if ('file' in done) return done;
    emitCommitEvents(this.#project, done);
    return only([...done.newFlows, ...done.changedFlows]);
  }
}

/** Returns the current head, or `first` in an empty flow: connecting is not a turn, so it does not move the head. */
function headOf({ head, nodes }: Flow, first: string): { readonly head?: string } {
  return defined({ head: head ?? (nodes.length === 0 ? first : undefined) });
}

function readMeta(json: string): JsonObject {
  const value: unknown = JSON.parse(json);
  return isJsonObject(value) ? value : {};
}

function only(flows: readonly StoredFlow[]): StoredFlow {
  const [flow] = flows;
  if (!flow) throw new Error('a commit gave no flow back');
  return flow;
}
