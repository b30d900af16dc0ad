import { isDeepStrictEqual } from 'node:util';
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
    } else if (each.role === 'user') {
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
  if (last === null) throw new ChatError('invalid-request', 'the request has no message');
  return { changes: [...changes, { type: 'head', id: last }], last };

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

/** Outcomes that a user may give a tool that waits, by its state: decide, or give the result of a tool of the client. */
const OUTCOMES = new Map<unknown, { readonly states: readonly string[]; readonly keys: string[] }>([
  ['approval-requested', { states: ['approval-responded'], keys: ['state', 'approval'] }],
  [
    'input-available',
    {
      states: ['output-available', 'output-error'],
      keys: ['state', 'output', 'errorText', 'preliminary'],
    },
  ],
]);

/** Takes over what the user did with tools that wait, and nothing else that a client says of an answer. */
function withToolsOf(given: AnyUIMessage, stored: ThreadMessage): ThreadChange | undefined {
  const answers = new Map(
    given.parts.flatMap((part) => ('toolCallId' in part ? [[part.toolCallId, part] as const] : [])),
  );
  const before = fromThread(stored);
  const parts = before.parts.map((part) => {
    if (!('toolCallId' in part) || !('state' in part)) return part;
    const answer = answers.get(part.toolCallId);
    return answer ? { ...part, ...outcomeOf(part.state, answer) } : part;
  });
  if (isDeepStrictEqual(parts, before.parts)) return undefined;
  const { parts: after } = toThread({ ...before, parts });
  return { type: 'update', message: { ...stored, parts: after } };
}

function outcomeOf(before: unknown, part: object): object {
  const { states = [], keys = [] } = OUTCOMES.get(before) ?? {};
  const value: unknown = JSON.parse(JSON.stringify(part));
  if (!isJsonObject(value) || !states.some((state) => state === value['state'])) return {};
  return Object.fromEntries(keys.flatMap((key) => (key in value ? [[key, value[key]]] : [])));
}
