import { isJsonObject, type JsonObject, type JsonValue } from '../json/json-value.ts';
import type { OutputFormat } from '../models/request.ts';

/** Keywords without a strict form. */
const UNSUPPORTED = new Set([
  'allOf',
  'not',
  'if',
  'then',
  'else',
  'dependentRequired',
  'dependentSchemas',
  'patternProperties',
  'prefixItems',
  'propertyNames',
  'unevaluatedProperties',
]);

/** Keywords that strict mode refuses, and that only narrow: answers are checked for them here. */
const LEFT_OUT = new Set([
  '$schema',
  '$id',
  '$comment',
  'default',
  'examples',
  'deprecated',
  'readOnly',
  'writeOnly',
  'minLength',
  'maxLength',
  'uniqueItems',
  'contains',
  'minContains',
  'maxContains',
  'minProperties',
  'maxProperties',
  'contentEncoding',
  'contentMediaType',
  'contentSchema',
]);

/** Formats that strict mode knows everywhere. */
const FORMATS: ReadonlySet<JsonValue> = new Set([
  'date-time',
  'time',
  'date',
  'duration',
  'email',
  'hostname',
  'ipv4',
  'ipv6',
  'uuid',
]);

/** Patterns that look around or back, which strict mode does not know. */
const LOOKS_AROUND = /\(\?(?!:)|(?:\\\\)[1-9]/;

/** The differences between the strict modes of servers. */
export interface SchemaDialect {
  /** True if each key of an object must be required. */
  readonly isAllRequired: boolean;
  /** Keywords that this server refuses, and that only narrow. */
  readonly leftOut: ReadonlySet<string>;
}

/** Source: https://platform.openai.com/docs/guides/structured-outputs#supported-schemas */
const OPENAI: SchemaDialect = { isAllRequired: true, leftOut: new Set() };

/**
 * Returns the schema in the form that a server can hold a model to: each object closed and, for OpenAI, with all of its keys
 * required. Closing an object only narrows what the model may say, so an answer still fits the schema
 * that was given; what the strict form cannot say is left out, and checked in the answer.
 *
 * @returns `undefined` if there is no such form, as with open objects: then the schema is only a wish.
 */
export function strictSchema(
  schema: JsonObject,
  dialect: SchemaDialect = OPENAI,
): JsonObject | undefined {
  const strict = close(schema, dialect);
  return isJsonObject(strict) ? strict : undefined;
}

/** `undefined` where it cannot be closed. */
function close(value: JsonValue, dialect: SchemaDialect): JsonValue | undefined {
  if (isList(value)) {
    const items = value.map((item) => close(item, dialect));
    return items.every((item) => item !== undefined) ? items : undefined;
  }
  if (!isJsonObject(value)) return value;
  // A reference is alone in its schema.
  if (typeof value['$ref'] === 'string') return { $ref: value['$ref'] };
  const { properties, required, additionalProperties } = value;
  const isObject = value['type'] === 'object' || properties !== undefined;
  if (isObject) {
    const named = isList(required) ? required : [];
    const keys = Object.keys(isJsonObject(properties) ? properties : {});
    const isOpen = additionalProperties !== undefined && additionalProperties !== false;
    const isLoose = dialect.isAllRequired && !keys.every((key) => named.includes(key));
    if (isOpen || isLoose) return undefined;
  }
  const closed: Record<string, JsonValue> = {};
  for (const [key, part] of Object.entries(value)) {
    if (UNSUPPORTED.has(key)) return undefined;
    if (LEFT_OUT.has(key) || dialect.leftOut.has(key)) continue;
    if (key === 'format' && !FORMATS.has(part)) continue;
    if (key === 'pattern' && LOOKS_AROUND.test(JSON.stringify(part))) continue;
    const isData = key === 'enum' || key === 'const';
    const isNamed = key === 'properties' || key === '$defs' || key === 'definitions';
    const inner = isData ? part : isNamed ? closeEach(part, dialect) : close(part, dialect);
    if (inner === undefined) return undefined;
    closed[key === 'oneOf' ? 'anyOf' : key] = inner;
  }
  return isObject ? { ...closed, additionalProperties: false } : closed;
}

/** Keys of `properties` and of definitions are names, not keywords. */
function closeEach(properties: JsonValue, dialect: SchemaDialect): JsonValue | undefined {
  if (!isJsonObject(properties)) return undefined;
  const entries = Object.entries(properties).map(
    ([name, part]) => [name, close(part, dialect)] as const,
  );
  if (entries.some(([, part]) => part === undefined)) return undefined;
  return Object.fromEntries(entries.map(([name, part]) => [name, part ?? null]));
}

function isList(value: JsonValue | undefined): value is readonly JsonValue[] {
  return Array.isArray(value);
}

/** Says in words which form the answer must have, for servers that have no field for it. */
export function outputInstruction(output: OutputFormat | undefined): string | undefined {
  if (output?.type !== 'json') return undefined;
  if (output.schema === undefined) return 'Answer with one JSON object and nothing else.';
  return `Answer with JSON and nothing else. It must follow this JSON Schema:\n${JSON.stringify(output.schema)}`;
}
