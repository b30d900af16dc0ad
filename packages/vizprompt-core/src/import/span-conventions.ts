import type { JsonObject, JsonValue } from '@vizprompt/providers';
import { isJsonObject, listAt, objectOf, textAt } from '@vizprompt/providers/internal';
import { isBlank, parseNested } from './fields.ts';

/** The attributes of the semantic conventions from version 1.37 on. */
export const INPUT = 'gen_ai.input.messages';
export const OUTPUT = 'gen_ai.output.messages';
export const SYSTEM = 'gen_ai.system_instructions';

/** Attributes with a message in each number, and the attribute that has them as a list. */
const NUMBERED: ReadonlyMap<string, string> = new Map([
  ['llm.input_messages', INPUT],
  ['gen_ai.prompt', INPUT],
  ['llm.output_messages', OUTPUT],
  ['gen_ai.completion', OUTPUT],
]);

/** Matches the name of an attribute of a message, such as `llm.input_messages.0.message.content`. */
const NUMBERED_NAME =
  /^((?:llm\.(?:in|out)put_messages|gen_ai\.(?:prompt|completion)))\.(\d{1,5})\.(.{1,200})$/;

/** The attributes of the AI SDK with the messages of a call, as JSON. */
const ASKED = 'ai.prompt.messages';
const ANSWERED = 'ai.response.text';
const CALLED = 'ai.response.toolCalls';

/** The events up to version 1.36, each with the role of its message. */
const EVENTS: ReadonlyMap<unknown, string> = new Map<unknown, string>([
  ['gen_ai.system.message', 'system'],
  ['gen_ai.user.message', 'user'],
  ['gen_ai.assistant.message', 'assistant'],
  ['gen_ai.tool.message', 'tool'],
  ['gen_ai.choice', 'choice'],
]);

/**
 * Returns the attributes and events of a span with the messages of other conventions in the attributes of GenAI; the same if
 * there are none.
 *
 * Source: the semantic conventions of OpenInference (Phoenix, Arize), of OpenLLMetry (Traceloop), of OpenTelemetry up to
 * version 1.36, the telemetry of the AI SDK, and requests with their responses as MLflow, Logfire and OpenInference have them.
 */
export function inGenAi(
  attributes: ReadonlyMap<string, JsonValue>,
  events: readonly JsonValue[],
): { readonly attributes: ReadonlyMap<string, JsonValue>; readonly events: readonly JsonValue[] } {
  if (attributes.has(INPUT) || attributes.has(OUTPUT)) return { attributes, events };
  const own = withList(withNumbers(attributes)) ?? ofAiSdk(attributes) ?? ofBodies(attributes);
  if (own) return { attributes: own, events };
  const read = events.map(ofEvent);
  if (read.every((each) => each === undefined)) return { attributes, events };
  const said = read.filter((each) => each !== undefined);
  const input = said.filter(({ isAnswer }) => !isAnswer).map(({ message }) => message);
  const output = said.filter(({ isAnswer }) => isAnswer).map(({ message }) => message);
  return {
    attributes: new Map([...attributes, [INPUT, input], [OUTPUT, output]]),
    events: events.filter((_, at) => read[at] === undefined),
  };
}

/** Returns attributes with a list for each row of numbered ones. */
function withNumbers(attributes: ReadonlyMap<string, JsonValue>): ReadonlyMap<string, JsonValue> {
  const rest = new Map<string, JsonValue>();
  const lists = new Map<string, Map<number, Tree>>();
  for (const [name, value] of attributes) {
    const [, list = '', place = '', path = ''] = NUMBERED_NAME.exec(name) ?? [];
    // Next to the whole list, numbered ones are only kept.
    if (list === '' || attributes.has(list)) rest.set(name, value);
    else {
      const messages = lists.get(list) ?? new Map<number, Tree>();
      lists.set(list, messages);
      const message: Tree = messages.get(Number(place)) ?? new Map<string, Tree | JsonValue>();
      messages.set(Number(place), message);
      put(message, path.split('.'), value);
    }
  }
  for (const [name, messages] of lists) {
    const inOrder = [...messages].toSorted(([a], [b]) => a - b);
    rest.set(
      name,
      inOrder.map(([, message]) => plain(message)),
    );
  }
  return rest;
}

/** An object whose fields are known one after the other. */
type Tree = Map<string, unknown>;

function put(tree: Tree, [step = '', ...path]: readonly string[], value: JsonValue): void {
  const known = tree.get(step);
  if (path.length === 0) {
    if (known instanceof Map) known.set('', value);
    else tree.set(step, value);
    return;
  }
  // A value next to fields of its name is kept among them, without a name.
  const inner: Tree =
    known instanceof Map
      ? known
      : new Map<string, unknown>(known === undefined ? [] : [['', known]]);
  tree.set(step, inner);
  put(inner, path, value);
}

/** Returns a tree as an object, or as a list where all its fields are numbers. */
function plain(value: unknown): JsonValue {
  if (!(value instanceof Map)) return jsonIn(value);
  const fields = [...value].map(([key, each]): [string, JsonValue] => [String(key), plain(each)]);
  const isList = fields.every(([key]) => /^\d+$/.test(key));
  if (!isList) return Object.fromEntries(fields);
  return fields.toSorted(([a], [b]) => Number(a) - Number(b)).map(([, each]) => each);
}

function jsonIn(value: unknown): JsonValue {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the leaves of a tree are values of attributes
  return value as JsonValue;
}

/** Returns attributes with lists of messages as those of GenAI; `undefined` if there are none. */
function withList(
  attributes: ReadonlyMap<string, JsonValue>,
): ReadonlyMap<string, JsonValue> | undefined {
  // Phoenix exports attributes as objects within each other.
  const {
    input_messages: input,
    output_messages: output,
    ...rest
  } = objectOf(attributes.get('llm'));
  const isNested = Array.isArray(input) || Array.isArray(output);
  const found = new Map(attributes);
  if (isNested) found.set('llm', rest);
  const lists: (readonly [string, JsonValue])[] = isNested
    ? [
        ['llm.input_messages', input ?? null],
        ['llm.output_messages', output ?? null],
      ]
    : [...attributes];
  let isFound = false;
  for (const [name, list] of lists) {
    const target = NUMBERED.get(name);
    if (target === undefined || !Array.isArray(list)) continue;
    found.delete(name);
    const messages = list.map((each: JsonValue): JsonValue => messageOf(each));
    found.set(target, messages);
    isFound ||= messages.some(isJsonObject);
  }
  return isFound ? found : undefined;
}

/** Returns a message without the objects that OpenInference wraps each part in. */
function messageOf(value: JsonValue): JsonValue {
  if (!isJsonObject(value)) return value;
  const { message, ...about } = undotted(value);
  const {
    content = null,
    contents,
    tool_calls: calls,
    ...rest
  } = {
    ...about,
    ...objectOf(message),
  };
  // OpenLLMetry writes the pieces of a content as JSON.
  const isPacked = typeof content === 'string' && /^\s*\[\s*\{/.test(content);
  const pieces = isPacked ? parseNested(content) : undefined;
  return {
    ...rest,
    ...(isBlank(content)
      ? {}
      : { [Array.isArray(contents) ? 'text' : 'content']: pieces ?? content }),
    ...(Array.isArray(contents) ? { content: contents.map(partOf('message_content')) } : {}),
    ...(Array.isArray(calls) ? { tool_calls: calls.map(partOf('tool_call')) } : {}),
  };
}

/** Returns an object whose fields are named by paths, such as `message.content` in tables of Phoenix, as they are in it. */
function undotted(value: JsonObject): JsonObject {
  if (!Object.keys(value).some((key) => key.startsWith('message.'))) return value;
  const tree: Tree = new Map<string, unknown>();
  for (const [key, each] of Object.entries(value)) put(tree, key.split('.'), each);
  return objectOf(plain(tree));
}

function partOf(wrapper: string): (value: JsonValue) => JsonValue {
  return (value) => {
    const { [wrapper]: inner, ...rest } = objectOf(value);
    return isJsonObject(inner) ? { ...rest, ...inner } : value;
  };
}

function ofAiSdk(
  attributes: ReadonlyMap<string, JsonValue>,
): ReadonlyMap<string, JsonValue> | undefined {
  const asked = attributes.get(ASKED);
  if (typeof asked !== 'string' || !Array.isArray(parseNested(asked))) return undefined;
  const found = new Map(attributes);
  const [text = null, called] = [attributes.get(ANSWERED), attributes.get(CALLED)];
  const calls = typeof called === 'string' ? parseNested(called) : called;
  for (const name of [ASKED, ANSWERED]) found.delete(name);
  if (Array.isArray(calls)) found.delete(CALLED);
  const answer = {
    role: 'assistant',
    content: text,
    ...(Array.isArray(calls) ? { tool_calls: calls } : {}),
  };
  found.set(INPUT, asked);
  found.set(OUTPUT, isBlank(text) && !Array.isArray(calls) ? [] : [answer]);
  return found;
}

/** Attributes with a request and its response, as JSON. */
const BODIES = [
  ['mlflow.spanInputs', 'mlflow.spanOutputs'],
  ['request_data', 'response_data'],
  ['input.value', 'output.value'],
] as const;

/** Reads a request with messages and its response with an answer; of any other, nothing is read. */
function ofBodies(
  attributes: ReadonlyMap<string, JsonValue>,
): ReadonlyMap<string, JsonValue> | undefined {
  for (const [sent, received] of BODIES) {
    const [request, response] = [bodyIn(attributes.get(sent)), bodyIn(attributes.get(received))];
    const { messages, ...asked } = request;
    const { choices = null, message, ...answered } = response;
    const listed = listAt({ choices }, 'choices').map((each) => objectOf(each)['message'] ?? null);
    const answers = [...listed, ...(isJsonObject(message) ? [message] : [])].filter(isJsonObject);
    const isAsked = Array.isArray(messages) && messages.some((each) => 'role' in objectOf(each));
    if (!isAsked || answers.length === 0) continue;
    const found = new Map(attributes);
    found.set(sent, asked);
    found.set(received, answered);
    found.set(INPUT, messages);
    found.set(OUTPUT, answers);
    return found;
  }
  return undefined;
}

function bodyIn(value: JsonValue | undefined): JsonObject {
  return objectOf(typeof value === 'string' ? parseNested(value) : value);
}

/** Checks whether a name is that of an event with a message. */
export function isEventName(name: JsonValue | undefined): boolean {
  return EVENTS.has(name);
}

/** Reads an event with a message; its text is in a body, or among its attributes. */
function ofEvent(
  event: JsonValue,
): { readonly message: JsonObject; readonly isAnswer: boolean } | undefined {
  const { name = null, attributes, body, ...rest } = objectOf(event);
  const role = EVENTS.get(name);
  if (role === undefined) return undefined;
  const isAnswer = role === 'choice';
  const listed = listAt({ list: attributes ?? null }, 'list').map(
    (each): readonly [string, JsonValue] => {
      const { key, value } = objectOf(each);
      return [typeof key === 'string' ? key : '', Object.values(objectOf(value))[0] ?? null];
    },
  );
  const own = Array.isArray(attributes) ? Object.fromEntries(listed) : objectOf(attributes);
  const packed = own['message'] ?? null;
  const inner = objectOf(typeof packed === 'string' ? parseNested(packed) : packed);
  const { message, ...fields } = { ...own, ...objectOf(body) };
  const said = { ...objectOf(message), ...inner };
  const isText = typeof packed === 'string' && Object.keys(inner).length === 0;
  const content = isText ? { content: packed } : {};
  const spoken = isAnswer ? 'assistant' : role;
  return {
    message: {
      kind: name,
      ...rest,
      ...fields,
      ...said,
      ...content,
      role: textAt(fields, 'role') ?? spoken,
    },
    isAnswer,
  };
}
