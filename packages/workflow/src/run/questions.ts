import type { JsonObject, JsonValue } from '@vizprompt/providers';

/** A question to a person, as the journal stores it, so that an answer from any process finds it. */
interface Question {
  readonly stepId: string;
  readonly text: string;
  /** Schema of the answer. */
  readonly schema?: JsonObject;
}

/** Returns a question as the journal keeps it. */
export function toQuestion(
  stepId: string,
  text: string,
  schema: JsonObject | undefined,
): JsonObject {
  return { stepId, text, ...(schema ? { schema } : {}) };
}

/** Reads a question of the journal. */
export function readQuestion(question: JsonValue): Question {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- written by toQuestion
  return question as unknown as Question;
}
