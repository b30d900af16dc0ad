import { isDeepStrictEqual } from 'node:util';
import type { JsonObject, JsonValue } from '@vizprompt/providers';
import { isJsonObject } from '@vizprompt/providers/internal';
import type { ThreadChange, ThreadMessage, ThreadOutline } from '../thread/thread.ts';
import { ChatError } from '../bridge/chat-error.ts';
import type { ChatRequestBody } from './read-request.ts';
import { type AnyUIMessage, fromThread, toThread } from '../bridge/ui-message.ts';

/** The changes of a request in a thread. */
export interface Taken {
  readonly changes: readonly ThreadChange[];
  /** The message that is to be answered, or whose answer continues. */
  readonly last: string;
}

/**
 * Says what a request changes in a thread. The thread is the truth: of what a client sends, only new messages of the user
 * are taken, an edited one, and what the user did with a tool that waits. An answer that was never given here is refused,
 * as it would make the model believe that it said so.
 *
 * @param issued - Checks whether an answer was given here whose end was not stored.
 * @throws ChatError with the code `invalid-request`.
 */
export function takeMessages(
  thread: ThreadOutline,
  request: ChatRequestBody,
  issued: (id: string) => boolean,
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
    } else if (each.role === 'assistant' && issued(each.id)) {
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
    return role === 'assistant' && stored ? withToolsOf(given, stored) : undefined;
  }
}

/** Takes over what the user did with tools that wait, and nothing else that a client says of an answer. */
function withToolsOf(given: AnyUIMessage, stored: ThreadMessage): ThreadChange | undefined {
  const answers = new Map(
    given.parts.flatMap((part) => ('toolCallId' in part ? [[part.toolCallId, part] as const] : [])),
  );
  const before = fromThread(stored);
  const parts = before.parts.map((part) => {
    if (!('toolCallId' in part) || !('state' in part)) return part;
    const answer = answers.get(part.toolCallId);
    return answer ? { ...part, ...outcomeOf(part, answer) } : part;
  });
  if (isDeepStrictEqual(parts, before.parts)) return undefined;
  const { parts: after } = toThread({ ...before, parts });
  return { type: 'update', message: { ...stored, parts: after } };
}

/**
 * Returns what a user may say of a tool that waits: a decision, or the result of a tool of the client. Tools of the provider
 * are none.
 */
function outcomeOf(waiting: object, answer: object): JsonObject {
  const [before, after] = [toJson(waiting), toJson(answer)];
  const { state, output, errorText } = after;
  if (before['state'] === 'approval-requested' && state === 'approval-responded') {
    return decisionOf(before['approval'], after['approval']);
  }
  if (before['state'] !== 'input-available' || before['providerExecuted'] === true) return {};
  if (state === 'output-available' && output !== undefined) return { state, output };
  return state === 'output-error' && typeof errorText === 'string' ? { state, errorText } : {};
}

/** Only what was asked for is decided, and only by a yes or a no. */
function decisionOf(asked: JsonValue | undefined, given: JsonValue | undefined): JsonObject {
  if (!isJsonObject(asked) || !isJsonObject(given)) return {};
  const { id, approved, reason } = given;
  if (id !== asked['id'] || typeof approved !== 'boolean') return {};
  const about = typeof reason === 'string' ? { reason } : {};
  return { state: 'approval-responded', approval: { ...asked, approved, ...about } };
}

function toJson(part: object): JsonObject {
  const value: unknown = JSON.parse(JSON.stringify(part));
  return isJsonObject(value) ? value : {};
}
