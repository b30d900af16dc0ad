import { COUNT, FUNCTION, type Kinds, optional } from '@vizprompt/providers/config/internal';
import type { StoredFlow } from '../flow/flow.ts';
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
   * Returns the person or account that a request comes from; `undefined`: none. New chats belong to them, and they see
   * no others. Default: chats have no owner, and every request sees all of them, for programs of one person.
   */
  readonly owner?:
    | ((request: Request) => string | undefined | Promise<string | undefined>)
    | undefined;
  /** Says whether a request may use a chat. Default: whether the chat is new or has the owner of the request. */
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

  /** True if chats have owners. */
  get hasOwners(): boolean {
    return this.#options.owner !== undefined;
  }

  /** Returns the owner of new chats of a request. */
  async ownerOf(request: Request): Promise<string | undefined> {
    return this.#options.owner?.(request);
  }

  /**
   * Refuses a chat that a request may not use, as one that does not exist.
   *
   * @throws ChatError with the code `chat-not-found`.
   */
  async assert(request: Request, id: string, flow: StoredFlow | undefined): Promise<void> {
    const { owner, authorize } = this.#options;
    const chat: RequestedChat = {
      id,
      isNew: flow === undefined,
      ...(flow?.owner === undefined ? {} : { owner: flow.owner }),
    };
    const isAllowed = authorize
      ? await authorize(request, chat)
      : owner === undefined || chat.isNew || (await owner(request)) === chat.owner;
    if (!isAllowed) throw chatNotFound(id);
  }
}

/** Creates the error of a chat, or of a message in it, that the caller cannot see. */
export function chatNotFound(chat: string, message?: string): ChatError {
  const what = message === undefined ? '' : `, or no message '${message}' in it`;
  return new ChatError('chat-not-found', `there is no chat '${chat}'${what}`, {
    context: { chat },
  });
}
