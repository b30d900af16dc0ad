import { createId, type JsonValue } from '@vizprompt/providers';
import { isJsonObject } from '@vizprompt/providers/internal';
import { uuidFromName } from '../format/ids-and-times.ts';
import type { Thread, ThreadMessage, ThreadPart, ThreadRole } from '../thread/thread.ts';
import type { VizPrompt } from '../vizprompt.ts';
import { checkOptions, checkArgument } from '../check-input.ts';
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
}

const KIND = 'openai-agents-item';

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
  const lineOf = async (): Promise<readonly ThreadMessage[]> => {
    await ensure();
    return lineTo(await vizprompt.readThread(flow));
  };
  return {
    getSessionId: async () => id,
    async getItems(limit = Number.POSITIVE_INFINITY) {
      const items = (await lineOf()).flatMap((message) => itemsIn<Item>(message));
      return limit <= 0 ? [] : items.slice(Math.max(0, items.length - limit));
    },
    async addItems(items) {
      await ensure();
      await vizprompt.editThread(flow, ({ headId }) => {
        let parentId = headId;
        return items.map((item) => {
          const message = toMessage(item);
          const change = { type: 'append', parentId, message } as const;
          parentId = message.id;
          return change;
        });
      });
    },
    async popItem() {
      await ensure();
      let popped: ThreadMessage | undefined;
      await vizprompt.editThread(flow, (thread) => {
        const last = thread.messages.find((place) => place.id === thread.headId);
        popped = last && thread.message(last.id);
        return last ? [{ type: 'head', id: last.parentId }] : [];
      });
      return popped && itemsIn<Item>(popped)[0];
    },
    async clearSession() {
      await ensure();
      await vizprompt.editThread(flow, [{ type: 'head', id: null }]);
    },
  };
}

function lineTo({ headId, messages }: Thread): readonly ThreadMessage[] {
  const byId = new Map(messages.map((item) => [item.message.id, item]));
  const line: ThreadMessage[] = [];
  for (let at = byId.get(headId ?? ''); at; at = byId.get(at.parentId ?? '')) line.push(at.message);
  return line.toReversed();
}

function itemsIn<Item>({ parts }: ThreadMessage): Item[] {
  return parts.flatMap((part) => {
    if (part.type !== 'data' || part.kind !== KIND) return [];
    // The caller may change its items, and a thread that was read is cached.
    const copy: unknown = structuredClone(part.value);
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- written by toMessage
    return [copy as Item];
  });
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
