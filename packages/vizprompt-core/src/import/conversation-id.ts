import { objectOf, textAt } from '@vizprompt/providers/internal';
import { firstId, type Spelled } from './fields.ts';
import type { ListedMessage } from './list-messages.ts';
import { NAMES } from './spellings.ts';

/**
 * Returns the id of a conversation; `undefined` if its source gives it none.
 *
 * @param about - The fields next to its messages.
 */
export function conversationId(
  about: Spelled,
  listed: readonly ListedMessage[],
): string | undefined {
  const row = rowOf(about, listed);
  const names = NAMES.conversationId.filter((name) => row === undefined || name !== 'sessionid');
  const own = firstId(about, names) ?? row;
  if (own !== undefined) return own;
  const named = new Set(
    listed.map(({ fields }) => firstId(fields, [...NAMES.conversation, 'conversation'])),
  );
  return named.size === 1 ? [...named][0] : undefined;
}

/** Returns the id of a row of HuggingChat where only the session of a browser has one, which other rows may share. */
function rowOf(about: Spelled, listed: readonly ListedMessage[]): string | undefined {
  const isOfSession = ['sessionid', 'model'].every((name) => about.has(name));
  const isOfHub = listed.every(({ fields }) => fields.has('from') && !fields.has('value'));
  return isOfSession && isOfHub ? textAt(objectOf(about.get('id')), '$oid') : undefined;
}
