import { isJsonObject, type JsonObject, type JsonValue } from '../json/json-value.ts';

/** A schema as models are asked for it, and how the value comes out of the answer. */
export interface AskedSchema {
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
export function wrapSchema(schema: JsonObject): AskedSchema {
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
