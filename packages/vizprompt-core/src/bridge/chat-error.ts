import { CodedError } from '@vizprompt/providers';
import { type ErrorDetails, hasErrorMark } from '@vizprompt/providers/internal';
import { VizPromptError } from '../errors.ts';

/**
 * Why a request of a chat is refused.
 *
 * - `invalid-request`: a body that no chat of the AI SDK sends, or a history with messages that were never said here
 * - `chat-not-found`: no such chat, or one that belongs to another person: the answer does not say which
 * - `too-large`: a body beyond `maxBytes`, or a message beyond the limits of the project
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

/** Returns the refusal of a request for which a project throws an error; `undefined` where the request is not the reason. */
export function refusalOf(error: unknown): ChatError | undefined {
  if (ChatError.isInstance(error)) return error;
  if (!VizPromptError.isInstance(error)) return undefined;
  const { code, message } = error;
  switch (code) {
    case 'flow-not-found':
      return new ChatError('chat-not-found', 'there is no such chat', { cause: error });
    // A message that follows none that is there, or has another role.
    case 'invalid-input':
      return new ChatError('invalid-request', message, { cause: error });
    case 'too-large':
      return new ChatError('too-large', 'a message is beyond the limits of the project', {
        cause: error,
      });
    default:
      return undefined;
  }
}
