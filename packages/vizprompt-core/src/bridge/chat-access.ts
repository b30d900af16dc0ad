import { COUNT, FUNCTION, type Kinds, optional } from '@vizprompt/providers/config/internal';
import { omitUndefined as defined } from '@vizprompt/providers/internal';
import type { StoredFlow } from '../flow/flow.ts';
import type { FlowQuery, FlowSummary } from '../graph/flow-service.ts';
import type { VizPrompt } from '../vizprompt.ts';
import { ChatError } from './chat-error.ts';

/** A chat that is asked for, before anything of it is read or written. */
export interface RequestedChat {
  /** The id of the chat, as the client has it. */
  readonly id: string;
  /** The owner of the chat; absent where it has none, or where the chat is new. */
  readonly owner?: string;
  /** True if the request creates it. */
  readonly isNew: boolean;
}

/** Options that say whose chats a request may use. */
export interface ChatAccessOptions {
  /**
   * Returns the person or account that a request comes from. New chats belong to them, and they see no others;
   * without one (`undefined`, or an empty string) a request sees no chats. Default: chats have no owner, and every request sees all of them, for programs of
   * one person.
   */
  readonly owner?:
    | ((request: Request) => string | undefined | Promise<string | undefined>)
    | undefined;
  /**
   * Checks whether a request may use a chat, or see it in a list; with `owner`, a list has only chats of that owner. Default: whether the request has an owner, and the chat is
   * new or has the same one.
   */
  readonly authorize?:
    | ((request: Request, chat: RequestedChat) => boolean | Promise<boolean>)
    | undefined;
  /** The most bytes of a request, files included. Default: 50,000,000. */
  readonly maxBytes?: number | undefined;
}

export const CHAT_ACCESS: Kinds<ChatAccessOptions> = {
  owner: optional(FUNCTION),
  authorize: optional(FUNCTION),
  maxBytes: optional(COUNT),
};

/** Decides which chats a request may use. */
export class ChatAccess {
  readonly #options: ChatAccessOptions;

  constructor(options: ChatAccessOptions) {
    this.#options = options;
  }

  /** Returns the owner of new chats of a request. An empty name is none. */
  async ownerOf(request: Request): Promise<string | undefined> {
    return (await this.#options.owner?.(request)) || undefined;
  }

  /**
   * Refuses a chat that a request may not use, as one that does not exist.
   *
   * @throws ChatError with the code `chat-not-found`.
   */
  async assert(request: Request, id: string, flow: StoredFlow | undefined): Promise<void> {
    const { owner, authorize } = this.#options;
    const chat = requested(id, flow);
    if (authorize) {
      if (!(await authorize(request, chat))) throw chatNotFound(id);
    } else if (owner) {
      const own = await this.ownerOf(request);
      if (own === undefined || !(chat.isNew || chat.owner === own)) throw chatNotFound(id);
    }
  }

  /** Lists a page of the chats that a request may use, or that the program asks for, last changed first. */
  async list(
    vizprompt: VizPrompt,
    { request, owner, limit, after, idOf }: ChatQuery,
  ): Promise<{ readonly flows: readonly FlowSummary[]; readonly next?: FlowSummary }> {
    const { owner: ownerOf, authorize } = this.#options;
    const own = request && ownerOf ? ((await this.ownerOf(request)) ?? null) : owner;
    if (request && own === null && !authorize) return { flows: [] };
    const flows: FlowSummary[] = [];
    for (let from = after; ;) {
      const found = await vizprompt.listFlows({
        order: 'updated',
        limit: limit + 1,
        after: from,
        owner: own,
      });
      for (const flow of found) {
        if (flows.length === limit) return { flows, ...defined({ next: flows.at(-1) }) };
        const isAllowed = !request || !authorize || authorize(request, requested(idOf(flow), flow));
        if (await isAllowed) flows.push(flow);
      }
      if (found.length <= limit) return { flows };
      from = found.at(-1);
    }
  }
}

/** Which chats are listed. */
interface ChatQuery extends Pick<FlowQuery, 'owner' | 'after'> {
  /** Absent: the program itself asks. */
  readonly request?: Request | undefined;
  readonly limit: number;
  /** Returns the id by which clients know a chat. */
  readonly idOf: (flow: FlowSummary) => string;
}

function requested(id: string, flow: { readonly owner?: string } | undefined): RequestedChat {
  return { id, isNew: flow === undefined, ...defined({ owner: flow?.owner }) };
}

/** Creates the error of a chat, or of a message in it, that the caller cannot see. */
export function chatNotFound(chat: string, message?: string): ChatError {
  const what = message === undefined ? '' : `, or no message '${message}' in it`;
  return new ChatError('chat-not-found', `there is no chat '${chat}'${what}`, {
    context: { chat },
  });
}
