import { uuidFromName } from '../format/ids-and-times.ts';
import type { Thread, ThreadChange, ThreadOutline } from '../thread/thread.ts';
import type { VizPrompt } from '../vizprompt.ts';
import {
  appended,
  checkItems,
  checkMutations,
  checkTransaction,
  type HistoryMutationArgs,
  type HistoryTransactionArgs,
  itemsOnLine,
  mutationChanges,
  toMessage,
  transactionChanges,
} from './session-history.ts';
import { checkOptions, checkArgument } from '../input-kinds.ts';
import { TEXT, optional, type Kinds, having } from '@vizprompt/providers/config/internal';

/** Options of {@link agentsSession}. */
export interface AgentsSessionOptions {
  /** The id of the session: always the same flow. */
  readonly id: string;
  /** The name of a new flow. Default: the id. */
  readonly name?: string | undefined;
  /** The person or account that a new flow belongs to. */
  readonly owner?: string | undefined;
}

/** The `Session` of the OpenAI Agents SDK, for items of any of its versions. */
export interface AgentsSession<Item extends object> {
  getSessionId(): Promise<string>;
  getItems(limit?: number): Promise<Item[]>;
  addItems(items: Item[]): Promise<void>;
  popItem(): Promise<Item | undefined>;
  clearSession(): Promise<void>;
  /** Replaces calls of functions, where the user changed them before an approval. The old history stays as a branch. */
  applyHistoryMutations(args: HistoryMutationArgs<Item>): Promise<void>;
  /**
   * Changes the end of the session once for each `operationId`, also when a run is resumed by another process, or the session
   * was cleared in the meantime.
   */
  applyHistoryTransaction(args: HistoryTransactionArgs<Item>): Promise<void>;
}

const PROJECT = having('a project: await VizPrompt.open(folder)', 'ensureFlow', 'readThread');

const KINDS: Kinds<AgentsSessionOptions> = {
  id: TEXT,
  name: optional(TEXT),
  owner: optional(TEXT),
};

/**
 * Stores a session of the OpenAI Agents SDK as a flow: each item is a message, found by search, in contexts and in exports.
 * Items that are popped or cleared are no longer in the session, and stay in the flow as a branch: delete the flow to
 * delete them.
 *
 * @example
 * ```ts
 * const session = agentsSession(vizprompt, { id: 'user-42' });
 * await run(agent, 'What did we decide?', { session });
 * ```
 */
export function agentsSession<Item extends object>(
  vizprompt: VizPrompt,
  options: AgentsSessionOptions,
): AgentsSession<Item> {
  checkArgument('the first argument of agentsSession', vizprompt, PROJECT);
  checkOptions('agentsSession', options, KINDS);
  const { id, name = id.trim() === '' ? 'session' : id, owner } = options;
  const flow = { id: uuidFromName('flow', 'openai-agents', id) };
  const ensure = async (): Promise<void> => {
    await vizprompt.ensureFlow({ ...flow, name, owner, source: `openai-agents:${id}` });
  };
  const edit = async (
    changes: (thread: ThreadOutline) => readonly ThreadChange[],
  ): Promise<void> => {
    await ensure();
    await vizprompt.editThread(flow, changes);
  };
  return {
    getSessionId: async () => id,
    async getItems(limit = Number.POSITIVE_INFINITY) {
      await ensure();
      const line = itemsOnLine<Item>(outlineOf(await vizprompt.readThread(flow)));
      const items = line.map(({ item }) => item);
      return limit <= 0 ? [] : items.slice(Math.max(0, items.length - limit));
    },
    async addItems(items) {
      checkItems('the items of addItems', items);
      await edit(({ headId }) => appended(items.map(toMessage), headId));
    },
    async popItem() {
      let popped: Item | undefined;
      await edit((thread) => {
        const last = itemsOnLine<Item>(thread, 1).at(-1);
        popped = last?.item;
        return last ? [{ type: 'head', id: last.parentId }] : [];
      });
      return popped;
    },
    clearSession: () => edit(() => [{ type: 'head', id: null }]),
    async applyHistoryMutations(args) {
      checkMutations(args);
      await edit((thread) => mutationChanges(thread, args));
    },
    async applyHistoryTransaction(args) {
      checkTransaction(args);
      await edit((thread) => transactionChanges(thread, args));
    },
  };
}

function outlineOf({ headId, messages }: Thread): ThreadOutline {
  const byId = new Map(messages.map(({ message }) => [message.id, message]));
  return {
    headId,
    messages: messages.map(({ parentId, message: { id, role } }) => ({ id, parentId, role })),
    message: (id) => byId.get(id),
  };
}
