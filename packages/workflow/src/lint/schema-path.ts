import { isJsonObject, type JsonObject } from '@vizprompt/providers';
import type { ValueType } from './value-type.ts';

/** A step of a path that a schema has no place for. */
export interface MissingField {
  readonly parent: string;
  readonly name: string;
  readonly known: readonly string[];
  /** Where the name stands in the path. */
  readonly within: number;
}

/** The first step of a dotted path that the schema of its variable does not have. */
export function missingField(path: string, type: ValueType): MissingField | undefined {
  const [root = '', ...fields] = path.split('.');
  let schema: JsonObject | undefined = type;
  let within = root.length;
  let parent = root;
  for (const name of fields) {
    const known: readonly string[] | undefined = schema && fieldsOf(schema, name);
    if (known) return { parent, name, known, within: within + 1 };
    schema = schema && below(schema, name);
    within += name.length + 1;
    parent = `${parent}.${name}`;
  }
  return undefined;
}

/** What may bring further fields. */
const COMBINING =
  'patternProperties allOf anyOf oneOf if then else dependentSchemas $ref $dynamicRef'.split(' ');
const SCALARS: ReadonlySet<string> = new Set(['string', 'number', 'integer', 'boolean', 'null']);

/** The fields that there are, if the one that is asked for is certainly none of them. */
function fieldsOf(schema: JsonObject, name: string): readonly string[] | undefined {
  const { type, properties, additionalProperties: additional } = schema;
  if (type === 'array') return /^\d+$/.test(name) ? undefined : [];
  if (type === 'object' && isJsonObject(properties)) {
    const isOpen =
      additional === true || isJsonObject(additional) || COMBINING.some((key) => key in schema);
    return isOpen || Object.hasOwn(properties, name) ? undefined : Object.keys(properties);
  }
  return typeof type === 'string' && SCALARS.has(type) ? [] : undefined;
}

function below(schema: JsonObject, name: string): JsonObject | undefined {
  const { type, items, prefixItems, properties } = schema;
  if (prefixItems !== undefined) return undefined;
  const found = type === 'array' ? items : isJsonObject(properties) ? properties[name] : undefined;
  return isJsonObject(found) ? found : undefined;
}
