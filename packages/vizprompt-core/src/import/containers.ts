import type { JsonObject, JsonValue } from '@vizprompt/providers';
import { isJsonObject, parseJson } from '@vizprompt/providers/internal';
import { idAt, idOf, listAt, objectAt, objectOf, textAt } from './fields.ts';

/** Returns the topics of a backup of Cherry Studio, whose messages name the blocks that hold their texts. */
export function expandCherryStudio(entry: JsonObject): readonly JsonObject[] | undefined {
  const tables = objectAt(entry, 'indexedDB');
  const topics = listAt(tables, 'topics').filter(isJsonObject);
  if (topics.length === 0) return undefined;
  const blocks = new Map(
    listAt(tables, 'message_blocks')
      .filter(isJsonObject)
      .map((block) => [idAt(block, 'id') ?? '', block] as const),
  );
  const names = namesOf(objectAt(entry, 'localStorage'));
  return topics.map((topic): JsonObject => {
    const messages = listAt(topic, 'messages').map((message): JsonValue => {
      if (!isJsonObject(message)) return message;
      const own = listAt(message, 'blocks').map((block): JsonValue => {
        return blocks.get(idOf(block) ?? '') ?? block;
      });
      return { ...message, blocks: own };
    });
    const title = textAt(topic, 'name') ?? names.get(idAt(topic, 'id') ?? '') ?? '';
    return { ...topic, title, messages };
  });
}

/** Returns the names of topics, which are in the settings of their assistants: JSON within JSON. */
function namesOf(storage: JsonObject): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  const visit = (value: JsonValue | undefined, depth: number): void => {
    if (depth > 8 || typeof value !== 'object' || value === null) {
      if (typeof value !== 'string' || !/^[[{]/.test(value)) return;
      visit(parseJson(value), depth + 1);
      return;
    }
    for (const each of Object.values(value)) visit(each, depth + 1);
    if (!isJsonObject(value)) return;
    for (const topic of listAt(value, 'topics').filter(isJsonObject)) {
      names.set(idAt(topic, 'id') ?? '', textAt(topic, 'name') ?? '');
    }
  };
  visit(storage, 0);
  return names;
}

/**
 * Returns the sessions of ChatBox with their forks as branches: of each fork, `messages` has the list that is
 * shown, and the others hang on the message before it.
 */
export function expandChatBox(entry: JsonObject): readonly JsonObject[] | undefined {
  const sessions = [entry, ...Object.values(entry), ...listAt(entry, 'chat-sessions')]
    .filter(isJsonObject)
    .filter((each) => isJsonObject(each['messageForksHash']) || Array.isArray(each['threads']))
    .filter((each) => Array.isArray(each['messages']));
  if (sessions.length === 0) return undefined;
  const isOne = sessions[0] === entry;
  const plain = isOne
    ? []
    : Object.values(entry)
        .filter(isJsonObject)
        .filter((each) => Array.isArray(each['messages']) && !sessions.includes(each));
  return [...sessions, ...plain].flatMap((session) => {
    const { threads, messageForksHash, ...rest } = session;
    const own = {
      ...rest,
      messages: withForks(listAt(session, 'messages'), objectOf(messageForksHash)),
    };
    const others = (Array.isArray(threads) ? threads : []).filter(isJsonObject);
    return [
      own,
      ...others.map((thread): JsonObject => ({ ...thread, sessionName: rest['name'] ?? null })),
    ];
  });
}

/** Returns a prompt of AI Studio whose files belong to the text after them, without inputs that are blank. */
export function expandAiStudio(entry: JsonObject): readonly JsonObject[] | undefined {
  const prompt = entry['chunkedPrompt'];
  if (!isJsonObject(prompt)) return undefined;
  const messages: JsonObject[] = [];
  const open: JsonObject[] = [];
  const chunks = [...listAt(prompt, 'chunks'), ...listAt(prompt, 'pendingInputs')];
  for (const chunk of chunks.filter(isJsonObject)) {
    const { role = null, text } = chunk;
    const before = open[0];
    if (before && before['role'] !== role) messages.push(inOne(open.splice(0)));
    const isText = typeof text === 'string' && !('parts' in chunk && text === '');
    if (isText && open.length === 0) {
      if (text !== '' || Object.keys(chunk).length > 2) messages.push(chunk);
    } else if (isText) messages.push(inOne([...open.splice(0), chunk]));
    else open.push(chunk);
  }
  if (open.length > 0) messages.push(inOne(open));
  return [{ ...entry, chunkedPrompt: { ...prompt, chunks: messages, pendingInputs: [] } }];
}

function inOne(chunks: readonly JsonObject[]): JsonObject {
  return { role: chunks[0]?.['role'] ?? null, parts: [...chunks] };
}

function withForks(messages: readonly JsonValue[], forks: JsonObject): JsonValue[] {
  const open = new Map(Object.entries(forks));
  const row = (list: readonly JsonValue[], above: string | undefined): JsonValue[] => {
    let last = above;
    return list.flatMap((message): JsonValue[] => {
      if (!isJsonObject(message)) return [message];
      const id = idAt(message, 'id');
      const linked = { ...message, parentId: last ?? null };
      last = id ?? last;
      const fork = objectOf(open.get(id ?? ''));
      open.delete(id ?? '');
      const lists = listAt(fork, 'lists').flatMap((each) =>
        row(listAt(objectOf(each), 'messages'), id),
      );
      return [linked, ...lists];
    });
  };
  return row(messages, undefined);
}
