import type { JsonObject, JsonValue } from '@vizprompt/providers';
import {
  isJsonObject,
  listAt,
  objectAt,
  objectOf,
  omitUndefined as defined,
  textAt,
} from '@vizprompt/providers/internal';
import { expandGeminiRequest } from './containers.ts';
import { isBlank, squash } from './fields.ts';
import { knownRole } from './spellings.ts';
import { splitTranscript } from './plain-rows.ts';

/**
 * Returns a conversation whose last answers are next to its messages, with them as versions of one message:
 * the `choices` of a completion, or the answers that were preferred and those that were not.
 */
export function withAnswersBeside(entry: JsonObject): JsonObject | undefined {
  const logged = ofExchange(entry);
  if (logged) return withAnswersBeside(logged) ?? logged;
  const answer = answersNextTo(entry);
  const choices = [...listAt(entry, 'choices').filter(isJsonObject), ...answer].flatMap(
    (choice) => choice['message'] ?? [],
  );
  if (choices.length > 0) {
    const { choices: _choices, message, ...others } = entry;
    const rest = answer.length > 0 ? others : { ...others, ...defined({ message }) };
    const messages = listAt(entry, 'messages');
    const last = messages.at(-1);
    const chosen = choices.findIndex((choice) => isSameAnswer(choice, last));
    if (chosen < 0 || !isJsonObject(last)) {
      return { ...rest, messages: [...messages, versionsOf(choices)] };
    }
    // A log may add the answer to the messages that were sent.
    const versions = choices.with(chosen, { ...objectOf(choices[chosen]), ...withoutBlanks(last) });
    return { ...rest, messages: [...messages.slice(0, -1), versionsOf(versions, chosen)] };
  }
  const prompt = textAt(entry, 'prompt', 'question', 'instruction');
  const isAnswer = prompt !== undefined || askedIn(entry).length > 0;
  const [better, worse] = PREFERRED.map((names) => {
    return names.flatMap((name) => answersOf(entry[name], isAnswer)).filter(isJsonObject);
  });
  if (!better?.length || !worse?.length) return undefined;
  const isAsked = [...better, ...worse].some((each) => knownRole(each['role']) === 'user');
  const asked =
    prompt !== undefined && !isAsked ? [{ role: 'user', content: prompt }] : askedIn(entry);
  // Both lists may begin with what was asked.
  const shared = better.findIndex((each, at) => !isSame(each, worse[at]));
  if (shared < 0) return undefined;
  const answers = [...better.slice(shared, shared + 1), ...worse.slice(shared, shared + 1)];
  const after = better.slice(shared + 1);
  const own = new Set<string>(['input', ...LISTS, ...PREFERRED.flat()]);
  if (prompt === undefined && !Array.isArray(entry['prompt'])) own.delete('prompt');
  const rest = Object.fromEntries(Object.entries(entry).filter(([key]) => !own.has(key)));
  return {
    ...rest,
    messages: [...asked, ...better.slice(0, shared), versionsOf(answers), ...after],
  };
}

/** The fields with the answers that were preferred, and with those that were not. */
const PREFERRED = [
  ['preferred_output', 'chosen', 'conversation_a', 'response_a'],
  ['non_preferred_output', 'rejected', 'conversation_b', 'response_b'],
] as const;

/** The fields with the messages before two answers. */
const LISTS = ['messages', 'conversations', 'conversation', 'prompt'] as const;

/** Returns the messages that two answers follow. */
function askedIn(entry: JsonObject): readonly JsonValue[] {
  const lists = [
    listAt(objectAt(entry, 'input'), 'messages'),
    ...LISTS.map((name) => listAt(entry, name)),
  ];
  return lists.find((list) => list.some(isJsonObject)) ?? [];
}

/** Returns the messages of a list, of a transcript in one string, or of a string that is an answer. */
function answersOf(value: JsonValue | undefined, isAnswer: boolean): readonly JsonValue[] {
  if (Array.isArray(value)) return value;
  if (isJsonObject(value)) return [value];
  if (typeof value !== 'string' || value === '') return [];
  return splitTranscript(value, isAnswer) ?? [{ role: 'assistant', content: value }];
}

/** Names of what was sent to a model and of what came back, in logs; without the former, the entry was sent. */
const EXCHANGES = [
  ['request', 'response'],
  ['inputs', 'outputs'],
  ['input', 'output'],
] as const;

/** Words in other names of what was sent and of what came back; the last ones are of Weave and PostHog. */
const PAIRS = [
  ['request', 'response'],
  ['inputmessages', 'outputmessages'],
  ['inputs', 'output'],
  ['$aiinput', '$aioutputchoices'],
] as const;

/**
 * Returns the names of what was sent and of what came back, such as `full_request` and `full_response`: the usual ones, and
 * others where only one pair has them and no message next to it is an answer.
 */
function exchangesIn(entry: JsonObject): readonly (readonly [string, string])[] {
  if (listAt(entry, 'messages').some((each) => knownRole(objectOf(each)['role']) === 'assistant'))
    return EXCHANGES;
  const keys = new Map(Object.keys(entry).map((key) => [squash(key), key]));
  let other: readonly [string, string] | undefined;
  for (const [name, key] of keys) {
    if (key === 'request' || typeof entry[key] !== 'object' || entry[key] === null) continue;
    const [asks, answers] = PAIRS.find(([asked]) => name.includes(asked)) ?? ['', ''];
    const answered = asks === '' ? undefined : keys.get(name.replace(asks, answers));
    if (answered === undefined) continue;
    if (other) return EXCHANGES;
    other = [key, answered];
  }
  return other ? [...EXCHANGES, other] : EXCHANGES;
}

/** Returns the request of an API with the choices of its response, as batches, logs and runs of LangSmith have them. */
function ofExchange(entry: JsonObject): JsonObject | undefined {
  for (const [sent, received] of exchangesIn(entry)) {
    // An input with its output is a turn, which a session joins to the next.
    const isOther = sent === 'input' || 'messages' in entry;
    const talk = !isOther && isTalk(entry[sent]) ? entry[sent] : undefined;
    const request: JsonObject = talk
      ? { messages: talk }
      : sent in entry
        ? bodyOf(entry[sent])
        : entry;
    const response = answerText(talk, entry[received]) ?? bodyOf(entry[received]);
    const about = Object.entries(entry).filter(([key]) => key !== sent && key !== received);
    const own = request === entry ? {} : request;
    const flat = flatOf(request, response, { ...Object.fromEntries(about), ...response, ...own });
    if (flat) return flat;
    const answers = listAt(entry, received);
    const said = talk && answers.every(isAnswerItem) ? answeredIn(talk, answers) : [];
    if (said.length > 0) return { ...Object.fromEntries(about), messages: [...said] };
    const choices = choicesOf(response);
    const asked = askedOf(request);
    if (asked.length === 0 || choices.length === 0) continue;
    const messages = [...asked];
    const { message, ...others } = withoutText(response);
    const isAnswer = isAnswerItself(response);
    const rest = isAnswer ? {} : others;
    const told = answerOf(response).length > 0 ? rest : { ...rest, ...defined({ message }) };
    return { ...Object.fromEntries(about), ...told, ...own, messages, choices: [...choices] };
  }
  return undefined;
}

/**
 * Returns what was said with the answers: each answer after its question where there are as many, else all
 * answers after it; none if there are no answers.
 */
function answeredIn(
  talk: readonly JsonValue[],
  answers: readonly JsonValue[],
): readonly JsonValue[] {
  const roleOf = (each: JsonValue): unknown => knownRole(objectOf(each)['role']);
  const spoken = answers.filter((each) => roleOf(each) === 'assistant');
  if (answers.length === 0) return [];
  if (spoken.length < 2 || talk.some((each) => roleOf(each) === 'assistant')) {
    return [...talk, ...answers];
  }
  const asked = talk.filter((each) => roleOf(each) === 'user');
  if (asked.length !== answers.length || spoken.length !== answers.length)
    return [...talk, ...answers];
  const answerTo = new Map(asked.map((each, at) => [each, answers[at] ?? null]));
  return talk.flatMap((each) => [each, answerTo.get(each) ?? []].flat());
}

/** Returns the messages of a request, or its prompt as one. */
function askedOf({ messages, prompt }: JsonObject): readonly JsonValue[] {
  if (Array.isArray(messages)) return messages.flat();
  return typeof prompt === 'string' ? [{ role: 'user', content: prompt }] : [];
}

/** Fields with the text of an answer to a prompt, of Ollama, Anthropic and Text Generation Inference. */
const TEXTS = ['response', 'completion', 'generated_text'] as const;

function withoutText(response: JsonObject): JsonObject {
  const name = TEXTS.find((each) => typeof response[each] === 'string');
  if (name === undefined || listAt(response, 'choices').length > 0) return response;
  const { [name]: _, ...rest } = response;
  return rest;
}

/** Returns the choices of completions, whose answers are plain texts, as those of chats. */
function ofTexts(response: JsonObject): readonly JsonValue[] {
  const text = textAt(response, ...TEXTS);
  const own = text === undefined ? [] : [{ message: { role: 'assistant', content: text } }];
  const choices = listAt(response, 'choices').map((choice): JsonValue => {
    const { text: said, ...rest } = objectOf(choice);
    if (typeof said !== 'string' || 'message' in rest) return choice;
    return { ...rest, message: { role: 'assistant', content: said } };
  });
  return choices.some((each) => 'message' in objectOf(each)) ? choices : [...choices, ...own];
}

/** Checks whether what was sent is all that was said before, as logs have it. */
function isTalk(sent: JsonValue | undefined): sent is JsonValue[] {
  return (
    Array.isArray(sent) &&
    sent.some((each: JsonValue) => knownRole(objectOf(each)['role']) === 'user') &&
    sent.every((each: JsonValue) => 'content' in objectOf(each))
  );
}

/** Returns the answer to what was said before, where it is only a text. */
function answerText(
  talk: readonly JsonValue[] | undefined,
  received: JsonValue | undefined,
): JsonObject | undefined {
  return talk && typeof received === 'string'
    ? { role: 'assistant', content: received }
    : undefined;
}

/**
 * Returns a request of Gemini or of Responses with what came back as one conversation.
 *
 * @param all - The fields of both, and those next to them.
 */
function flatOf(
  request: JsonObject,
  response: JsonObject,
  all: JsonObject,
): JsonObject | undefined {
  const { candidates } = response;
  if ('contents' in request && Array.isArray(candidates) && candidates.every(isJsonObject)) {
    return expandGeminiRequest(all)?.account ?? all;
  }
  const { input, output: _output, ...rest } = all;
  // Next to its input, an answer in one object is a turn: its readers know what else belongs to it.
  const { output } = response;
  const asked =
    typeof input === 'string' ? [{ role: 'user', content: input }] : listAt(request, 'input');
  const answered = isJsonObject(output) ? [output] : listAt(response, 'output');
  const isFlat =
    [asked, answered].every((list) => list.length > 0 && list.every(isJsonObject)) &&
    answered.some(isAnswerItem) &&
    answered.every(isItem) &&
    !('messages' in rest);
  return isFlat ? { ...rest, messages: [...asked, ...answered] } : undefined;
}

/** Types of the items that a model answers with in the API of Responses. */
const ITEMS =
  /^(?:message|reasoning|compaction|mcp_(?:list_tools|approval_request)|tool_search_output|[a-z_]+_call(?:_output)?)$/;

/** Checks whether a value is an answer, or an item of one. */
function isAnswerItem(value: JsonValue): boolean {
  const { type, role } = objectOf(value);
  return knownRole(role) === 'assistant' || (typeof type === 'string' && ITEMS.test(type));
}

/** Checks whether a value may be among the items of an answer, of a type that is known or not. */
function isItem(value: JsonValue): boolean {
  return isAnswerItem(value) || typeof objectOf(value)['type'] === 'string';
}

/** Objects that wrap a request or a response in logs of HTTP and of Bedrock. */
const BODIES = ['body', 'inputBodyJson', 'outputBodyJson'];

function bodyOf(value: JsonValue | undefined): JsonObject {
  const outer = objectOf(value);
  const inner = BODIES.map((name) => outer[name]).find(isJsonObject);
  return inner ?? outer;
}

/** Returns the choices of a response, or the generations of LangChain or the message of Ollama, as choices. */
function choicesOf(response: JsonObject): readonly JsonValue[] {
  const generations = listAt(response, 'generations').flat().filter(isJsonObject);
  const own = isAnswerItself(response)
    ? [{ message: response }]
    : answerOf(objectOf(response['output']));
  return [...ofTexts(response), ...generations, ...answerOf(response), ...own];
}

/** Checks whether a response is the message itself, as Anthropic gives it. */
function isAnswerItself(response: JsonObject): boolean {
  return knownRole(response['role']) === 'assistant' && !isBlank(response['content']);
}

/** Checks whether an entry is all that a model was given, with what it answered. */
export function isExchange(entry: JsonObject): boolean {
  return answersNextTo(entry).length > 0 || ofExchange(entry) !== undefined;
}

function answersNextTo(entry: JsonObject): readonly JsonObject[] {
  return Array.isArray(entry['messages']) ? answerOf(entry) : [];
}

/** Returns the answer that an object has as its `message`, as Ollama and Cohere give it. */
function answerOf({ message }: JsonObject): readonly JsonObject[] {
  const isAnswer = isJsonObject(message) && knownRole(message['role']) === 'assistant';
  return isAnswer ? [{ message }] : [];
}

function versionsOf(versions: readonly JsonValue[], selected = 0): JsonObject {
  return { alternatives: [...versions], selected };
}

/** Checks whether two messages say the same: what both have is equal, and something is. */
function isSameAnswer(one: JsonValue, other: JsonValue | undefined): boolean {
  if (!isJsonObject(one) || !isJsonObject(other)) return false;
  if (knownRole(one['role']) === 'user' || knownRole(other['role']) === 'user') return false;
  const said = new Map(Object.entries(withoutBlanks(one)));
  const shared = Object.entries(withoutBlanks(other)).filter(([key]) => said.has(key));
  return (
    shared.some(([key]) => ['content', 'tool_calls', 'audio'].includes(key)) &&
    shared.every(([key, value]) => isSame(value, said.get(key)))
  );
}

function withoutBlanks(message: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(message).filter(([, value]) => !isBlank(value)));
}

function isSame(one: JsonValue, other: JsonValue | undefined): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
