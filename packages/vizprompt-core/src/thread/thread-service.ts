import { LruMap } from '@vizprompt/providers/internal';
import type { StoredFlow } from '../flow/flow.ts';
import { formatTime } from '../format/ids-and-times.ts';
import { type FlowFiles, type LoadedFlow, toStoredFlow } from '../graph/flow-files.ts';
import type { FlowId } from '../graph/flow-service.ts';
import { refresh } from '../index/refresh.ts';
import type { StoredNode } from '../node/node.ts';
import { readHealthyNode, readStoredNode } from '../node/read-node-xml.ts';
import type { Project } from '../project/project.ts';
import { emitCommitEvents, repeatOnConflict } from '../write/commit.ts';
import { restoreDataUrls, storeDataUrls } from './data-urls.ts';
import { toMessage, toSide } from './message-side.ts';
import { planThread, type ThreadPlan } from './plan-thread.ts';
import {
  changeTree,
  inPreOrder,
  type MessageTree,
  type ReadTree,
  readTree,
  type TreeChange,
} from './thread-tree.ts';
import type { Thread, ThreadChange, ThreadOutline } from './thread.ts';

/** How many characters of nodes are cached, by their files and versions. */
const CACHED = 4_000_000;

/** Changes of a thread, or a function that says them of the thread as it is. */
export type ThreadChanges =
  | readonly ThreadChange[]
  | ((thread: ThreadOutline) => readonly ThreadChange[]);

/** Reads flows as trees of messages, and changes them as such. */
export class ThreadService {
  readonly #project: Project;
  readonly #flows: FlowFiles;
  readonly #nodes = new LruMap<string, StoredNode>(CACHED, sizeOf);

  constructor(project: Project, flows: FlowFiles) {
    this.#project = project;
    this.#flows = flows;
  }

  async read(flow: string | FlowId): Promise<Thread> {
    this.#project.assertOpen();
    const loaded = await this.#load(flow);
    const { tree } = await this.#tree(loaded);
    return this.#toThread(toStoredFlow(loaded), tree);
  }

  async edit(flow: string | FlowId, changes: ThreadChanges): Promise<ThreadOutline> {
    const ready = typeof changes === 'function' ? changes : await this.#storeFiles(changes);
    return repeatOnConflict(() => this.#change(flow, ready));
  }

  async #change(flow: string | FlowId, changes: ThreadChanges): Promise<ThreadOutline> {
    const { clock, createId, events, index } = this.#project;
    const done = await this.#project.write(async () => {
      const loaded = await this.#load(flow);
      // A process that died between files and index left nodes that the tree would not have.
      const isIndexed = (await index.flows.versionOf(loaded.file)) === loaded.version;
      if (!isIndexed) await refresh(this.#project);
      const before = await this.#tree(loaded);
      const wanted =
        typeof changes === 'function'
          ? await this.#storeFiles(changes(outlineOf(before.tree)))
          : changes;
      const after = wanted.map(toTreeChange).reduce(changeTree, before.tree);
      const isSame = after.items === before.tree.items && after.headId === before.tree.headId;
      if (isSame) return { after };
      const now = formatTime(clock());
      const edit = { flow: loaded.flow, before, after, createId, now };
      const plan = planThread(edit);
      return { after, plan, committed: await this.#commit(loaded, plan, now) };
    });
    if (done.committed) {
      emitCommitEvents(this.#project, done.committed);
      for (const id of done.plan.removed) events.emit('node:deleted', { id });
    }
    return outlineOf(done.after);
  }

  async #commit(
    loaded: LoadedFlow,
    plan: ThreadPlan,
    now: string,
  ): ReturnType<FlowFiles['commit']> {
    const { newNodes, changedNodes, removed, flow } = plan;
    const { index, files } = this.#project;
    const deletedNodes: StoredNode[] = [];
    for (const id of removed) {
      // A node that another flow has, too, stays there.
      if ((await index.flows.filesWith(id)).some((file) => file !== loaded.file)) continue;
      for (const file of await index.nodes.filesOf(id)) {
        const node = await readStoredNode(files, file);
        if (node) deletedNodes.push(node);
      }
    }
    return this.#flows.commit({
      newNodes,
      changedNodes: changedNodes.map(({ stored: { file, version }, node }) => ({
        file,
        version,
        node,
      })),
      deletedNodes,
      changedFlows: [{ ...loaded, flow: { ...flow, updated: now }, before: loaded.flow }],
      ...(removed.length > 0 ? { step: 'deleteMessage' } : {}),
    });
  }

  #load(flow: string | FlowId): Promise<LoadedFlow> {
    return typeof flow === 'string' ? this.#flows.load(flow) : this.#flows.loadById(flow.id);
  }

  async #tree({ flow }: LoadedFlow): Promise<ReadTree> {
    const { index } = this.#project;
    const rows = await index.nodes.contextRows(flow.nodes.map(({ id }) => id));
    const nodes = new Map<string, StoredNode>();
    for (const { id, file, version } of rows) {
      const key = `${file} ${version}`;
      const node = this.#nodes.get(key) ?? (await readHealthyNode(this.#project, file));
      if (!node) continue;
      if (node.version === version) this.#nodes.set(key, node);
      nodes.set(id, node);
    }
    return readTree(flow, nodes);
  }

  async #toThread(flow: StoredFlow, tree: MessageTree): Promise<Thread> {
    const { files } = this.#project;
    const messages = await Promise.all(
      inPreOrder(tree).flatMap((id) => {
        const item = tree.items.get(id);
        if (!item) return [];
        const { parentId, side } = item;
        return [restoreDataUrls(files, toMessage(side)).then((message) => ({ parentId, message }))];
      }),
    );
    return { flow, headId: tree.headId, messages };
  }

  async #storeFiles(changes: readonly ThreadChange[]): Promise<readonly ThreadChange[]> {
    this.#project.assertWritable();
    return Promise.all(
      changes.map(async (change) =>
        'message' in change
          ? { ...change, message: await storeDataUrls(this.#project.files, change.message) }
          : change,
      ),
    );
  }
}

function sizeOf({ prompt, response }: StoredNode): number {
  return prompt.length + response.length + 100;
}

function toTreeChange(change: ThreadChange): TreeChange {
  switch (change.type) {
    case 'append': {
      const { message, parentId, isHead = true } = change;
      return { type: 'append', side: toSide(message), parentId, isHead };
    }
    case 'update':
    case 'edit':
      return { type: change.type, side: toSide(change.message) };
    default:
      return change;
  }
}

function outlineOf(tree: MessageTree): ThreadOutline {
  const messages = inPreOrder(tree).flatMap((id) => {
    const item = tree.items.get(id);
    return item ? [{ id, parentId: item.parentId, role: item.side.role }] : [];
  });
  return {
    headId: tree.headId,
    messages,
    message(id) {
      const item = tree.items.get(id);
      return item && toMessage(item.side);
    },
  };
}
