import type { JsonObject, JsonValue } from '@vizprompt/providers';
import { isJsonObject } from '@vizprompt/providers/internal';
import { listAt, squash, textAt } from './fields.ts';
import { splitTranscript } from './split-transcript.ts';

/** Lists of texts in which a user and an assistant take turns, without saying so. */
const TURNS = ['dialog', 'dialogue', 'conversation', 'conversations', 'turns', 'utterances'];

/** Lists of pairs: what was asked, and the answer. */
const PAIRS = ['history', 'internal', 'chathistory', 'chatbot', ...TURNS];

/**
 * Returns a conversation whose messages have roles, where its source only orders them: a row of texts, pairs of a
 * question and an answer, a transcript in one string, or a history with the last question next to it.
 */
export function withRoles(entry: JsonObject): JsonObject | undefined {
  for (const [key, value] of Object.entries(entry)) {
    const messages = Array.isArray(value) ? rowOf(key, value, entry) : undefined;
    if (messages) return { ...without(entry, key, 'visible'), messages: [...messages] };
  }
  const history = listAt(entry, 'chat_history');
  const asked = textAt(entry, 'message');
  if (history.length > 0 && asked !== undefined) {
    const answer = textAt(entry, 'text');
    const last = answer === undefined ? [] : [{ role: 'CHATBOT', message: answer }];
    return {
      ...without(entry, 'chat_history', 'message', 'text'),
      messages: [...history, { role: 'USER', message: asked }, ...last],
    };
  }
  const written = Object.values(entry).filter((value) => typeof value === 'string');
  const isAlone = Object.values(entry).every(
    (value) => typeof value !== 'object' || value === null,
  );
  const text = textAt(entry, 'text', 'content', 'conversation', 'prompt') ?? '';
  const messages = isAlone && written.includes(text) ? splitTranscript(text) : undefined;
  if (!messages) return undefined;
  const rest = Object.fromEntries(Object.entries(entry).filter(([, value]) => value !== text));
  return { ...rest, messages: [...messages] };
}

function rowOf(
  key: string,
  list: readonly JsonValue[],
  entry: JsonObject,
): readonly JsonObject[] | undefined {
  const name = squash(key);
  if (PAIRS.includes(name) && list.length > 0 && list.every(isPair)) {
    return list.flatMap((pair) => {
      const [asked, answer] = pair;
      return [
        ...(asked === null || asked === '' ? [] : [{ role: 'user', content: asked }]),
        ...(answer === null || answer === '' ? [] : [{ role: 'assistant', content: answer }]),
      ];
    });
  }
  // UltraChat calls the row `data`, as anything may be called.
  const isRow = TURNS.includes(name) || (name === 'data' && hasOnly(entry, ['id', 'data']));
  if (!isRow || list.length < 2 || !list.every((each) => typeof each === 'string'))
    return undefined;
  return list.map((content, at) => ({ role: at % 2 === 0 ? 'user' : 'assistant', content }));
}

type Text = string | null;

function isPair(value: JsonValue): value is [Text, Text] {
  const isText = (each: JsonValue): boolean => typeof each === 'string' || each === null;
  return (
    Array.isArray(value) && value.length === 2 && value.every((each: JsonValue) => isText(each))
  );
}

function hasOnly(entry: JsonObject, names: readonly string[]): boolean {
  return Object.keys(entry).every((key) => names.includes(squash(key)));
}

function without(entry: JsonObject, ...keys: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(entry).filter(([key]) => !keys.includes(key)));
}

/** Checks whether a list of objects is in the order of its times, the newest first. */
export function isNewestFirst(times: readonly (string | undefined)[]): boolean {
  const numbers = times.map((time) => Date.parse(time ?? ''));
  const isFalling = numbers.every((time, at) => at === 0 || time <= (numbers[at - 1] ?? 0));
  return isFalling && (numbers[0] ?? 0) > (numbers.at(-1) ?? 0);
}

/** Checks whether a value is an object with all of some fields. */
export function hasFields(
  value: JsonValue | undefined,
  ...keys: readonly string[]
): value is JsonObject {
  return isJsonObject(value) && keys.every((key) => key in value);
}
