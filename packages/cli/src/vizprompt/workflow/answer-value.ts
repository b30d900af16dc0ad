import type { JsonValue } from '@vizprompt/providers';
import type { OpenQuestion } from '@vizprompt/workflow';

/** Returns a text where a text is asked for; else JSON, if it is any. */
export function answerValue(text: string, { schema }: OpenQuestion): JsonValue {
  if (schema?.['type'] === 'string') return text;
  try {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- that is what JSON is
    return JSON.parse(text) as JsonValue;
  } catch {
    return text;
  }
}
