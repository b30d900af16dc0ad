import { readChatInput } from '../adapter-kit/chat-input.ts';
import { checkOptions } from '../adapter-kit/check-options.ts';
import { endOfValue, tidy } from '../adapter-kit/repair-json.ts';
import { ThinkTags } from '../adapter-kit/think-tags.ts';
import { messageOf } from '../errors.ts';
import { COUNT, type Kind, optional, TEXT } from '../input/kinds.ts';
import { jsonOf, parseJson } from '../json/fields.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../json/json-value.ts';
import type { ChatModel } from '../models/chat-model.ts';
import { addUsage } from '../models/collect.ts';
import type { ChatResult, Usage } from '../models/events.ts';
import { LLMError } from '../models/llm-error.ts';
import { textMessage } from '../models/message.ts';
import type { ChatInput } from '../models/request.ts';
import { readySchema, type ReadySchema, type Schema } from './schema.ts';

/** Options of {@link generateObject}. */
export interface GenerateObjectOptions<Output> {
  /** The form of the answer: a zod 4 schema, any Standard Schema with JSON Schema, or a JSON Schema. */
  readonly schema: Schema<Output>;
  /** The name of the object, for the model. Default: `'answer'`. */
  readonly name?: string | undefined;
  /** How often the model is shown what was wrong and asked again. Default: 1. */
  readonly repair?: number | undefined;
}

const SCHEMA: Kind<never> = {
  expected: 'a zod schema, another Standard Schema, or a JSON Schema',
  accepts: (value) => (typeof value === 'object' && value !== null) || typeof value === 'function',
};
const OPTIONS = { schema: SCHEMA, name: optional(TEXT), repair: optional(COUNT) };

/** An answer that fits its schema. */
export interface GeneratedObject<Output> {
  readonly object: Output;
  /** The answer that it was read from. */
  readonly result: ChatResult;
  /** How many answers it took. */
  readonly attempts: number;
  /** The sum of all attempts. */
  readonly usage: Usage;
}

/**
 * Asks for an object instead of a text. The model is held to the schema where the provider can do that;
 * in any case the answer is validated, and where it does not fit, the model receives the reason. Thoughts, words and fences around
 * the JSON are cut away first. Lists, unions and other schemas whose root is not an object are asked for as the one key of an
 * object.
 *
 * @throws LLMError with the code `output_parse` if no attempt fits, with the last answer in `partial`
 * and what was wrong in `context.issues`; and what the model throws.
 *
 * @example
 * ```ts
 * const { object } = await generateObject(
 *   model,
 *   { messages: [textMessage('user', '猫の名前を三つ')] },
 *   { schema: z.object({ names: z.array(z.string()).length(3) }) },
 * );
 * ```
 */
export async function generateObject<Output>(
  model: ChatModel,
  input: ChatInput,
  options: GenerateObjectOptions<Output>,
): Promise<GeneratedObject<Output>> {
  const { schema, name = 'answer', repair = 1 } = checkOptions('generateObject', options, OPTIONS);
  const request = readChatInput(input);
  const ready = await readySchema(schema);
  const asked = wrapSchema(ready.jsonSchema);
  const usages: Usage[] = [];
  let messages = request.messages;
  for (let attempt = 1; ; attempt++) {
    const result = await model.generate({
      ...request,
      messages,
      output: { type: 'json', schema: asked.schema, name },
    });
    usages.push(result.usage);
    const isCut = result.finishReason === 'length';
    const checked = await check(result.text, asked, ready, isCut);
    if ('value' in checked) {
      const usage = addUsage(...usages);
      return { object: checked.value, result, attempts: attempt, usage };
    }
    if (attempt > repair || isCut) throw misfit(model, result, checked.issues, attempt);
    messages = [
      ...messages,
      textMessage('assistant', result.text),
      textMessage('user', repairPrompt(checked.issues)),
    ];
  }
}

/** Returns the first value in the answer that fits; else what is wrong with the likeliest. */
async function check<Output>(
  text: string,
  { unwrap }: AskedSchema,
  { jsonSchema, validate }: ReadySchema<Output>,
  isCut: boolean,
): Promise<{ readonly value: Output } | { readonly issues: string[] }> {
  const found = valuesIn(text);
  if ('issue' in found) {
    // A text that was asked for, without quotes.
    const isText =
      !isCut && !/^\s*[{["`<]/.test(text) && (await isTextFor(jsonSchema, text.trim()));
    const said = isText ? await validate(text.trim()) : { issues: [] };
    return 'value' in said ? said : { issues: [found.issue] };
  }
  let first: { readonly issues: string[] } | undefined;
  const values = found.values.flatMap(unwrap);
  for (const value of [...values, ...values.flatMap(innerOf)]) {
    const checked = await validate(value);
    if ('value' in checked) return checked;
    const again = await validate(withoutNulls(value, checked.issues));
    if ('value' in again) return again;
    first ??= checked;
  }
  return first ?? { issues: ['there is no value in it'] };
}

/** Checks whether a schema allows a text: some checks make any text a value of another type. */
async function isTextFor(schema: JsonObject, text: string): Promise<boolean> {
  const { compileJsonSchema } = await import('./json-schema.ts');
  return compileJsonSchema(schema)(text).length === 0;
}

/** Returns the only value of an object or a list, which models put around an answer. */
function innerOf(value: JsonValue): JsonValue[] {
  const inner = typeof value === 'object' && value !== null ? Object.values(value) : [];
  return inner.length === 1 ? inner.map(jsonOf) : [];
}

/** Returns a value without each `null` that a check complains about: models say it for what is optional. */
function withoutNulls(value: JsonValue, issues: readonly string[]): JsonValue {
  const paths = issues.map((issue) => /^\/[^:\s]*/.exec(issue)?.[0]);
  const strip = (part: JsonValue, path: string): JsonValue => {
    if (Array.isArray(part)) return part.map((item: JsonValue, at) => strip(item, `${path}/${at}`));
    if (!isJsonObject(part)) return part;
    const kept = Object.entries(part).filter(
      ([key, inner]) => inner !== null || !paths.includes(`${path}/${key}`),
    );
    return Object.fromEntries(kept.map(([key, inner]) => [key, strip(inner, `${path}/${key}`)]));
  };
  return strip(value, '');
}

function repairPrompt(issues: readonly string[]): string {
  const list = issues
    .slice(0, 20)
    .map((issue) => `- ${issue}`)
    .join('\n');
  return `Your answer does not fit the schema:\n${list}\nAnswer again, with the corrected JSON and nothing else.`;
}

function misfit(
  { provider, modelId }: ChatModel,
  result: ChatResult,
  issues: readonly string[],
  attempts: number,
): LLMError {
  const why =
    result.finishReason === 'length'
      ? 'it was cut off by the limit of tokens: raise maxOutputTokens'
      : issues.slice(0, 5).join('; ');
  return new LLMError(
    'output_parse',
    `${provider} model '${modelId}': the answer does not fit the schema after ${attempts} attempts: ${why}`,
    { provider, modelId, partial: result, context: { issues, attempts } },
  );
}

/** A schema as models are asked for it, and how the value comes out of the answer. */
interface AskedSchema {
  readonly schema: JsonObject;
  /** Returns the values that an answer may mean, the likeliest first. */
  unwrap(value: JsonValue): readonly JsonValue[];
}

/** The one key of an object that holds what is not an object itself. */
const KEY = 'value';

/**
 * Puts a schema whose root is not a plain object (a list, a union, a text) into an object with one key: providers hold
 * models to objects only.
 *
 * Source: https://platform.openai.com/docs/guides/structured-outputs (root objects must not be `anyOf`)
 */
function wrapSchema(schema: JsonObject): AskedSchema {
  if (isPlainObject(schema)) return { schema, unwrap: (value) => [value] };
  const { $defs, definitions, $schema, ...root } = schema;
  const inner = moveRefs(root);
  return {
    schema: {
      ...($schema === undefined ? {} : { $schema }),
      type: 'object',
      properties: { [KEY]: inner },
      required: [KEY],
      additionalProperties: false,
      ...($defs === undefined ? {} : { $defs: moveRefs($defs) }),
      ...(definitions === undefined ? {} : { definitions: moveRefs(definitions) }),
    },
    unwrap: (value) =>
      isJsonObject(value) && KEY in value && Object.keys(value).length === 1
        ? [value[KEY] ?? null, value]
        : [value],
  };
}

function isPlainObject(schema: JsonObject): boolean {
  const { type, properties, anyOf, oneOf, allOf, $ref } = schema;
  const isUnion = anyOf !== undefined || oneOf !== undefined;
  if (isUnion || $ref !== undefined) return false;
  if (type === undefined && properties === undefined)
    return allOf === undefined && !('enum' in schema || 'const' in schema);
  return type === 'object' || (type === undefined && properties !== undefined);
}

/** References to the root become references to the value. */
function moveRefs(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map((item: JsonValue) => moveRefs(item));
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, part]) => [
      key,
      key === '$ref' ? moveRef(part) : moveRefs(part),
    ]),
  );
}

function moveRef(ref: JsonValue): JsonValue {
  if (typeof ref !== 'string' || /^#\/(?:\$defs|definitions)\//.test(ref)) return ref;
  return ref.replace(/^#(?=$|\/)/, `#/properties/${KEY}`);
}

/**
 * Returns the values that an answer may mean, the likeliest first: the whole text, the last block of code, the last object or
 * list in the text; each without thoughts, and with commas at the end and raw line breaks repaired.
 *
 * @returns The values, or why the text is not JSON.
 */
export function valuesIn(
  text: string,
): { readonly values: readonly JsonValue[] } | { readonly issue: string } {
  const plain = withoutThoughts(text.replace(/^\uFEFF/, ''));
  const blocks = Array.from(
    plain.matchAll(/```[a-z0-9]*[ \t]*\n?([^]*?)```/gi),
    ([, code = '']) => code,
  );
  // A block that was never closed.
  const open = /```[a-z0-9]*[ \t]*\n([^]*)$/i.exec(plain)?.[1];
  const candidates = [plain, text, ...blocks.toReversed(), ...(open === undefined ? [] : [open])];
  const whole = candidates.flatMap((candidate) => parsed(candidate.trim()));
  const values = [...whole, ...embedded(plain).toReversed()];
  if (values.length > 0) return { values: unique(values) };
  try {
    JSON.parse(text);
    return { values: [] };
  } catch (error) {
    return { issue: `it is not JSON: ${messageOf(error)}` };
  }
}

function withoutThoughts(text: string): string {
  const tags = new ThinkTags();
  const pieces = [...tags.add(text), ...tags.end()];
  return pieces.map((piece) => (piece.type === 'text' ? piece.text : '')).join('');
}

function parsed(text: string): JsonValue[] {
  const value = parseJson(text) ?? parseJson(tidy(text));
  if (value === undefined) return [];
  // JSON in a string in JSON.
  const inner = typeof value === 'string' ? parseJson(value.trim()) : undefined;
  return inner === undefined ? [value] : [inner, value];
}

/** A text is looked through this many times at most: each bracket that opens nothing costs a look at the rest. */
const MAX_LOOKS = 50;

/** Returns the objects and lists that appear in a text. */
function embedded(text: string): JsonValue[] {
  const values: JsonValue[] = [];
  let left = MAX_LOOKS * text.length;
  for (let at = text.search(/[{[]/); at >= 0 && left > 0;) {
    const end = endOfValue(text, at);
    left -= (end ?? text.length) - at;
    const [value] = end === undefined ? [] : parsed(text.slice(at, end));
    if (value !== undefined) values.push(value);
    const from = value === undefined || end === undefined ? at + 1 : end;
    at = nextBracket(text, from);
  }
  return values;
}

function nextBracket(text: string, from: number): number {
  const places = [text.indexOf('{', from), text.indexOf('[', from)].filter((at) => at >= 0);
  return places.length === 0 ? -1 : Math.min(...places);
}

function unique(values: readonly JsonValue[]): JsonValue[] {
  const seen = new Set<string>();
  return values.filter((value) => {
    const json = JSON.stringify(value);
    return !seen.has(json) && Boolean(seen.add(json));
  });
}
