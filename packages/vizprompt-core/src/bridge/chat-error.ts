import { CodedError } from '@vizprompt/providers';
import { type ErrorDetails, hasErrorMark } from '@vizprompt/providers/internal';

/**
 * Why a request of a chat is refused.
 *
 * - `invalid-request`: a body that no chat of the AI SDK sends, or a history with messages that were never said here
 * - `chat-not-found`: no such chat, or one that belongs to another person: the answer does not say which
 * - `too-large`: a body beyond `maxBytes`
 */
export type ChatErrorCode = 'invalid-request' | 'chat-not-found' | 'too-large';

const STATUS: Readonly<Record<ChatErrorCode, number>> = {
  'invalid-request': 400,
  'chat-not-found': 404,
  'too-large': 413,
};

/** A request of a chat that is refused. */
export class ChatError extends CodedError<ChatErrorCode> {
  /** The status of HTTP that says the same. */
  readonly status: number;

  constructor(code: ChatErrorCode, message: string, details?: ErrorDetails) {
    super('ChatError', code, message, details);
    this.status = STATUS[code];
  }

  /** Returns the response that says so. */
  toResponse(): Response {
    const { code, message, status } = this;
    return Response.json({ error: { code, message } }, { status });
  }

  /** Checks whether a value is a `ChatError`, from this or any other installed copy. */
  static isInstance(value: unknown): value is ChatError {
    return hasErrorMark(value, 'ChatError');
  }
}
