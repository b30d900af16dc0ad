import { isJsonObject, type JsonObject, type JsonValue } from '../json.ts';

/**
 * Whether a schema is of the kind that OpenAI can hold a model to: each object closed, with all of its
 * keys required. Others are sent as a wish.
 */
export function isStrictSchema(schema: JsonObject): boolean {
  return isStrict(schema);
}

function isStrict(value: JsonValue): boolean {
  if (isList(value)) return value.every(isStrict);
  if (typeof value !== 'object' || value === null) return true;
  const { properties, required } = value;
  if (value['type'] === 'object' || properties !== undefined) {
    const keys = Object.keys(isJsonObject(properties) ? properties : {});
    const named = isList(required) ? required : [];
    if (value['additionalProperties'] !== false) return false;
    if (!keys.every((key) => named.includes(key))) return false;
  }
  return Object.values(value).every(isStrict);
}

function isList(value: JsonValue | undefined): value is readonly JsonValue[] {
  return Array.isArray(value);
}
