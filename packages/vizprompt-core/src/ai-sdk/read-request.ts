import { z } from 'zod';
import { ChatError } from '../bridge/chat-error.ts';
import { CHAT_ID, MESSAGE_ID, readJsonBody } from '../bridge/read-body.ts';
import type { AnyUIMessage } from '../bridge/ui-message.ts';
import { zodProblem } from '@vizprompt/providers/config/internal';

const message = z.looseObject({
  id: MESSAGE_ID,
  role: z.enum(['system', 'user', 'assistant']),
  parts: z.array(z.looseObject({ type: z.string() })),
});
const body = z.object({
  id: CHAT_ID,
  messages: z.array(message).optional(),
  message: message.optional(),
  trigger: z.enum(['submit-message', 'regenerate-message']).default('submit-message'),
  messageId: MESSAGE_ID.optional(),
});

/** A request of `useChat`: all messages of the branch on the screen, or only the last one. */
export interface ChatRequestBody {
  readonly id: string;
  readonly messages?: readonly AnyUIMessage[] | undefined;
  readonly message?: AnyUIMessage | undefined;
  readonly trigger: 'submit-message' | 'regenerate-message';
  /** The message that is said in another way, or whose answer is wanted again. */
  readonly messageId?: string | undefined;
}

/**
 * Reads the body of a request.
 *
 * @throws ChatError with the code `invalid-request` or `too-large`.
 */
export async function readChatRequest(
  request: Request,
  maxBytes: number,
): Promise<ChatRequestBody> {
  const result = body.safeParse(await readJsonBody(request, maxBytes), { error: zodProblem });
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  const place = issue?.path.join('.') ?? '';
  throw new ChatError(
    'invalid-request',
    `the body is no request of a chat: ${place}: ${issue?.message ?? ''}`,
  );
}
