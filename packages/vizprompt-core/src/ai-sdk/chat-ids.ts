import { canonicalJson } from '@vizprompt/providers/internal';
import { uuidFromName } from '../format/ids-and-times.ts';
import type { FlowSummary } from '../graph/flow-service.ts';
import type { ThreadMessage } from '../thread/thread.ts';

const SOURCE = 'ai-sdk:';

/** Returns the id of the flow of a chat. */
export function flowIdOf(chat: string): string {
  return uuidFromName('flow', 'ai-sdk', chat);
}

/** Returns the source of the flow of a chat. */
export function sourceOf(chat: string): string {
  return SOURCE + chat;
}

/** Returns the id of the chat that a flow is: that of its client, or its own where another part of the SDK created it. */
export function chatIdOf({ id, source }: FlowSummary): string {
  return source?.startsWith(SOURCE) === true ? source.slice(SOURCE.length) : id;
}

/**
 * Returns the id of the stream of the answer to a message: known by every process, and written nowhere. An edited message
 * has the id of the old one, so what it says counts, too.
 */
export function streamIdOf(flow: string, { id, parts }: ThreadMessage): string {
  return uuidFromName('stream', flow, id, JSON.stringify(canonicalJson(parts)));
}

/**
 * Returns the id of an answer. It is known again where the end of the answer was not stored, also by another process.
 * A forged one gains nothing: such an answer is left out.
 */
export function answerId(flow: string, nonce: string): string {
  return `${nonce}.${uuidFromName('answer', flow, nonce).slice(0, 8)}`;
}

/** Checks whether {@link answerId} gave an id. */
export function isAnswerId(flow: string, id: string): boolean {
  return id === answerId(flow, id.split('.', 1)[0] ?? '');
}
