import type { JsonObject } from '@vizprompt/providers';
import {
  isJsonObject,
  listAt,
  objectAt,
  omitUndefined as defined,
  textAt,
} from '@vizprompt/providers/internal';
import { readContent } from './content.ts';
import { BrokenEntry, type ImportedConversation, type ImportedMessage } from './conversation.ts';
import { idAt, timeAt } from './fields.ts';
import { readAttached } from './files.ts';
import { linkMessages } from './link-messages.ts';
import { hasFields, isNewestFirst } from './plain-rows.ts';

/** Checks whether an entry is a chat of Character.AI: turns, each with its candidates. */
export function isCharacterAi(entry: JsonObject): boolean {
  return listAt(entry, 'turns').some((turn) => hasFields(turn, 'turn_key', 'candidates'));
}

/**
 * Reads a chat of Character.AI. The candidates of a turn are branches; the chat continues from the primary one. The
 * API lists the newest turn first.
 */
export function readCharacterAi(entry: JsonObject): ImportedConversation {
  const listed = listAt(entry, 'turns').filter(isJsonObject);
  const times = listed.map((turn) => timeAt(turn, 'create_time'));
  const turns = isNewestFirst(times) ? listed.toReversed() : listed;
  const messages: ImportedMessage[] = [];
  let parent: string | undefined;
  for (const [at, turn] of turns.entries()) {
    const said = messagesOf(turn, at, parent);
    const primary = textAt(turn, 'primary_candidate_id');
    parent = (said.find(({ id }) => id === primary) ?? said[0])?.id ?? parent;
    messages.push(...said);
  }
  if (messages.length === 0) throw new BrokenEntry('it holds no messages');
  const chat = objectAt(entry, 'chat');
  const [first = {}] = turns;
  const warnings: string[] = [];
  const speaker = messages.find(({ role }) => role === 'assistant')?.name;
  return {
    format: 'character-ai',
    id:
      idAt(chat, 'chat_id') ??
      idAt(objectAt(first, 'turn_key'), 'chat_id') ??
      messages[0]?.id ??
      '',
    title: textAt(chat, 'name', 'title') ?? textAt(entry, 'title') ?? speaker ?? '',
    ...defined({
      created: timeAt(chat, 'create_time') ?? timeAt(first, 'create_time'),
      head: parent,
    }),
    messages: linkMessages(messages, warnings),
    warnings,
  };
}

/** Returns the candidates of a turn side by side; the first of them holds what else the turn says. */
function messagesOf(turn: JsonObject, at: number, parent: string | undefined): ImportedMessage[] {
  const author = objectAt(turn, 'author');
  const turnId = idAt(objectAt(turn, 'turn_key'), 'turn_id') ?? `${at}`;
  const candidates = listAt(turn, 'candidates').filter(isJsonObject);
  // Old candidates come first: the API lists the newest first.
  return candidates.toReversed().map((candidate, place): ImportedMessage => {
    const image = textAt(candidate, 'tti_image_rel_path');
    return {
      id: idAt(candidate, 'candidate_id') ?? `${turnId}/${place}`,
      role: author['is_human'] === true ? 'user' : 'assistant',
      ...defined({
        parent,
        name: textAt(author, 'name'),
        time: timeAt(candidate, 'create_time') ?? timeAt(turn, 'create_time'),
        model: textAt(candidate, 'model_type'),
      }),
      parts: [
        ...readContent(candidate['raw_content']),
        ...(image === undefined ? [] : readAttached(image)),
      ],
      raw: candidates.length === 1 ? turn : candidate,
    };
  });
}
