import type { TranscriptEntry } from '@vizprompt/providers/transcripts';
import { omitUndefined as defined } from '@vizprompt/providers/internal';
import type { ImportedMessage } from './conversation.ts';

/**
 * Puts the results of tools that ran at the same time one behind the other. In the file each hangs
 * on the entry of its call, and the session goes on from the last; the others would look like
 * branches that somebody left.
 *
 * @param entries - What the messages were read from.
 */
export function joinResults(
  messages: readonly ImportedMessage[],
  entries: readonly TranscriptEntry[],
): ImportedMessage[] {
  const answers = answersOf(entries);
  const children = new Map<string, number>();
  for (const { parent = '' } of messages) children.set(parent, (children.get(parent) ?? 0) + 1);
  const results = new Map<string, ImportedMessage[]>();
  const lastOf = new Map<string, string>();
  for (const message of messages) {
    const own = answers.get(message.id);
    if (own !== undefined) lastOf.set(own, message.id);
    const answer = message.role === 'tool' ? answers.get(message.parent ?? '') : undefined;
    if (answer !== undefined) results.set(answer, [...(results.get(answer) ?? []), message]);
  }
  // An answer that waits for a result before it goes on is a row already.
  const answerOfResult = new Map(
    [...results].flatMap(([answer, list]) => list.map(({ id }) => [id, answer] as const)),
  );
  for (const { id, parent = '' } of messages) {
    const answer = answers.get(id);
    if (answer !== undefined && answerOfResult.get(parent) === answer) results.delete(answer);
  }

  const moved = new Map<string, string>();
  for (const [answer, siblings] of results) {
    const goingOn = siblings.filter(({ id }) => children.has(id));
    const isParallel = siblings.length > 1 && areDistinct(siblings) && goingOn.length <= 1;
    if (!isParallel) continue;
    // The one that the session goes on from comes last, behind the whole answer.
    const [next = siblings.at(-1)] = goingOn;
    const row = [...siblings.filter((result) => result !== next), ...(next ? [next] : [])];
    let parent = lastOf.get(answer) ?? '';
    for (const { id } of row) {
      moved.set(id, parent);
      parent = id;
    }
  }
  return messages.map((message) => {
    const { parent: before, ...rest } = message;
    return { ...rest, ...defined({ parent: moved.get(message.id) ?? before }) };
  });
}

/** The answer, by the id of the model's message, that each entry is a piece of. */
function answersOf(entries: readonly TranscriptEntry[]): ReadonlyMap<string, string> {
  return new Map(
    entries.flatMap(({ id, messageId, role }) =>
      role === 'assistant' && id !== undefined && messageId !== undefined ? [[id, messageId]] : [],
    ),
  );
}

/** Whether these are results of different calls; a second result of one call is a branch. */
function areDistinct(results: readonly ImportedMessage[]): boolean {
  const calls = results.flatMap(({ parts }) =>
    parts.flatMap((part) => (part.type === 'tool-result' ? [part.id] : [])),
  );
  return new Set(calls).size === calls.length;
}
