import { isDeepStrictEqual } from 'node:util';
import type { JsonObject, JsonValue } from '@vizprompt/providers';
import { zodProblem } from '@vizprompt/providers/config/internal';
import { isJsonObject } from '@vizprompt/providers/internal';
import { z } from 'zod';
import { ChatError } from '../bridge/chat-error.ts';
import { CHAT_ID, MESSAGE_ID, readJsonBody } from '../bridge/read-body.ts';
import { type AnyUIMessage, fromThread, toJson, toThread } from '../bridge/ui-message.ts';
import type { ThreadChange, ThreadMessage, ThreadOutline } from '../thread/thread.ts';

/** The changes of a request in a thread. */
export interface Taken {
  readonly changes: readonly ThreadChange[];
  /** The message that is to be answered, or whose answer continues. */
  readonly last: string;
}

/** Says what a client may send, besides messages of the user. */
export interface Permits {
  /** Checks whether an answer was given here whose end was not stored. */
  isIssued(id: string): boolean;
  /** Checks whether a client runs the tool of this name. */
  isClientTool(name: string): boolean;
}

/**
 * Says what a request changes in a thread. The thread is the truth: of what a client sends, only new messages of the user
 * are taken, an edited one, and what the user did with a tool that waits. An answer that was never given here is refused,
 * as it would make the model believe that it said so.
 *
 * @throws ChatError with the code `invalid-request`.
 */
export function takeMessages(
  thread: ThreadOutline,
  request: ChatRequestBody,
  permits: Permits,
): Taken {
  const places = new Map(thread.messages.map((place) => [place.id, place]));
  const { trigger, messageId, message } = request;
  const messages = request.messages ?? (message ? [message] : []);
  const changes: ThreadChange[] = [];
  let last = request.messages ? null : parentOfNew();
  const known = new Set(places.keys());
  for (const each of messages) {
    if (known.has(each.id)) {
      const change = changeOfKnown(each);
      if (change) changes.push(change);
    } else if (each.role === 'user' && !isOldVersion(each.id)) {
      changes.push({ type: 'append', parentId: last, message: toThread(each) });
      known.add(each.id);
    } else if (each.role === 'assistant' && permits.isIssued(each.id)) {
      // The answer broke off before its end was stored: the question before it is asked again.
      continue;
    } else {
      const problem = `the message '${each.id}' of the role '${each.role}' was never said in this chat`;
      throw new ChatError('invalid-request', problem, { context: { message: each.id } });
    }
    last = each.id;
  }
  // The thread knows better than a client what an answer was given to.
  if (trigger === 'regenerate-message' && places.has(messageId ?? '')) last = parentOfNew();
  if (last === null) throw new ChatError('invalid-request', 'the request has no message');
  return { changes: [...changes, { type: 'head', id: last }], last };

  /** An edited message leaves its old version under such an id, which a new one would overwrite. */
  function isOldVersion(id: string): boolean {
    return messageId !== undefined && id.startsWith(`${messageId}~`);
  }

  /** Where only one message is sent, it follows the branch that was talked in last. */
  function parentOfNew(): string | null {
    if (trigger !== 'regenerate-message') return thread.headId;
    const again = messageId ?? thread.headId;
    const place = again === null ? undefined : places.get(again);
    if (place?.role === 'user') return place.id;
    return place?.parentId ?? null;
  }

  function changeOfKnown(given: AnyUIMessage): ThreadChange | undefined {
    const role = places.get(given.id)?.role ?? 'user';
    if (role !== given.role) {
      const problem = `the message '${given.id}' was said by the ${role}, not by the ${given.role}`;
      throw new ChatError('invalid-request', problem, { context: { message: given.id } });
    }
    if (role === 'user') {
      const isEdit = trigger === 'submit-message' && messageId === given.id;
      return isEdit ? { type: 'edit', message: toThread(given) } : undefined;
    }
    const stored = thread.message(given.id);
    return role === 'assistant' && stored ? withToolsOf(given, stored, permits) : undefined;
  }
}

/** Takes over what the user did with tools that wait, and nothing else that a client says of an answer. */
function withToolsOf(
  given: AnyUIMessage,
  stored: ThreadMessage,
  permits: Permits,
): ThreadChange | undefined {
  const answers = new Map(
    given.parts.flatMap((part) => ('toolCallId' in part ? [[part.toolCallId, part] as const] : [])),
  );
  const before = fromThread(stored);
  const parts = before.parts.map((part) => {
    if (!('toolCallId' in part) || !('state' in part)) return part;
    const answer = answers.get(part.toolCallId);
    return answer ? { ...part, ...outcomeOf(toJson(part), toJson(answer), permits) } : part;
  });
  if (isDeepStrictEqual(parts, before.parts)) return undefined;
  const { parts: after } = toThread({ ...before, parts });
  return { type: 'update', message: { ...stored, parts: after } };
}

/**
 * Returns what a user may say of a tool that waits: a decision, or the result of a tool of the client. All others are run by
 * the server or the provider: a run that was stopped waits for no one.
 *
 * @throws ChatError for the result of such a tool. Its failure is left out: pages report one for each call that was stopped.
 */
function outcomeOf(waiting: JsonObject, answer: JsonObject, permits: Permits): JsonObject {
  const { state, output, errorText } = answer;
  if (waiting['state'] === 'approval-requested' && state === 'approval-responded') {
    return decisionOf(waiting['approval'], answer['approval']);
  }
  if (waiting['state'] !== 'input-available' || waiting['providerExecuted'] === true) return {};
  const hasOutput = state === 'output-available' && output !== undefined;
  const name = toolNameOf(waiting);
  if (!permits.isClientTool(name)) {
    if (!hasOutput) return {};
    const problem = `expected no result of the tool '${name}' from a client: the server runs it; name it in clientTools if the client does`;
    throw new ChatError('invalid-request', problem, { context: { tool: name } });
  }
  if (hasOutput) return { state, output };
  return state === 'output-error' && typeof errorText === 'string' ? { state, errorText } : {};
}

/** Returns the name of a tool: a part of the type, or a field of a tool that the types of the program do not have. */
function toolNameOf({ type, toolName }: JsonObject): string {
  if (typeof toolName === 'string') return toolName;
  return typeof type === 'string' ? type.replace(/^tool-/, '') : '';
}

/** Only what was asked for is decided, and only by a yes or a no. */
function decisionOf(asked: JsonValue | undefined, given: JsonValue | undefined): JsonObject {
  if (!isJsonObject(asked) || !isJsonObject(given)) return {};
  const { id, approved, reason } = given;
  if (id !== asked['id'] || typeof approved !== 'boolean') return {};
  const about = typeof reason === 'string' ? { reason } : {};
  return { state: 'approval-responded', approval: { ...asked, approved, ...about } };
}

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
