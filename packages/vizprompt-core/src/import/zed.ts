import type { JsonObject } from '@vizprompt/providers';
import { isJsonObject, textAt } from '@vizprompt/providers/internal';
import type { Expanded } from './containers.ts';
import { listAt, numberAt, objectOf } from './fields.ts';

/**
 * Returns a text thread of Zed with a text for each message: its file has one text, and where each message starts
 * in it, in bytes of UTF-8. Up to version 0.3 the roles are in a map by the numbers of the messages.
 *
 * Source: `SavedContext` and `SavedConversation` in the source code of Zed.
 */
export function expandZed(entry: JsonObject): Expanded | undefined {
  const { zed, text, messages: _, message_metadata: about, ...rest } = entry;
  const messages = listAt(entry, 'messages').filter(isJsonObject);
  const isThread = zed === 'context' || zed === 'conversation';
  const isWhole = messages.length > 0 && messages.length === listAt(entry, 'messages').length;
  if (!isThread || typeof text !== 'string' || !isWhole) return undefined;
  const bytes = Buffer.from(text);
  const starts = messages.map((message) => numberAt(message, 'start') ?? bytes.length);
  const isRow = starts.every(
    (start, at) => start >= (starts[at - 1] ?? 0) && start <= bytes.length,
  );
  // With other places than these, words would be lost.
  if (starts[0] !== 0 || !isRow) return undefined;
  const roles = new Map(Object.entries(isJsonObject(about) ? about : {}));
  const read = messages.map((message, at): JsonObject => {
    const { id, start: _start, metadata, ...own } = message;
    const number = (isJsonObject(id) ? Object.values(id) : [id ?? at])
      .map((each) => (typeof each === 'string' ? each : JSON.stringify(each)))
      .join('.');
    const facts = isJsonObject(metadata) ? metadata : objectOf(roles.get(number));
    roles.delete(number);
    const said = bytes.subarray(starts[at], starts[at + 1]).toString('utf8');
    // A line break ends every message.
    const content = at + 1 < messages.length ? said.replace(/\n$/, '') : said.replace(/\n\n*$/, '');
    return { ...own, ...facts, role: textAt(facts, 'role') ?? 'user', id: number, content };
  });
  const others = Object.fromEntries(roles);
  const conversation: JsonObject = { ...rest, zed, messages: read, message_metadata: others };
  return { conversations: [conversation], account: conversation };
}
