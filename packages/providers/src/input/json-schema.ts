import type { AnyKinds, JsonSchema, Kind } from './kinds.ts';

/**
 * Writes a kind as JSON Schema (2020-12 and draft 7), with its English description and its default.
 *
 * @returns `undefined` for what JSON cannot hold, such as a function.
 */
export function jsonSchemaOf(kind: Kind): JsonSchema | undefined {
  const schema = schemaOf(kind);
  if (!schema) return undefined;
  const { en, default: preset } = kind;
  return {
    ...schema,
    ...(en === undefined ? {} : { description: en }),
    ...(preset === undefined ? {} : { default: preset }),
  };
}

/** Returns an object with these members and no others; those that JSON cannot hold are left out. */
export function objectSchemaOf(members: AnyKinds): JsonSchema {
  const properties: [string, JsonSchema][] = [];
  const required: string[] = [];
  for (const [name, kind] of Object.entries(members)) {
    const schema = jsonSchemaOf(kind);
    if (!schema) continue;
    properties.push([name, schema]);
    if (kind.isOptional !== true) required.push(name);
  }
  return {
    type: 'object',
    properties: Object.fromEntries(properties),
    ...(required.length === 0 ? {} : { required }),
    additionalProperties: false,
  };
}

function schemaOf({ choices, members, items, json }: Kind): JsonSchema | undefined {
  if (members) return objectSchemaOf(members);
  if (items) {
    const inner = jsonSchemaOf(items);
    return inner && { ...json, items: inner };
  }
  if (!choices) return json;
  const parts = choices.map(jsonSchemaOf).filter((part) => part !== undefined);
  return parts.length > 1 ? { anyOf: parts } : parts[0];
}
