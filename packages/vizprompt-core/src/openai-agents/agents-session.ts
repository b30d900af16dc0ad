import { createHash } from 'node:crypto';
import { createId, type JsonValue } from '@vizprompt/providers';
import {
  having,
  type Kinds,
  listOf,
  OBJECT,
  optional,
  TEXT,
} from '@vizprompt/providers/config/internal';
import { canonicalJson, isJsonObject } from '@vizprompt/providers/internal';
import { VizPromptError } from '../errors.ts';
import { uuidFromName } from '../format/ids-and-times.ts';
import { checkArgument, checkOptions } from '../input-kinds.ts';
import type {
  Thread,
  ThreadChange,
  ThreadMessage,
  ThreadOutline,
  ThreadPart,
  ThreadRole,
} from '../thread/thread.ts';
import type { VizPrompt } from '../vizprompt.ts';

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

/** A change of the end of a history, all of it or nothing. */
export type HistoryTransaction<Item> =
  | { readonly type: 'append_items'; readonly items: readonly Item[] }
  | {
      readonly type: 'replace_suffix';
      /** The last items, which must be these. */
      readonly expectedSuffix: readonly Item[];
      readonly replacement: readonly Item[];
    };

/** A transaction with a name of its own. */
export interface HistoryTransactionArgs<Item> {
  /** The same for each attempt: the transaction is applied once. */
  readonly operationId: string;
  readonly transaction: HistoryTransaction<Item>;
}

/** Changes of items wherever they are. */
export interface HistoryMutationArgs<Item> {
  readonly mutations: readonly {
    readonly type: 'replace_function_call';
    /** Items of the type `function_call` with this id are replaced by one. */
    readonly callId: string;
    readonly replacement: Item;
  }[];
}

const ITEMS = listOf('items', OBJECT);
const MUTATIONS = listOf('mutations', having('{ type, callId, replacement }', 'type'));

/** An item on the line to the head, and the message before its own. */
interface Placed<Item> {
  readonly parentId: string | null;
  readonly item: Item;
}

/** Returns the newest items on the line to the head, the oldest of them first. Default: all. */
function itemsOnLine<Item extends object>(
  thread: ThreadOutline,
  limit: number = Number.POSITIVE_INFINITY,
): readonly Placed<Item>[] {
  const places = new Map(thread.messages.map((place) => [place.id, place]));
  const line: Placed<Item>[] = [];
  let at = places.get(thread.headId ?? '');
  while (at && line.length < limit) {
    const message = thread.message(at.id);
    const item = message && itemIn(message);
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- written by toMessage
    if (item) line.push({ parentId: at.parentId, item: item as Item });
    at = places.get(at.parentId ?? '');
  }
  return line.toReversed();
}

/**
 * Returns the changes of a thread by a transaction; none if it was applied before. The messages of it have ids of its name,
 * so that the change and its record are one.
 *
 * @param args - They were checked by {@link checkTransaction}.
 * @throws VizPromptError `conflict` for the name of another transaction, or a suffix that does not match.
 */
function transactionChanges(
  thread: ThreadOutline,
  { operationId, transaction }: HistoryTransactionArgs<object>,
): readonly ThreadChange[] {
  const idAt = (at: number): string => uuidFromName('session-operation', operationId, `${at}`);
  const digest = createHash('sha256').update(jsonOf(transaction)).digest('hex');
  const first = thread.message(idAt(0));
  if (first) {
    if (first.meta?.['transaction'] === digest) return [];
    throw conflict(`the operation '${operationId}' was applied with another transaction`);
  }
  const isAppend = transaction.type === 'append_items';
  const added = isAppend ? transaction.items : transaction.replacement;
  const parentId = isAppend ? thread.headId : parentOfSuffix(thread, transaction.expectedSuffix);
  const record = { transaction: digest };
  // A transaction without items leaves a message without one, which is its record.
  const messages: readonly ThreadMessage[] =
    added.length === 0
      ? [{ id: idAt(0), role: 'assistant', parts: [], meta: record }]
      : added.map((item, at) => ({ ...toMessage(item), id: idAt(at), meta: record }));
  return appended(messages, parentId);
}

function parentOfSuffix(thread: ThreadOutline, expected: readonly object[]): string | null {
  if (expected.length === 0) return thread.headId;
  const suffix = itemsOnLine(thread, expected.length);
  if (jsonOf(suffix.map(({ item }) => item)) !== jsonOf(expected)) {
    throw conflict('the last items of the session are not those of expectedSuffix');
  }
  return suffix[0]?.parentId ?? null;
}

/**
 * Returns the changes by mutations: the first item that changes and all after it are said once more, as a branch.
 *
 * @param args - They were checked by {@link checkMutations}.
 */
function mutationChanges(
  thread: ThreadOutline,
  { mutations }: HistoryMutationArgs<object>,
): readonly ThreadChange[] {
  const line = itemsOnLine(thread);
  const before: readonly object[] = line.map(({ item }) => item);
  const after = mutations.reduce(replaced, before);
  const from = before.findIndex((item, at) => !isSame(item, after[at]));
  const first = line[from];
  if (!first) return [];
  const rest = after.slice(from);
  if (rest.length === 0) return [{ type: 'head', id: first.parentId }];
  return appended(rest.map(toMessage), first.parentId);
}

/** A mutation may come again, and then replaces an item by an equal one. */
function isSame(before: object, after: object | undefined): boolean {
  return before === after || (after !== undefined && jsonOf(before) === jsonOf(after));
}

function replaced(
  items: readonly object[],
  { type, callId, replacement }: HistoryMutationArgs<object>['mutations'][number],
): readonly object[] {
  // A later version of the SDK may have others, which are no reason to fail.
  if (type !== 'replace_function_call') return items;
  const isCall = (item: object): boolean =>
    'type' in item && item.type === 'function_call' && 'callId' in item && item.callId === callId;
  const at = items.findIndex(isCall);
  return items.flatMap((item, index) =>
    isCall(item) ? (index === at ? [replacement] : []) : [item],
  );
}

/** Returns changes that add messages one after the other. */
function appended(
  messages: readonly ThreadMessage[],
  after: string | null,
): readonly ThreadChange[] {
  let parentId = after;
  return messages.map((message) => {
    const change = { type: 'append', parentId, message } as const;
    parentId = message.id;
    return change;
  });
}

/** @throws VizPromptError `invalid-input` for what is no array of items. */
function checkItems(what: string, items: unknown): void {
  checkArgument(what, items, ITEMS);
}

/** @throws VizPromptError `invalid-input` for what are no mutations. Types that are not known are no reason to fail. */
function checkMutations(args: HistoryMutationArgs<object>): void {
  const what = 'applyHistoryMutations';
  checkArgument(`the argument of ${what}`, args, having('{ mutations }', 'mutations'));
  checkArgument(`the mutations of ${what}`, args.mutations, MUTATIONS);
  for (const { type, replacement } of args.mutations) {
    if (type !== 'replace_function_call') continue;
    checkArgument(`the replacement of a mutation of ${what}`, replacement, OBJECT);
  }
}

/** @throws VizPromptError `invalid-input` for what is no transaction. */
function checkTransaction(args: HistoryTransactionArgs<object>): void {
  const what = 'applyHistoryTransaction';
  checkArgument(
    `the argument of ${what}`,
    args,
    having('{ operationId, transaction }', 'transaction'),
  );
  const { operationId, transaction } = args;
  checkArgument(`the transaction of ${what}`, transaction, having('{ type, … }', 'type'));
  checkNames(operationId, transaction);
  if (transaction.type === 'append_items') {
    checkItems(`the items of ${what}`, transaction.items);
  } else {
    checkItems(`the expectedSuffix of ${what}`, transaction.expectedSuffix);
    checkItems(`the replacement of ${what}`, transaction.replacement);
  }
}

function checkNames(operationId: unknown, transaction: HistoryTransaction<object>): void {
  const problem =
    typeof operationId !== 'string' || operationId.trim() === ''
      ? 'operationId: expected a string that is not empty'
      : !['append_items', 'replace_suffix'].includes(transaction.type)
        ? `transaction.type: expected append_items or replace_suffix, got '${transaction.type}'`
        : undefined;
  if (problem === undefined) return;
  throw new VizPromptError('invalid-input', `applyHistoryTransaction: ${problem}`);
}

function conflict(problem: string): VizPromptError {
  return new VizPromptError('conflict', `applyHistoryTransaction: ${problem}; nothing was changed`);
}

/** Returns JSON that is the same for values that say the same, whatever the order of their keys. */
function jsonOf(value: unknown): string {
  return JSON.stringify(canonicalJson(JSON.parse(JSON.stringify(value))));
}

const KIND = 'openai-agents-item';

/** Returns the item that a message was created from; none for a message of another program. */
function itemIn({ parts }: ThreadMessage): object | undefined {
  const part = parts.find((each) => each.type === 'data' && each.kind === KIND);
  if (part?.type !== 'data' || !isJsonObject(part.value)) return undefined;
  // The caller may change its items, and a thread that was read is cached.
  return structuredClone(part.value);
}

/** An item as a message: its text, what it calls, and all of it in one piece. */
function toMessage(item: object): ThreadMessage {
  const value: unknown = JSON.parse(JSON.stringify(item));
  const known = isJsonObject(value) ? value : {};
  const text = textOf(known['content']);
  const said: readonly ThreadPart[] = text === '' ? [] : [{ type: 'text', text }];
  const whole: ThreadPart = { type: 'data', kind: KIND, value: known };
  return {
    id: createId(),
    role: roleOf(known['role']),
    parts: [...said, ...toolPart(known), whole],
  };
}

function roleOf(role: unknown): ThreadRole {
  return role === 'user' || role === 'system' ? role : 'assistant';
}

function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  const pieces: readonly unknown[] = Array.isArray(content) ? content : [];
  return pieces
    .map((piece) => (isJsonObject(piece) && typeof piece['text'] === 'string' ? piece['text'] : ''))
    .filter((text) => text !== '')
    .join('\n\n');
}

function toolPart(item: { readonly [key: string]: unknown }): readonly ThreadPart[] {
  const { type, callId: id, name, arguments: input, output } = item;
  if (typeof id !== 'string' || typeof name !== 'string') return [];
  if (type === 'function_call' && typeof input === 'string') {
    return [{ type: 'tool-call', id, tool: name, input: parsed(input) }];
  }
  if (type !== 'function_call_result') return [];
  return [{ type: 'tool-result', id, tool: name, output: parsed(JSON.stringify(output ?? null)) }];
}

/** Parses arguments that a model wrote, which need not be JSON. */
function parsed(json: string): JsonValue {
  try {
    const value: JsonValue = JSON.parse(json);
    return value;
  } catch {
    return json;
  }
}
