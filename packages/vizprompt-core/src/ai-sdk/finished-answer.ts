import { isDeepStrictEqual } from 'node:util';
import { canonicalJson } from '@vizprompt/providers/internal';
import type { AnyUIMessage } from '../bridge/ui-message.ts';
import type { NodeStatus } from '../node/node.ts';
import type { ThreadChange, ThreadMessage, ThreadOutline } from '../thread/thread.ts';

/** The event of the AI SDK at the end of an answer. */
export interface FinishedAnswer<Message> {
  readonly responseMessage: Message;
  readonly isContinuation?: boolean;
  readonly isAborted?: boolean;
  readonly outcome?: { readonly status: string };
  readonly finishReason?: string | undefined;
}

/** A message whose answer is awaited, as it was when it was asked. */
export interface AskedMessage {
  readonly message: ThreadMessage;
  /** The ids of the answers that it had. */
  readonly answers: ReadonlySet<string>;
}

/** Returns the message of a thread that is to be answered. */
export function askedIn(thread: ThreadOutline, id: string): AskedMessage {
  const message = thread.message(id);
  if (!message) throw new Error(`the message '${id}' is not in its thread`);
  const answers = thread.messages.filter(({ parentId }) => parentId === id);
  return { message, answers: new Set(answers.map((answer) => answer.id)) };
}

/** Says how a thread changes by an answer: while it was on its way, its question may have been edited or deleted. */
export function changesOf(
  thread: ThreadOutline,
  asked: AskedMessage,
  answer: ThreadMessage,
): readonly ThreadChange[] {
  const parentId = placeOf(thread, asked.message);
  const places = new Map(thread.messages.map((place) => [place.id, place]));
  // Nothing was said, or its question was deleted.
  if (parentId === undefined) return [];
  if (answer.parts.length === 0 && !places.has(answer.id)) return [];
  // A user who went to another branch meanwhile stays there. The last of several answers that began meanwhile shows.
  const head = places.get(thread.headId ?? '');
  const isEarlier =
    head?.parentId === parentId && !asked.answers.has(head.id) && head.id < answer.id;
  const isHead = head?.id === parentId || isEarlier;
  return [{ type: 'append', parentId, message: answer, isHead }];
}

/** Returns the id that a message has by now: an edited one has another, and its new version has the id that it had. */
function placeOf(thread: ThreadOutline, asked: ThreadMessage): string | undefined {
  const { id, role } = asked;
  const isOld = (other: string): boolean => other.startsWith(`${id}~`);
  const places = thread.messages.filter((place) => place.role === role);
  const own = places.filter((place) => place.id === id);
  const said = saidBy(asked);
  const same = [...own, ...places.filter((place) => isOld(place.id))].find((version) =>
    isDeepStrictEqual(saidBy(thread.message(version.id)), said),
  );
  return (same ?? own[0])?.id;
}

function saidBy(message: ThreadMessage | undefined): unknown {
  return canonicalJson([message?.parts, message?.meta]);
}

/** A reader that leaves is not an abort for the AI SDK: the stream then has no outcome, or a piece of text has no end. */
export function statusOf(answer: FinishedAnswer<AnyUIMessage>): NodeStatus {
  const { isAborted = false, outcome, finishReason, responseMessage } = answer;
  if (outcome?.status === 'failed' || finishReason === 'error') return 'failed';
  const isLeft = outcome?.status === 'unknown' && finishReason === undefined;
  const isCut = responseMessage.parts.some((part) => 'state' in part && part.state === 'streaming');
  return isAborted || isLeft || isCut ? 'aborted' : 'done';
}
