import { Ajv2020 } from 'ajv/dist/2020.js';
import { LLMError } from '../models/llm-error.ts';
import { messageOf } from '../errors.ts';
import type { JsonObject, JsonValue } from '../json/json-value.ts';

/**
 * Makes a function that says what is wrong with a value.
 *
 * @throws LLMError with the code `invalid_request` for an invalid schema.
 */
export function compileJsonSchema(schema: JsonObject): (value: JsonValue) => string[] {
  const ajv = new Ajv2020({ allErrors: true, strict: false, logger: false });
  try {
    const { $schema: _, ...plain } = schema;
    const validate = ajv.compile(plain);
    return (value) => {
      if (validate(value)) return [];
      return (validate.errors ?? []).map(
        ({ instancePath, message = 'is wrong' }) => `${instancePath || 'the answer'} ${message}`,
      );
    };
  } catch (cause) {
    throw new LLMError('invalid_request', `the schema is no JSON Schema: ${messageOf(cause)}`, {
      cause,
    });
  }
}
